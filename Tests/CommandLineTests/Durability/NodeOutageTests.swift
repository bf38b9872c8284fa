import Foundation
import Network
import PostgresSupport
import Server
import TestSupport
import Testing

/// Several servers over one database that is stopped and started again.
@Suite(
    "Several servers over a database that is away", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .serialized)
struct NodeOutageTests {
    private static func creation(_ id: String) -> String {
        #"mutation { createTodo(input: {id: "\#(id)", name: "n"}) { id } }"#
    }

    @Test("all say so at every service, and go on by themselves, for each other's subscribers too")
    func outage() throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let url = try server.url(ofNewSchema: "nodeoutage")
        let folder = TemporaryFolder()
        let more = [
            "HOMEPORT_STATE_MACHINES": ServerDatabaseTests.machines,
            "HOMEPORT_FILES_SHARED_FOLDER": folder.file("files"),
            "HOMEPORT_EVENT_API_NAMESPACES": #"{"default": {}}"#,
        ]
        let nodes = try (0..<2).map { _ in try NodeTests.serve(url, [], more) }
        var rounds = 0
        // A moment behind a start or an outage there may be no keeper, which some calls are passed on to.
        func waitForService() throws {
            for node in nodes {
                var refused: [String] = []
                try eventually("every service answers: \(refused)") {
                    rounds += 1
                    refused = try ServerDatabaseTests.answers(of: node, round: rounds).filter { $0.status != 200 }
                        .map { "\($0)" }
                    return refused.isEmpty
                }
            }
        }
        try waitForService()
        let streams = try nodes.map { try NodeTests.subscriber(of: $0) }
        var first = try NodeServiceTests.subscriber(of: nodes[0], key: ClientScript.key)
        var second = try NodeServiceTests.subscriber(of: nodes[1], key: ClientScript.key)

        server.stop()
        for node in nodes {
            try eventually("it is not ready") { try NodeServiceTests.readiness(of: node).hasPrefix("503 ") }
            let readiness = try NodeServiceTests.readiness(of: node)
            #expect(readiness.contains("the database does not answer"), "\(readiness)")
            #expect(try ServerDatabaseTests.status(of: "/health", at: node) == 200)
            rounds += 1
            try ServerDatabaseTests.expectOutage(of: node, from: server, round: rounds)
            let publish = try NodeServiceTests.publish(["0"], to: "/default/room", on: node, key: ClientScript.key)
            #expect(publish.contains("ServiceUnavailable"), "\(publish)")
        }

        try server.start()
        for node in nodes {
            try eventually("it is ready again") { try NodeServiceTests.readiness(of: node).hasPrefix("200 ") }
        }
        try waitForService()
        // Those who subscribed before hear what comes behind, of both.
        for (number, node) in nodes.enumerated() {
            #expect(try node.answer(to: Self.creation("t\(number)")).contains(#""id":"t\#(number)""#))
            let publish = try NodeServiceTests.publish(
                ["\(number)"], to: "/default/room", on: node, key: ClientScript.key)
            #expect(publish.contains("successful"), "\(publish)")
        }
        for stream in streams {
            for number in 0..<2 { _ = try stream.read(through: #"{"data":{"onCreateTodo":{"id":"t\#(number)"}}}"#) }
        }
        #expect(try NodeServiceTests.events(&first, 2) == ["0", "1"])
        #expect(try NodeServiceTests.events(&second, 2) == ["0", "1"])
    }
}
