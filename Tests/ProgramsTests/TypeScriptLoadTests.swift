import GraphQL
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// What becomes of the documents that modules stand for: they can be served.
@Suite("APIs of schemas in TypeScript")
struct TypeScriptLoadTests {
    private static func check(_ schema: TypeScriptSchema) -> SchemaCheck {
        var settings = schema.settings
        if !settings.modes.contains(.userPools) { settings.additionalModes.append(.userPools) }
        return SchemaCheck(of: schema.reading(settings: settings), in: schema.sources)
    }

    /// Golden schemas that the builder lets pass and the transformer refuses.
    private static let refused = [
        "run-enums-from-constants":
            "@auth Ticket:userPools:staticGroup:Admins:cognito:groups already exists for Ticket",
        "run-graphql-string-schema": "The @default directive may only be added to scalar or enum field types.",
    ]

    @Test(
        "every golden schema can be served, unless the transformer refuses it", arguments: TypeScriptTests.goldenNames)
    func golden(name: String) throws {
        let bytes = try #require(TypeScriptTests.bytes("\(name).ts"))
        let made = Self.check(
            TypeScriptSchema.read("\(name).ts", bytes, in: ProgramSurroundings(load: TypeScriptTests.bytes)))
        if let message = Self.refused[name] {
            #expect(made.errors.first?.firstLine == message)
            return
        }
        let api = try #require(made.api, "\(made.errors.map(\.description).joined(separator: "\n"))")
        _ = try Schema(api.documentWithRoots)
    }

    @Test(
        "a module that says what the schema is says enough, and one that does not is told what is missing",
        arguments: [
            ("a.schema({ E: a.enum(['A']) })", nil), ("defineData({ schema: a.schema({ E: a.enum(['A']) }) })", nil),
            ("export const schema = a.schema({ E: a.enum(['A']) });", nil),
            ("const e = a.enum(['A']);\na.schema({ E: e });", nil),
            ("import { a as b } from '@aws-amplify/backend'; b.schema({ E: b.enum(['A']) })", nil),
            ("const schema = a.schema({ E: a.enum(['A']) });", nil),
            ("const a = 4; a.schema({})", "TypeError: a.schema is not a function"),
            ("a.schema({ E: a.enum(['A']) }); a.schema({});", "there are 2 schemas"),
            ("a.schema({ E: a.list(['A']) })", "`a` has no `list`"),
            ("b.schema({})", "ReferenceError: b is not defined"),
            ("export const one = a.schema({}), two = a.schema({});", "there are 2 schemas"),
            ("export const x = 1; a.schema({ E: a.enum(['A']) })", "there is no call of defineData"),
        ])
    func bare(text: String, message: String?) {
        let schema = read(text)
        #expect((schema.document == nil) == (message != nil))
        if let message { #expect(schema.diagnostics.first?.message.contains(message) == true, "\(schema.diagnostics)") }
    }

    @Test(
        "a function has the name that its author gave it, that of its file, or that of its folder",
        arguments: [
            ("defineFunction({ name: 'say' })", "say"), ("defineFunction({ entry: './code/shout.ts' })", "shout"),
            ("defineFunction({ entry: '' })", ""), ("defineFunction()", "data"), ("unknown", nil),
        ])
    func givenNames(function: String, name: String?) {
        let schema = read(
            "import { defineFunction } from '@aws-amplify/backend'; import { unknown } from 'elsewhere';\n"
                + "a.schema({ f: a.query().returns(a.string()).handler(a.handler.function(\(function))) })"
                + ".authorization((allow) => allow.publicApiKey())")
        #expect(schema.document != nil, "\(schema.diagnostics)")
        #expect(schema.givenNames["FnF"] == name)
    }

    @Test("a name that nobody can mean is not compared with others")
    func longNames() {
        let long = String(repeating: "n", count: 100_000)
        #expect(Suggestions.list(for: long, among: [long + "m"]).isEmpty)
        #expect(Suggestions.list(for: "nam", among: ["name"]) == ["name"])
    }
}
