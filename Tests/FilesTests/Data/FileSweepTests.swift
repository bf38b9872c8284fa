import Glibc
import Network
import TestSupport
import Testing

@testable import Files

@Suite("What a run leaves of files")
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
        let reader = try files.store.readerBeside()
        #expect(try reader.openRuns().isEmpty)
        #expect(try reader.leftovers(max: 10).isEmpty)
        try await files.stop()
    }

    @Test("stays as long as the run goes on in another process, and the run stays on the list")
    func leavesLiving() async throws {
        let folder = TemporaryFolder()
        let files = try await TestFiles(in: folder)
        try FileClient(files).call("PUT", "/public/kept", body: [1])
        let run = try #require(files.service.folder.run)
        let nameless = files.service.folder.path(of: try #require(FileNumber(run: run, place: 4_000)))
        Self.write(nameless)
        // Beside it, as `homeport files` is beside a server.
        var other = try await TestFiles(in: folder)
        await other.service.sweep()
        #expect(access(nameless, F_OK) == 0)
        #expect(try other.store.readerBeside().openRuns() == [run])
        try FileClient(other).call("PUT", "/public/more", body: [2])
        let second = try #require(other.service.folder.run)
        #expect(second > run)
        // What the other one left is looked for only when that is gone as well.
        let coming = "\(files.service.folder.incomingPath(ofRun: run))/9"
        Self.write(coming)
        try await files.stop()
        try await other.stop()
        other = try await TestFiles(in: folder)
        await other.service.sweep()
        #expect(access(nameless, F_OK) != 0 && access(coming, F_OK) != 0)
        #expect(try other.store.readerBeside().openRuns().isEmpty)
        #expect(other.filesOnDisk.count == 2)
        try await other.stop()
    }

    @Test("is never written over, whatever numbers a database that was put back hands out again")
    func neverReplaces() async throws {
        let folder = TemporaryFolder()
        let files = try await TestFiles(in: folder)
        let (path, store) = (files.path, files.store)
        // Files of a run of which the database knows nothing.
        for name in ["", "/objects", "/objects/3e8", "/objects/3e8/3e800000"] { mkdir(path + name, 0o700) }
        let old = "\(path)/objects/3e8/3e800000/3e800000001"
        Self.write(old)
        let client = try FileClient(files)
        try client.call("PUT", "/public/a", body: [1])
        #expect(files.service.folder.run == 0x3E9)
        #expect(try store.readerBeside().openRuns() == [0x3E9])
        // And where a number comes twice all the same, the file that is there stays, and the upload is refused.
        let number = try #require(try store.readerBeside().object(TestFiles.bucket, "public/a")).file
        let next = files.service.folder.path(of: FileNumber(number.raw + 1))
        Self.write(next)
        #expect(try client.call("PUT", "/public/b", body: [2, 2]).status == 500)
        #expect(try client.call("GET", "/public/b").code == "NoSuchKey")
        for path in [old, next] {
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_size == 1, "\(path)")
        }
        #expect(try client.call("PUT", "/public/b", body: [2, 2]).status == 200)
        #expect(files.filesOnDisk.count == 4)
        try await files.stop()
    }

    @Test("is nothing when it ended in order: the next start has nothing to look for")
    func endsInOrder() async throws {
        let folder = TemporaryFolder()
        var files = try await TestFiles(in: folder)
        try FileClient(files).call("PUT", "/public/a", body: [1])
        try await files.stop()
        files = try await TestFiles(in: folder)
        #expect(try files.store.readerBeside().openRuns().isEmpty)
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
