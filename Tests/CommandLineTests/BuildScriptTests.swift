import Foundation
import Glibc
import TestSupport
import Testing

/// `scripts/within-memory`, which holds the compilers and linkers of a build to a limit.
@Suite(
    "The memory of a build",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct BuildScriptTests {
    static let program = repositoryFile("scripts/within-memory")

    // A shell alone has more than one megabyte resident.
    @Test(
        "a command ends as it does alone, or with 1 when a process has had more memory",
        arguments: [
            ("1000", "exit 0", 0), ("1000", "exit 3", 3), ("1000", "kill -KILL $$", 128 + 9), ("1", "exit 0", 1),
            ("1", "exit 3", 3), ("none", "exit 0", 64), ("", "exit 0", 64),
        ])
    func endings(megabytes: String, command: String, code: Int32) throws {
        let process = try ChildProcess(
            [Self.program, megabytes, "sh", "-c", command], output: .nothing, errors: .nothing)
        #expect(process.wait() == .code(code))
    }

    @Test("the largest process counts, however deep it is, and is printed")
    func largest() throws {
        let pipe = Pipe()
        let inner = "python3 -c 'x = bytearray(200_000_000); x[::4096] = x[::4096].replace(bytes(1), bytes([1]))'; true"
        let process = try ChildProcess(
            [Self.program, "150", "sh", "-c", "sh -c \"\(inner)\"; true"], output: .pipe(pipe), errors: .nothing)
        let text = String(decoding: pipe.fileHandleForReading.readWhole(), as: UTF8.self)
        #expect(process.wait() == .code(1))
        #expect(text.contains("MB resident, of 150 allowed"))
    }

    @Test("a signal is passed on to the command", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(number: Int32) throws {
        let pipe = Pipe()
        let command = "trap 'exit 5' TERM INT HUP; echo ready; while :; do sleep 0.05; done"
        let process = try ChildProcess(
            [Self.program, "1000", "sh", "-c", command], output: .pipe(pipe), errors: .nothing)
        #expect(try pipe.fileHandleForReading.read(upToCount: 5) == Data("ready".utf8))
        process.signal(number)
        #expect(process.wait() == .code(5))
    }
}
