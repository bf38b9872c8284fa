import Foundation
import Synchronization
import TestSupport
import Testing

/// A server under mixed work for a minute: its memory and its descriptors stay where they are.
@Suite("A server that works for long", .serialized)
struct SoakTests {
    /// HOMEPORT_SOAK_SECONDS; without it there is no such test.
    private static var seconds: Int? {
        ProcessInfo.processInfo.environment["HOMEPORT_SOAK_SECONDS"].flatMap(Int.init)
    }

    private static let schema = """
        type Todo @model @searchable @auth(rules: [{ allow: public }]) {
          id: ID! name: String! listID: ID @index(name: "byList", sortKeyFields: ["name"], queryField: "todosByList")
        }
        """

    private struct Sample {
        let residentKilobytes: Int
        let descriptors: Int

        init(of process: Int32) throws {
            let pages = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
            residentKilobytes = (Int(pages[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        }
    }

    /// What the clients and the one who watches tell each other.
    private final class Run: Sendable {
        private let state = Mutex((isOver: false, requests: 0))
        var isOver: Bool { state.withLock { $0.isOver } }
        var requests: Int { state.withLock { $0.requests } }
        func end() { state.withLock { $0.isOver = true } }
        func count(_ requests: Int) { state.withLock { $0.requests += requests } }
    }

    @Test("grows in nothing", .enabled(if: seconds != nil, "make soak runs it"))
    func grows() async throws {
        let seconds = max(10, Self.seconds ?? 60)
        let seed = SeededRandom.seed(test: "SoakTests")
        let folder = TemporaryFolder()
        try folder.write(Self.schema, to: "soak.graphql")
        let server = try HomeportProcess(["--schema", "soak.graphql"], in: folder)
        let (port, identifier, run) = (server.port, server.identifier, Run())
        let clients = (0..<8).map { client in
            Task {
                try await BlockingThread.run {
                    var random = SeededRandom(seed: seed &+ UInt64(client))
                    // A connection lives for some requests only.
                    while !run.isOver { run.count(try Self.work("c\(client)", port, using: &random)) }
                }
            }
        }
        let samples = try await BlockingThread.run {
            defer { run.end() }
            return try (0..<seconds).map { _ in
                pause(.seconds(1), because: "one sample is taken each second")
                return try Sample(of: identifier)
            }
        }
        for client in clients { try await client.value }
        let third = samples.count / 3
        let (before, after) = (Array(samples[third..<2 * third]), Array(samples.suffix(third)))
        let resident = [before, after].map { $0.map(\.residentKilobytes).sorted()[$0.count / 2] }
        let descriptors = [before, after].map { $0.map(\.descriptors).max() ?? 0 }
        print(
            "\(run.requests) requests; RSS \(resident[0]) kB, then \(resident[1]) kB; "
                + "descriptors at most \(descriptors[0]), then \(descriptors[1])")
        #expect(resident[1] <= resident[0] + max(4_096, resident[0] / 20))
        // Eight clients, each perhaps between two connections.
        #expect(descriptors[1] <= descriptors[0] + 8)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    /// Some requests over one connection; the records that it makes it deletes.
    private static func work(_ name: String, _ port: UInt16, using random: inout SeededRandom) throws -> Int {
        let client = try OperationClient(port: port)
        let count = Int.random(in: 1...200, using: &random)
        for number in 0..<count {
            let id = "\(name)-\(number % 20)"
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1:
                _ = try client.answer(
                    to: "mutation ($i: CreateTodoInput!) { createTodo(input: $i) { id name createdAt } }",
                    ["i": ["id": id, "name": "word \(random.next())", "listID": "l\(number % 3)"]])
            case 2: _ = try client.answer(to: "mutation { deleteTodo(input: {id: \"\(id)\"}) { id } }")
            case 3:
                _ = try client.answer(to: "mutation { updateTodo(input: {id: \"\(id)\", name: \"other\"}) { name } }")
            case 4: _ = try client.answer(to: "{ getTodo(id: \"\(id)\") { id name } }")
            case 5:
                _ = try client.answer(to: "{ listTodos(filter: {name: {contains: \"1\"}}) { items { id } nextToken } }")
            case 6: _ = try client.answer(to: "{ todosByList(listID: \"l1\", sortDirection: DESC) { items { name } } }")
            case 7:
                _ = try client.answer(to: "{ searchTodos(filter: {name: {match: \"word\"}}) { total items { id } } }")
            case 8: _ = try client.answer(to: "{ a\(random.next()): __typename }")
            default: _ = try client.answer(to: "{ nothing\(random.next()) { id } ")
            }
        }
        return count
    }
}
