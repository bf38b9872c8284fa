import Foundation
import HomeportTesting
import TestSupport
import Testing

/// The library for tests of apps, as such a test uses it.
@Suite("A server for the tests of an app in Swift")
struct HomeportTestingTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write("type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }", to: "schema.graphql")
    }

    @Test("a test runs in a world, which ends with it, and the server with the last reference")
    func worlds() async throws {
        let server = try await HomeportServer.start(in: folder.path, program: HomeportProcess.program)
        let list = "{ listTodos { items { id } } }"
        _ = try await server.backend.graphql(#"mutation { createTodo(input: {id: "base"}) { id } }"#)
        try await server.backend.snapshot("s")
        let gone = try await server.withWorld { world in
            _ = try await world.graphql(
                "mutation Create($id: ID) { createTodo(input: {id: $id}) { id } }", variables: ["id": "own"])
            #expect(String(decoding: try await world.graphql(list), as: UTF8.self).contains(#"{"id":"own"}"#))
            #expect(world.outputs != nil && world.variables["HOMEPORT_URL"] == world.url.absoluteString)
            try await world.reset()
            try await world.setTime(Date(timeIntervalSince1970: 2_000_000_000))
            return world
        }
        await #expect(throws: (any Error).self) { try await gone.graphql(list) }
        #expect(
            String(decoding: try await server.backend.graphql(list), as: UTF8.self)
                == #"{"data":{"listTodos":{"items":[{"id":"base"}]}}}"#)
        await #expect(throws: HomeportError.self) { try await server.world(snapshot: "none") }
        server.stop()
        await #expect(throws: (any Error).self) { try await server.backend.graphql(list) }
    }

    @Test("a schema that is wrong is an error")
    func refused() async throws {
        try folder.write("type Todo @model {", to: "schema.graphql")
        await #expect(throws: HomeportError.self) {
            try await HomeportServer.start(in: folder.path, program: HomeportProcess.program)
        }
    }
}
