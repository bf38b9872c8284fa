import Foundation
import TestSupport
import Testing

@testable import Store

/// Folders of databases that nobody keeps.
@Suite("Folders that nobody keeps")
struct ScratchFolderTests {
    private let parent = TemporaryFolder()
    private let kind = ScratchFolder.Kind(name: "kept-", files: ["data"])

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test("go with their files, and with those of processes that were killed")
    func abandoned() throws {
        var own: ScratchFolder? = try ScratchFolder(kind, in: [parent.file("nowhere"), parent.path])
        let held = try ScratchFolder(kind, in: [parent.path])
        let path = try #require(own?.path)
        try parent.write("", to: String(path.dropFirst(parent.path.count + 1)) + "/data")
        for name in ["kept-abcdef", "kept-others", "kept-abcdefg", "else-abcdef"] {
            try parent.write("", to: "\(name)/\(name == "kept-others" ? "else" : "data")")
        }
        own = nil
        #expect(!isThere(path) && isThere(held.path))
        #expect(!isThere(parent.file("kept-abcdef")))
        // Files of others, and folders of other names, are nobody's to remove.
        for left in ["kept-others/else", "kept-abcdefg/data", "else-abcdef/data"] {
            #expect(isThere(parent.file(left)))
        }
    }

    @Test("as many as one end looks at, and no more")
    func bounded() throws {
        let count = ScratchFolder.othersMax + 20
        for number in 0..<count { try parent.write("", to: "kept-\(100_000 + number)/data") }
        do { _ = try ScratchFolder(kind, in: [parent.path]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).count == 20)
    }

    @Test("are refused by name where none can be made")
    func nowhere() throws {
        #expect(throws: StoreError.self) { try ScratchFolder(kind, in: [parent.file("a"), parent.file("b")]) }
    }
}
