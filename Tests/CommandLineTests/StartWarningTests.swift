import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// What `homeport check` and a start say of a project that would serve nobody.
@Suite("Warnings at check and at a start")
struct StartWarningTests {
    /// A schema and what both say of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let schema: String
        let said: String
        var testDescription: String { said }
    }

    static let rows = [
        Row(
            schema: "type Post @model { id: ID! }\ntype Comment @model { id: ID! }",
            said: "schema.graphql:1:6: warning: nobody may call Post and Comment: they have no @auth rules that admit "
                + "anybody"),
        Row(
            schema: "type Post { id: ID! }\ntype Query { post: Post }",
            said: "schema.graphql:1:6: warning: no type has @model, so nothing is stored"),
    ]

    @Test("are said before the first request, with the way out", arguments: rows)
    func areSaid(_ row: Row) throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(schema: row.schema, in: folder)
        #expect(server.log.contains(row.said) && server.log.contains("\n  hint: "), "\(server.log)")
        let checked = try ProgramRun.outcome(["check"], in: folder)
        #expect(checked.code == .success && checked.output.hasSuffix("no errors\n"))
        #expect(checked.diagnostics.contains(row.said) && checked.diagnostics.contains("\n  hint: "))
    }

    @Test("a check refuses what a start refuses, in the same words")
    func refused() throws {
        let folder = TemporaryFolder()
        let words = "error: AppSync would refuse the API of this schema: Query root type must be provided."
        try folder.write("type Post { title: String }", to: "schema.graphql")
        for command in ["check", "serve"] {
            let outcome = try ProgramRun.outcome(
                [command] + (command == "serve" ? ["--port", "0", "--database", ":memory:"] : []), in: folder)
            #expect(outcome.code == .failure)
            #expect(outcome.diagnostics.contains(words), "\(outcome.diagnostics)")
            #expect(outcome.diagnostics.contains("no type has @model"), "\(outcome.diagnostics)")
        }
    }

    @Test(
        "advise in TypeScript who writes TypeScript",
        arguments: [
            (
                "Todo: a.model({ text: a.string() }).authorization((allow) => [allow.owner()])",
                "owner: a.string().authorization((allow) => [allow.owner().to(['create', 'read', 'delete'])])"
            ), ("Note: a.customType({ text: a.string() })", "Todo: a.model({ name: a.string() })"),
        ])
    func advisesInTypeScript(schema: String, advice: String) throws {
        let folder = TemporaryFolder()
        try folder.write(
            "import { defineAuth } from '@aws-amplify/backend';\n"
                + "export const auth = defineAuth({ loginWith: { email: true } });\n", to: "amplify/auth/resource.ts")
        try folder.write(
            "import { a, defineData } from '@aws-amplify/backend';\n"
                + "export const data = defineData({ schema: a.schema({ \(schema) }) });\n",
            to: "amplify/data/resource.ts")
        let said = try ProgramRun.outcome(["check"], in: folder).diagnostics
        #expect(said.contains("amplify/data/resource.ts:2:") && said.contains(advice), "\(said)")
        #expect(!said.contains("@auth") && !said.contains("@model"), "\(said)")
    }

    @Test("there is nothing to be said of the samples", arguments: ["blog", "music", "shop"])
    func samples(name: String) {
        let path = repositoryFile("schema/\(name).graphql")
        let outcome = run(["check", "--schema", path])
        #expect(outcome.code == .success)
        #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics)")
    }
}
