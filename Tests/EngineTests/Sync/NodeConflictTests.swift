import Access
import Blueprint
import JSON
import Network
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// A function that decides about conflicts, on the node that gets the mutation, while others change the same records.
@Suite(
    "Conflicts of several nodes", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodeConflictTests {
    private static let schema = """
        type Note @model @auth(rules: [{allow: public}]) { id: ID! content: String rating: Int }
        """

    /// Decides for both, and does something before it does.
    private final class Function: OutsideService {
        private let work = Mutex<(@Sendable (_ question: Int, _ version: Int64) async -> Void)?>(nil)
        private let asked = Mutex<[JSONValue]>([])

        var questions: [JSONValue] { asked.withLock { $0 } }

        func will(_ body: @escaping @Sendable (_ question: Int, _ version: Int64) async -> Void) {
            work.withLock { $0 = body }
        }

        func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
            let payload = (try? JSONReader.value(of: request.body)) ?? .null
            let number = asked.withLock { asked in
                asked.append(payload)
                return asked.count
            }
            await work.withLock { $0 }?(number, payload["existingItem"]?["_version"]?.integer ?? 0)
            let content =
                "\(payload["existingItem"]?["content"]?.string ?? "")+\(payload["newItem"]?["content"]?.string ?? "")"
            let rating = payload["existingItem"]?["rating"] ?? .null
            let answer: JSONValue = ["action": "RESOLVE", "item": ["content": .string(content), "rating": rating]]
            return OutsideResponse(status: 200, body: JSONWriter.bytes(of: answer))
        }
    }

    /// Unchecked: one task at a time asks its engine.
    private final class Node: @unchecked Sendable {
        let engine: TestEngine
        let function = Function()
        private let nodes: Nodes
        private let heard = Mutex<[String]>([])

        init(at location: Store.Location) async throws {
            engine = try TestEngine(
                NodeConflictTests.schema, outside: function, at: location,
                project: { $0.conflictStrategy = .lambda(url: "http://127.0.0.1:1/decide") })
            nodes = try await Nodes.join(engine.engine.store, address: "", version: "1") { _ in }
            engine.engine.tellOfMutations(
                MutationListener(
                    hasListeners: { true },
                    publish: { [weak self] events in
                        self?.heard.withLock { heard in
                            heard += events.filter { $0.value["id"] == "1" }.map {
                                "\($0.value["_version"]?.integer ?? 0) \($0.value["content"]?.string ?? "") \($0.value["rating"]?.integer ?? 0)"
                            }
                        }
                    }))
            engine.engine.hear(nodes)
        }

        var events: [String] { heard.withLock { $0 } }

        func update(_ id: String, _ fields: String, version: Int64) async throws -> JSONValue {
            try await engine.value(
                #"mutation { updateNote(input: {id: "\#(id)", \#(fields), _version: \#(version)}) { id content rating _version } }"#
            )
        }

        func record() async throws -> String? {
            try await engine.value(#"{ getNote(id: "1") { content rating _version } }"#)[path: "data", "getNote"]?.text
        }

        func end() async { await nodes.end() }
    }

    private static func pair() async throws -> (Node, Node) {
        let location = try TestDatabase.server()
        let nodes = (try await Node(at: location), try await Node(at: location))
        for id in ["1", "2"] {
            let made = try await nodes.0.engine.value(
                #"mutation { createNote(input: {id: "\#(id)", content: "a"}) { id content rating _version } }"#)
            #expect(made["errors"] == nil, "\(made)")
        }
        return nodes
    }

    @Test(
        "a function that is asked holds no other node up, and is asked again about what that one has made of the record"
    )
    func races() async throws {
        let (here, there) = try await Self.pair()
        let answers = Mutex<[JSONValue]>([])
        here.function.will { question, version in
            // While it is asked, the turn to write is everybody's.
            guard question == 1 else { return }
            for (id, of) in [("2", 1), ("1", version)] as [(String, Int64)] {
                if let answer = try? await there.update(id, #"content: "t", rating: 5"#, version: of) {
                    answers.withLock { $0.append(answer) }
                }
            }
        }
        let decided = try await here.update("1", #"content: "h""#, version: 7)
        #expect(answers.withLock { $0.map { $0["errors"] == nil } } == [true, true], "\(answers.withLock { $0 })")
        #expect(here.function.questions.map { $0["existingItem"]?["_version"] } == [1, 2])
        #expect(here.function.questions.map { $0["existingItem"]?["content"] } == ["a", "t"])
        #expect(there.function.questions.isEmpty)
        let expected = #"{"content":"t+h","rating":5,"_version":3}"#
        #expect(decided["errors"] == nil, "\(decided)")
        for node in [here, there] {
            #expect(try await node.record() == expected)
            try await eventually("it hears of all changes") { node.events.count == 3 }
            #expect(node.events == ["1 a 0", "2 t 5", "3 t+h 5"])
        }
        await here.end()
        await there.end()
    }

    @Test("each change of two nodes that is decided by a function is one version, and none is lost")
    func versions() async throws {
        let (here, there) = try await Self.pair()
        let count = 12
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, node) in [("h", here), ("t", there)] {
                group.addTask {
                    var done = 0
                    while done < count {
                        // Of a version that never is: each of them is a conflict.
                        let answer = try await node.update("1", #"content: "\#(name)""#, version: 1_000)
                        guard answer["errors"] == nil else {
                            #expect(answer.errorTypes == ["MaxConflicts"], "\(answer)")
                            continue
                        }
                        done += 1
                    }
                }
            }
            try await group.waitForAll()
        }
        let record = try #require(try await here.record())
        #expect(record.hasSuffix(#""_version":\#(2 * count + 1)}"#), "\(record)")
        for node in [here, there] {
            try await eventually("it hears of all changes") { node.events.count == 2 * count + 1 }
            #expect(node.events == here.events)
            // Each has been made of the one before.
            let contents = node.events.map { $0.split(separator: " ")[1] }
            for (before, after) in zip(contents, contents.dropFirst()) {
                #expect(after == "\(before)+h" || after == "\(before)+t", "\(contents)")
            }
        }
        await here.end()
        await there.end()
    }
}
