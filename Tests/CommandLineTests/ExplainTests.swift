import Foundation
import Server
import TestSupport
import Testing

/// What `--explain-auth` tells, and that nothing of it is told without.
@Suite("Explained denials")
struct ExplainTests {
    private static let schema = """
        type Note @model @auth(rules: [{ allow: owner }, { allow: groups, groups: ["Editors"] }]) {
          id: ID!
          text: String!
          owner: String
        }
        """

    private static func token(_ name: String, _ folder: TemporaryFolder) throws -> [String] {
        let outcome = try ProgramRun.outcome(["token", "--username", name, "--group", "Staff"], in: folder)
        return ["authorization: " + outcome.output.trimmingCharacters(in: .newlines)]
    }

    /// What is denied to bob, who owns nothing.
    private static let denied = [
        #"{ getNote(id: "a") { id } }"#,
        #"mutation { updateNote(input: {id: "a", text: "mine"}) { id } }"#,
        #"mutation { deleteNote(input: {id: "a"}) { id } }"#,
        #"mutation { createNote(input: {id: "b", text: "t", owner: "ann"}) { id } }"#,
    ]

    private static func ask(_ server: HomeportProcess, _ folder: TemporaryFolder) throws -> [String] {
        let made = try server.answer(
            to: #"mutation { createNote(input: {id: "a", text: "t"}) { id } }"#, fields: token("ann", folder))
        try #require(made == #"{"data":{"createNote":{"id":"a"}}}"#)
        let bob = try token("bob", folder)
        return try denied.map { try server.answer(to: $0, fields: bob) }
    }

    @Test("a denial says in the log and in the response which rules were asked and what was compared")
    func explains() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(["--explain-auth"], schema: Self.schema, in: folder)
        let answers = try Self.ask(server, folder)
        for answer in answers {
            #expect(answer.contains("\"errorType\":\"Unauthorized\""))
            #expect(answer.contains(#","extensions":{"authorization":[""#), "\(answer)")
            #expect(
                answer.contains("Editors") && answer.contains(#"the caller's groups are [\"Staff\"]"#), "\(answer)")
        }
        #expect(
            answers[0].contains("get Note: denied for bob") && answers[0].contains("its owner is "), "\(answers[0])"
        )
        #expect(answers[1].contains("update Note: denied for bob") && answers[1].contains("its owner is "))
        #expect(answers[2].contains("delete Note: denied for bob") && answers[2].contains("its owner is "))
        #expect(answers[3].contains("create Note: denied for bob") && answers[3].contains(#"its owner is \"ann\""#))
        #expect(server.logs("get Note: denied for bob (Cognito User Pools)") && server.logs("caller=bob"))
        // The next request of the same caller is not told what the last one was.
        let allowed = try server.answer(to: "{ listNotes { items { id } } }", fields: Self.token("bob", folder))
        #expect(allowed == #"{"data":{"listNotes":{"items":[]}}}"#)
    }

    @Test("a client that comes through a proxy is told nothing, while the log has it")
    func saysNothingThroughProxies() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(["--explain-auth"], schema: Self.schema, in: folder)
        _ = try Self.ask(server, folder)
        let bob = try Self.token("bob", folder)
        for field in [
            "X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "Via: 1.1 x", "X-Real-IP: 192.0.2.1",
        ] {
            for query in Self.denied {
                let answer = try server.answer(to: query, fields: bob + [field])
                #expect(
                    answer.contains("\"errorType\":\"Unauthorized\"") && !answer.contains("extensions"), "\(answer)"
                )
            }
        }
        #expect(server.logs("get Note: denied for bob"))
    }

    @Test("a change of a record that is not there says so")
    func explainsMissing() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(["--explain-auth"], schema: Self.schema, in: folder)
        let bob = try Self.token("bob", folder)
        for mutation in [
            #"mutation { updateNote(input: {id: "no", text: "t"}) { id } }"#,
            #"mutation { deleteNote(input: {id: "no"}) { id } }"#,
        ] {
            let answer = try server.answer(to: mutation, fields: bob)
            #expect(answer.contains(#"there is no Note with id \"no\""#), "\(answer)")
        }
    }

    @Test("a request whose caller is nobody is told why, in the log and on this machine")
    func explainsRefusals() throws {
        let folder = TemporaryFolder()
        let other = TemporaryFolder()
        let server = try HomeportProcess(["--explain-auth"], schema: Self.schema, in: folder)
        _ = try Self.token("bob", folder)
        let rows: [(fields: [String], reason: String)] = [
            ([], "401: the request has neither x-api-key nor authorization"),
            (["x-api-key: da2-other"], "401: the API key is none of auth.apiKeys"),
            (["authorization: abc"], "401: authorization is neither a token nor a signature"),
            (try Self.token("bob", other), "it was printed from another data folder"),
        ]
        for row in rows {
            let answer = try server.answer(to: "{ listNotes { items { id } } }", fields: row.fields)
            #expect(answer.contains(row.reason), "\(answer)")
            #expect(answer.contains(#""errorType":"UnauthorizedException""#))
            #expect(server.logs(row.reason))
        }
        let silent = try HomeportProcess(schema: Self.schema)
        let answer = try silent.answer(to: "{ listNotes { items { id } } }", fields: ["x-api-key: da2-other"])
        #expect(!answer.contains("extensions") && !silent.log.contains("auth.apiKeys"))
    }

    @Test("without the switch neither log nor response has a word of it, whatever the request says")
    func saysNothing() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(schema: Self.schema, in: folder)
        let answers = try Self.ask(server, folder)
        for answer in answers {
            #expect(answer.contains("\"errorType\":\"Unauthorized\""))
            for word in ["extensions", "authorization", "Editors", "Staff", "owner", "::ann"] {
                #expect(!answer.contains(word), "\(answer)")
            }
        }
        server.signal(SIGTERM)
        _ = server.exitStatus()
        // Above them stands what is to be said of the schema.
        let lines = server.log.split(separator: "\n").filter { $0.contains(" INFO ") || $0.contains(" WARN") }
        #expect(lines.contains { $0.contains(" api-key 200 ") || $0.contains(" user-pool 200 ") })
        for line in lines {
            for word in ["denied", "Editors", "Staff", "ann", "bob"] { #expect(!line.contains(word), "\(line)") }
        }
    }
}
