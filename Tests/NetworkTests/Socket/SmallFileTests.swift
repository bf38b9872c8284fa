import Glibc
import TestSupport
import Testing

@testable import Network

@Suite("A small file")
struct SmallFileTests {
    private let folder = TemporaryFolder()

    @Test("is made whole with its mode, and one that is there stays")
    func create() throws {
        let path = folder.file("key")
        try SmallFile.create(path, with: [1, 2], mode: 0o600)
        #expect(folder.mode(of: "key") == 0o600)
        let error = #expect(throws: SystemError.self) { try SmallFile.create(path, with: [3], mode: 0o600) }
        #expect(error?.code == EEXIST)
        #expect(try SmallFile.read(path, bytesMax: 2) == [1, 2])
        #expect(folder.names == ["key"])
    }

    @Test("is replaced whole, with another mode")
    func replace() throws {
        let path = folder.file("key")
        try SmallFile.replace(path, with: [1, 2], mode: 0o600)
        try SmallFile.replace(path, with: [3], mode: 0o644)
        #expect(folder.mode(of: "key") == 0o644)
        #expect(try SmallFile.read(path, bytesMax: 1) == [3])
        #expect(folder.names == ["key"])
    }

    @Test("is a file: a pipe, a device or a folder is refused, and nobody waits for it")
    func noFiles() throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for (path, code) in [(pipe, SmallFile.notAFile), ("/dev/zero", SmallFile.notAFile), (folder.path, EISDIR)] {
            #expect(throws: SystemError(call: "read", code: code, subject: path)) {
                try SmallFile.read(path, bytesMax: 9)
            }
        }
        // A shell's pipe for what a command prints, where that is wanted.
        BlockingThread.detach {
            let writer = open(pipe, O_WRONLY | O_CLOEXEC)
            _ = write(writer, [1, 2, 3] as [UInt8], 3)
            close(writer)
        }
        #expect(try SmallFile.read(pipe, bytesMax: 9, acceptsPipes: true) == [1, 2, 3])
    }

    @Test("that many threads replace at once is whole, and one of theirs")
    func replaceAtOnce() async throws {
        let path = folder.file("key")
        try await withThrowingTaskGroup { group in
            for byte in UInt8(1)...16 {
                group.addTask {
                    for _ in 0..<8 {
                        try SmallFile.replace(path, with: [UInt8](repeating: byte, count: 9_000), mode: 0o600)
                    }
                }
            }
            try await group.waitForAll()
        }
        let bytes = try SmallFile.read(path, bytesMax: 9_000)
        #expect(bytes.count == 9_000 && Set(bytes).count == 1)
        #expect(folder.names == ["key"])
    }

    @Test("beyond its limit, or where there is none, is an error that names it")
    func limits() throws {
        let path = folder.file("key")
        #expect(throws: SystemError(call: "open", code: ENOENT, subject: path)) {
            try SmallFile.read(path, bytesMax: 9)
        }
        try SmallFile.create(path, with: [UInt8](repeating: 7, count: 20_000), mode: 0o600)
        #expect(try SmallFile.read(path, bytesMax: 20_000).count == 20_000)
        #expect(throws: SystemError(call: "read", code: EFBIG, subject: path)) {
            try SmallFile.read(path, bytesMax: 19_999)
        }
        let below = path + "/below"
        #expect(throws: SystemError(call: "create", code: ENOTDIR, subject: below)) {
            try SmallFile.create(below, with: [], mode: 0o600)
        }
    }
}
