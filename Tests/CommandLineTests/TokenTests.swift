import Foundation
import JSON
import Server
import TestSupport
import Testing

@testable import homeport

/// `homeport token`, and what a server makes of its tokens.
@Suite("homeport token")
struct TokenTests {
    private static let schema = """
        type Note @model @auth(rules: [{ allow: owner }, { allow: groups, groups: ["Readers"], operations: [read] }]) {
          id: ID!
          text: String!
        }
        type Plan @model @auth(rules: [{ allow: owner, identityClaim: "tenant" }]) { id: ID! }
        """

    private static func field(_ folder: TemporaryFolder, _ arguments: String...) throws -> [String] {
        let outcome = try ProgramRun.outcome(["token"] + arguments, in: folder)
        try #require(outcome.code == .success, "\(outcome.diagnostics)")
        return ["authorization: " + outcome.output.trimmingCharacters(in: .newlines)]
    }

    @Test("each user of a token sees what is theirs, a group what is its, and nobody what is another's")
    func eachSeesTheirOwn() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(schema: Self.schema, in: folder)
        let ann = try Self.field(folder, "--username", "ann")
        let bob = try Self.field(folder, "--username", "bob")
        let reader = try Self.field(folder, "--username", "cat", "--group", "Readers", "--group", "Others")
        for (name, token) in [("ann", ann), ("bob", bob)] {
            let made = try server.answer(
                to: #"mutation { createNote(input: {id: "\#(name)", text: "t"}) { id owner } }"#, fields: token)
            #expect(made.hasPrefix(#"{"data":{"createNote":{"id":"\#(name)","owner":""#), "\(made)")
        }
        func list(_ token: [String]) throws -> String {
            try server.answer(to: "{ listNotes { items { id } } }", fields: token)
        }
        #expect(try list(ann) == #"{"data":{"listNotes":{"items":[{"id":"ann"}]}}}"#)
        #expect(try list(bob) == #"{"data":{"listNotes":{"items":[{"id":"bob"}]}}}"#)
        #expect(try list(reader) == #"{"data":{"listNotes":{"items":[{"id":"ann"},{"id":"bob"}]}}}"#)
        let again = try Self.field(folder, "--username", "ann", "--expires", "7d")
        #expect(try list(again) == (try list(ann)))
        let bearer = again.map { $0.replacingOccurrences(of: ": ", with: ": Bearer ") }
        #expect(try list(bearer) == (try list(ann)))
        let forged = ann.map { String($0.dropLast(4)) + "AAAA" }
        #expect(try list(forged).contains("UnauthorizedException"))
    }

    @Test(
        "the first token of a folder says where its key was made, and who takes it; the next ones say nothing")
    func saysThatKeyIsNew() throws {
        let folder = TemporaryFolder()
        for data in [".homeport", "elsewhere/data"] {
            let first = try ProgramRun.outcome(["token", "--username", "u", "--data", data], in: folder)
            #expect(first.diagnostics.hasPrefix("homeport: a new signing key was made: \(data)/issuer-key.pem. "))
            #expect(first.diagnostics.contains("(\(data))") && !first.output.contains("key"))
            #expect(first.diagnostics.split(separator: "\n").count == 1)
            #expect(try ProgramRun.outcome(["token", "--username", "u", "--data", data], in: folder).diagnostics == "")
        }
    }

    @Test("tokens of another folder come first, and those of this one pass at once all the same")
    func staleTokens() throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        let server = try HomeportProcess(schema: Self.schema, in: folder)
        let stale = try Self.field(other, "--username", "ann")
        // Enough connections that every loop has met the stale one before there is a key.
        for _ in 0..<16 {
            #expect(try server.answer(to: "{ __typename }", fields: stale).contains("UnauthorizedException"))
        }
        let good = try Self.field(folder, "--username", "ann")
        for _ in 0..<16 {
            #expect(try server.answer(to: "{ __typename }", fields: stale).contains("UnauthorizedException"))
            #expect(try server.answer(to: "{ __typename }", fields: good) == #"{"data":{"__typename":"Query"}}"#)
        }
    }

    @Test("an access token has the claims of one, and is good for the same user and groups")
    func accessTokens() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(schema: Self.schema, in: folder)
        let access = try Self.field(folder, "--username", "ann", "--use", "access", "--group", "Readers")
        let made = try server.answer(
            to: #"mutation { createNote(input: {id: "n", text: "t"}) { owner } }"#, fields: access)
        // The id token of the same name is the same owner.
        let identity = try Self.field(folder, "--username", "ann", "--use", "id")
        let same = try server.answer(
            to: #"mutation { createNote(input: {id: "m", text: "t"}) { owner } }"#, fields: identity)
        #expect(made == same && made.contains(#""owner":""#))
        #expect(
            try server.answer(to: #"{ getNote(id: "m") { id } }"#, fields: access)
                == #"{"data":{"getNote":{"id":"m"}}}"#)

        func claims(_ field: [String]) throws -> JSONObject {
            let part = try #require(field.first?.split(separator: ".").dropFirst().first)
            var text = String(part).replacing("-", with: "+").replacing("_", with: "/")
            while text.count % 4 != 0 { text += "=" }
            let bytes = try #require(Data(base64Encoded: text))
            return try #require(try JSONReader.value(of: Array(bytes)).object)
        }
        let all = try claims(access)
        #expect(
            Set(all.keys) == [
                "sub", "iss", "client_id", "token_use", "scope", "username", "origin_jti", "jti", "auth_time",
                "iat",
                "exp", "cognito:groups",
            ])
        #expect(all["token_use"] == "access" && all["username"] == "ann")
        #expect(all["scope"] == "aws.cognito.signin.user.admin" && all["cognito:groups"] == ["Readers"])
        let other = try claims(identity)
        #expect(other["sub"] == all["sub"] && other["aud"] == all["client_id"] && other["token_use"] == "id")
        #expect(other["jti"] == nil && other["client_id"] == nil)
        #expect(
            try ProgramRun.outcome(["token", "--username", "u", "--use", "refresh"], in: folder).code == .usage)
    }

    @Test("a claim is JSON where it is that, and a text where it is not; an expired token is none")
    func claims() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(schema: Self.schema, in: folder)
        let tenant = try Self.field(folder, "--username", "u", "--claim", "tenant=acme=1")
        let made = try server.answer(to: "mutation { createPlan(input: {id: 1}) { owner } }", fields: tenant)
        #expect(made == #"{"data":{"createPlan":{"owner":"acme=1"}}}"#)
        let list = try Self.field(folder, "--username", "u", "--claim", #"cognito:groups=["Readers"]"#)
        let read = try server.answer(to: "{ listNotes { items { id } } }", fields: list)
        #expect(read == #"{"data":{"listNotes":{"items":[]}}}"#)
        let old = try Self.field(folder, "--username", "u", "--claim", "exp=1")
        #expect(
            try server.answer(to: "{ __typename }", fields: old).contains("\"errorType\":\"UnauthorizedException\"")
        )
    }

    @Test("a wish that makes no sense is refused with its reason")
    func refuses() throws {
        let folder = TemporaryFolder()
        let rows: [(arguments: [String], environment: [String: String], code: ExitCode, message: String)] = [
            ([], [:], .usage, "homeport: expected --username"),
            (["--username", "u", "--claim", "x"], [:], .usage, "homeport: --claim is NAME=VALUE, not \"x\""),
            (["--username", "u", "--claim", "=1"], [:], .usage, "homeport: --claim is NAME=VALUE, not \"=1\""),
            (
                ["--username", "u", "--expires", "soon"], [:], .usage,
                "homeport: --expires is a number with its unit, such as 90s, 15m, 1h or 7d, and at most 3650d, not \"soon\""
            ),
            (
                ["--username", "u"], ["HOMEPORT_AUTH_DEFAULT": "API_KEY"], .configuration,
                "homeport: the API would not accept such a token: AMAZON_COGNITO_USER_POOLS is none of its modes, which are API_KEY. Add it to auth.additional"
            ),
            (
                ["--username", "u"], ["HOMEPORT_AUTH_USER_POOLS_ISSUER": "https://pool.test"], .configuration,
                "homeport: the API would not accept such a token: its user pool is https://pool.test."
            ),
            (
                ["--username", "u", "--claim", "long=" + String(repeating: "x", count: 20_000)], [:], .usage,
                "homeport: a token of more than 16384 bytes is refused by servers"
            ),
            (["--username", "u", "--data", "/dev/null/x"], [:], .unwritableOutput, "homeport: cannot make the folder"),
        ]
        #expect(run(["token", "--data", folder.path + "/data", "--username", "u"]).code == .success)
        for row in rows {
            let outcome = run(["token", "--data", folder.path + "/data"] + row.arguments, environment: row.environment)
            #expect(outcome.code == row.code, "\(row.arguments)")
            #expect(outcome.diagnostics.hasPrefix(row.message), "\(row.arguments): \(outcome.diagnostics)")
            #expect(outcome.output.isEmpty)
        }
    }
}
