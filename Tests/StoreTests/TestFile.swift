import Foundation
import TestSupport

/// The store has a temporary folder of its own.
typealias TestFolder = TestSupport.TemporaryFolder

extension TestFolder {
    var database: String { file("data.sqlite") }
}

/// What tests do to files behind the store's back.
enum TestFile {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    static func size(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    static func write(_ byte: UInt8, count: Int, to path: String) throws {
        try Data(repeating: byte, count: count).write(to: URL(fileURLWithPath: path))
    }

    /// Writes over the pages in the middle.
    static func damage(_ path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: size / 2 / 4096 * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 8192))
        try file.close()
    }

    static func forbidWriting(_ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    }

    /// The schemas that the tests of the blueprint read, by name.
    static func goldenSchemas() throws -> [(name: String, text: String)] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "BlueprintTests/Golden")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".input.graphql") }
            .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }

    /// Whether permissions mean nothing to this process.
    static var isSuperuser: Bool { geteuid() == 0 }
}
