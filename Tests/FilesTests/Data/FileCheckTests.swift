import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Files

@Suite("A check of the files")
struct FileCheckTests {
    private static func findings(_ files: TestFiles, after seconds: Int64 = 0) throws -> [FileCheck.Finding] {
        let now = Int64(Date().timeIntervalSince1970)
        let check = try FileCheck(
            files.store.readerBeside(), folder: files.path, clock: { now + seconds })
        var found: [FileCheck.Finding] = []
        var shown = FileCheck.Progress()
        let checked = try check.run {
            shown = $0
        } found: {
            found.append($0)
        }
        #expect(shown.bytes == checked.bytes && checked.files == checked.filesMax)
        return found
    }

    private static func file(of key: String, _ files: TestFiles) throws -> String {
        let object = try #require(try files.store.readerBeside().object(TestFiles.bucket, key))
        return files.service.folder.path(of: object.file)
    }

    @Test("tells of each changed byte, each lost file and each one that is nobody's, beside a running server")
    func findsAll() async throws {
        let folder = TemporaryFolder()
        let files = try await TestFiles(in: folder)
        #expect(!FileManager.default.fileExists(atPath: files.path))
        #expect(try Self.findings(files) == [])
        let client = try FileClient(files)
        for number in 0..<300 { try client.call("PUT", "/public/\(number)", body: [UInt8](repeating: 7, count: 600)) }
        let begun = try client.call("POST", "/public/parts?uploads").element("UploadId")
        let id = try #require(begun)
        try client.call("PUT", "/public/parts?partNumber=2&uploadId=\(id)", body: [1, 2, 3])
        #expect(try Self.findings(files, after: 3_600) == [])
        let changed = try Self.file(of: "public/7", files)
        for (place, byte) in [(0, UInt8(6)), (599, 0)] {
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: changed)))
            bytes[place] = byte
            try Data(bytes).write(to: URL(fileURLWithPath: changed))
            #expect(
                try Self.findings(files)
                    == [.changed(.init(bucket: TestFiles.bucket, key: "public/7"), file: changed)])
            bytes = [UInt8](repeating: 7, count: 600)
            try Data(bytes).write(to: URL(fileURLWithPath: changed))
        }
        let longer = try Self.file(of: "public/8", files)
        try Data([UInt8](repeating: 7, count: 601)).write(to: URL(fileURLWithPath: longer))
        let lost = try Self.file(of: "public/9", files)
        try FileManager.default.removeItem(atPath: lost)
        let part = try #require(
            files.filesOnDisk.first { (try? Data(contentsOf: URL(fileURLWithPath: $0))) == Data([1, 2, 3]) })
        try Data([1, 2, 4]).write(to: URL(fileURLWithPath: part))
        // Of a run that goes on a file may be about to have its record; after a while it is nobody's.
        let young = (lost as NSString).deletingLastPathComponent + "/ffffff"
        for orphan in [young, files.path + "/objects/77/0/7700000000", files.path + "/incoming/77/7700000001"] {
            try FileManager.default.createDirectory(
                atPath: (orphan as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data([1]).write(to: URL(fileURLWithPath: orphan))
        }
        var expected: [FileCheck.Finding] = [
            .changed(.init(bucket: TestFiles.bucket, key: "public/8"), file: longer),
            .missing(.init(bucket: TestFiles.bucket, key: "public/9"), file: lost),
            .changed(.init(bucket: TestFiles.bucket, key: "public/parts", part: 2), file: part),
            .orphan(file: files.path + "/objects/77/0/7700000000"),
            .orphan(file: files.path + "/incoming/77/7700000001"),
        ]
        #expect(try Self.findings(files) == expected)
        expected.append(.orphan(file: young))
        let later = try Self.findings(files, after: 3_600)
        #expect(later.count == expected.count && expected.allSatisfy(later.contains))
        try await files.stop()
    }
}
