import Foundation
import TestSupport
import Testing

/// What a server says in its log: of stored values that the schema does not allow any more, and of clients that it cannot serve.
@Suite("What a running server says of its data and its clients")
struct ServingNoticeTests {
    private static let schema = """
        type Item @model @auth(rules: [{ allow: public }]) { id: ID! name: String state: State states: [State] }
        enum State { NEW OLD }
        """

    @Test("a client that asks for TLS where there is none is told of in the log, once")
    func tellsOfTLS() throws {
        let server = try HomeportProcess()
        for _ in 0..<3 {
            let client = try RawClient(port: server.port)
            try client.send("\u{16}\u{03}\u{01}\u{00}\u{05}hello\r\n\r\n")
            _ = try? client.readAnswer()
        }
        #expect(server.logs("a client asked for TLS, and there is no certificate"))
        #expect(server.log.ranges(of: "asked for TLS").count == 1)
        let garbage = try HomeportProcess()
        let client = try RawClient(port: garbage.port)
        try client.send("\u{17}GET\r\n\r\n")
        _ = try? client.readAnswer()
        #expect(garbage.logs(" 400 ") && !garbage.log.contains("asked for TLS"))
    }

    @Test("values that the schema does not allow are counted at a start, by field")
    func areSaid() throws {
        let folder = TemporaryFolder()
        let first = try HomeportProcess(schema: Self.schema, in: folder)
        for input in [
            #"{id: "1", name: "a", state: OLD, states: [NEW]}"#, #"{id: "2", state: NEW, states: [NEW, OLD]}"#,
            #"{id: "3"}"#,
        ] {
            _ = try first.answer(to: "mutation { createItem(input: \(input)) { id } }")
        }
        first.signal(SIGTERM)
        #expect(first.exitStatus() == 0)
        #expect(!first.log.contains("Item."), "\(first.log)")

        let changed = Self.schema.replacing("name: String", with: "name: String!").replacing("NEW OLD", with: "NEW")
            .replacing("state: State ", with: "more: Int! state: State ")
        let second = try HomeportProcess(schema: changed, in: folder)
        for text in [
            "Item.name is required, and 2 records have no value for it",
            "Item.more is required, and 3 records have no value for it",
            "Item.state: 1 record has a value that its enum has not",
            "Item.states: 1 record has a value that its enum has not",
        ] {
            #expect(second.logs(text), "\(text): \(second.log)")
        }
        #expect(!second.log.contains("Item.id"))
        second.signal(SIGTERM)
        #expect(second.exitStatus() == 0)
    }

    @Test("the same is said when the schema is edited while it is served")
    func areSaidWhileFollowed() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(["--watch"], schema: Self.schema, in: folder)
        for id in ["1", "2"] {
            _ = try server.answer(to: "mutation { createItem(input: {id: \"\(id)\", name: \"a\"}) { id } }")
        }
        try folder.write(
            Self.schema.replacing("state: State ", with: "rank: Int! state: State "), to: "schema.graphql")
        #expect(server.logs("Item.rank is required, and 2 records have no value for it"), "\(server.log)")
        #expect(!server.log.contains("Item.name"))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }
}
