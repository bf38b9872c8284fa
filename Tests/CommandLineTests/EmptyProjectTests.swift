import Foundation
import TestSupport
import Testing

@Suite("A project that uses nothing but its API")
struct EmptyProjectTests {
    /// The threads are those of the start, the log, the signals, the writer, one helper, one that gives memory back, and the loop.
    private static let threadsMax = 7
    /// The lock of the server, and the connection of the loop.
    private static let databasesMax = 2

    @Test(
        "costs a few threads and one connection to its database",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task")))
    func costsLittle() throws {
        let folder = TemporaryFolder()
        let arguments = ["--config", "config.json"]
        try folder.write(#"{"eventLoops": 1}"#, to: "config.json")
        let first = try HomeportProcess(arguments, in: folder)
        _ = try first.answer(to: "mutation { createTodo(input: {id: \"1\", name: \"a\"}) { id } }")
        first.signal(SIGTERM)
        #expect(first.exitStatus() == 0)

        let second = try HomeportProcess(arguments, schema: nil, in: folder)
        #expect(try second.answer(to: "{ getTodo(id: \"1\") { name } }").contains("a"))
        let process = "/proc/\(second.identifier)"
        let threads = try FileManager.default.contentsOfDirectory(atPath: "\(process)/task").count
        #expect(threads <= Self.threadsMax)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd")
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/fd/\($0)") }
        #expect(files.count { $0.hasSuffix(".sqlite") } <= Self.databasesMax, "\(files)")
        second.signal(SIGTERM)
        #expect(second.exitStatus() == 0)
    }
}
