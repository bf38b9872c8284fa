import Glibc
import Network
import TestSupport
import Testing

@testable import Files

@Suite("What a run leaves of files", .onItsOwnThread)
struct FileSweepTests {
    private static func write(_ path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        _ = Glibc.write(descriptor, "x", 1)
        close(descriptor)
    }

    @Test("is removed at the next start when it did not end in order, and nothing else")
    func sweeps() async throws {
        let folder = TemporaryFolder()
        var files = try await TestFiles(in: folder)
        var client = try FileClient(files)
        try client.call("PUT", "/public/kept", body: Array("kept".utf8))
        let run = try #require(files.service.folder.run)
        // Three places of a crash: while a body comes, behind its name and before its record, and before a note is worked off.
        let coming = "\(files.service.folder.incomingPath(ofRun: run))/9"
        let nameless = files.service.folder.path(of: try #require(FileNumber(run: run, place: 4_000)))
        let left = try #require(FileNumber(run: run, place: 4_001))
        for path in [coming, nameless, files.service.folder.path(of: left)] { Self.write(path) }
        try await files.service.write { writing throws(FileError) in
            try writing.leave(left)
            return ((), [])
        }
        // What is still coming keeps the run from ending in order.
        try await files.stop()
        files = try await TestFiles(in: folder)
        await files.service.sweep()
        #expect(files.filesOnDisk.count == 1)
        client = try FileClient(files)
        #expect(try client.call("GET", "/public/kept").text == "kept")
        let reader = try files.store.reader()
        #expect(try reader.openRuns().isEmpty)
        #expect(try reader.leftovers(max: 10).isEmpty)
        try await files.stop()
    }

    @Test("is nothing when it ended in order: the next start has nothing to look for")
    func endsInOrder() async throws {
        let folder = TemporaryFolder()
        var files = try await TestFiles(in: folder)
        try FileClient(files).call("PUT", "/public/a", body: [1])
        try await files.stop()
        files = try await TestFiles(in: folder)
        #expect(try files.store.reader().openRuns().isEmpty)
        // A run has numbers that none before it had.
        try FileClient(files).call("PUT", "/public/b", body: [2])
        #expect(try FileClient(files).call("GET", "/public/a").bytes == [1])
        #expect(files.filesOnDisk.count == 2)
        try await files.stop()
    }

    @Test("objects that are replaced or deleted leave no file", arguments: [1, 300_000])
    func removesFiles(size: Int) async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        for byte in UInt8(0)..<5 { try client.call("PUT", "/public/a", body: [UInt8](repeating: byte, count: size)) }
        try client.call("PUT", "/public/b", body: [UInt8](repeating: 9, count: size))
        try client.call("DELETE", "/public/b")
        // What a commit has left is removed behind it, beside everything else.
        while files.filesOnDisk.count > 1 { try await files.service.folder.work {} }
        #expect(try client.call("GET", "/public/a").bytes == [UInt8](repeating: 4, count: size))
        try await files.stop()
    }
}
