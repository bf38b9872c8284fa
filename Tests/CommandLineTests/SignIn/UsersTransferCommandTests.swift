import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// `homeport users import` and `export`, beside a server that runs.
@Suite("homeport users import and export")
struct UsersTransferCommandTests {
    private static let hash = "$2b$04$abcdefghijklmnopqrstuuXzOpqiwBbgZnWZXYluHE2.EPg5wuHSy"
    private static let password = "Pässw0rd-☕"

    @Test("users come into the pool of a running server, and go out of it into another folder's")
    func transfer() throws {
        let server = try HomeportProcess()
        let lines = #"{"username":"ann","passwordHash":"\#(Self.hash)"}"# + "\n" + #"{"user":"bob"}"# + "\n"
        let taken = try ProgramRun.outcome(["users", "import"], in: server.folder, input: lines)
        #expect(taken.code == .failure)
        #expect(
            taken.diagnostics.hasPrefix(
                #"standard input:2: there is no "user" of a user; what there is: username"#),
            "\(taken.diagnostics)")
        #expect(taken.diagnostics.contains("1 user imported\n1 of them sign in by their password the first time"))
        #expect(taken.diagnostics.contains("homeport: 1 line left out."))
        let client = try PoolClient(server)
        #expect(try client.signIn("ann", Self.password)["AccessToken"] != nil)
        let again = try ProgramRun.outcome(
            ["users", "import"], in: server.folder, input: #"{"username":"ann"}"#)
        #expect(again.code == .success && again.diagnostics == "0 users imported, 1 there already\n", "\(again)")

        let written = try ProgramRun.outcome(["users", "export", "users.jsonl"], in: server.folder)
        #expect(written.code == .success, "\(written)")
        #expect(server.folder.mode(of: "users.jsonl") == 0o600)
        let printed = try ProgramRun.outcome(["users", "export"], in: server.folder)
        let text = try String(contentsOfFile: server.folder.file("users.jsonl"), encoding: .utf8)
        #expect(printed.output == text && text.contains(#""srp":{"pool":""#))

        let other = try HomeportProcess()
        let moved = try ProgramRun.outcome(
            ["users", "import", server.folder.file("users.jsonl")], in: other.folder)
        #expect(moved.code == .success, "\(moved)")
        #expect(try PoolClient(other).signIn("ann", Self.password)["AccessToken"] != nil)
    }

    @Test("what cannot be is said in a line, with a code of its own")
    func refusals() throws {
        let folder = TemporaryFolder()
        try folder.write("type Todo @model { id: ID! }", to: "schema.graphql")
        try folder.write("name,email\nann,a@b.c\n", to: "wrong.csv")
        let rows: [(arguments: [String], code: ExitCode, message: String)] = [
            (["export"], .unreadableInput, "homeport: there is no .homeport/data.sqlite: nothing was served"),
            (["import", "none"], .unreadableInput, "homeport: cannot read none: No such file"),
            (["import", "wrong.csv"], .failure, "homeport: wrong.csv:1: expected lines of JSON, or a row"),
            (["import", "wrong.csv", "--database", ":memory:"], .configuration, "homeport: users in memory"),
            (
                ["keys", "turn", "--database", ":memory:"], .usage,
                "homeport: users keys takes `rotate`, or nothing, not \"turn\""
            ),
        ]
        for row in rows {
            let outcome = try ProgramRun.outcome(["users"] + row.arguments, in: folder)
            #expect(outcome.code == row.code, "\(row.arguments): \(outcome)")
            #expect(outcome.diagnostics.hasPrefix(row.message), "\(row.arguments): \(outcome.diagnostics)")
        }
    }
}
