import Foundation
import GraphQL
import Testing
import TestSupport

@testable import Blueprint
@testable import Programs
@testable import Project

/// A module whose schema holds what stands in it, between the usual first and last lines.
func module(_ entries: String, before: String = "") -> String {
    """
    import { a, defineData, defineFunction } from '@aws-amplify/backend';
    \(before)
    const schema = a.schema({
    \(entries)
    });
    export const data = defineData({ schema });
    """
}

func read(
    _ text: String, limits: TypeScriptLimits = .standard, files: [String: String] = [:],
    environment: [String: String] = [:]
) -> TypeScriptSchema {
    TypeScriptSchema.read(
        "data/resource.ts", Array(text.utf8),
        in: ProgramSurroundings(
            currentFolder: "/project", environment: environment, load: { files[$0].map { Array($0.utf8) } }),
        limits: limits)
}

/// A schema as a project's one run gives it. A run for the schema alone has to give the same, in the same words.
func readInProject(
    _ files: [String: String], file: String = "amplify/data/resource.ts", environment: [String: String] = [:],
    at location: Testing.SourceLocation = #_sourceLocation
) throws -> TypeScriptSchema {
    var surroundings = ProgramSurroundings(files)
    surroundings.environment = environment
    let bytes = Array((files[file] ?? "").utf8)
    let folder = ProgramFiles.join(ProgramFiles.folder(of: file), "..")
    let schema = try #require(Project.read(folder, schema: (file, bytes), in: surroundings).schema)
    let alone = TypeScriptSchema.read(
        file, bytes, backend: Project.backendFile(in: folder, surroundings), in: surroundings)
    func said(_ schema: TypeScriptSchema) -> [String] {
        [schema.document?.printed ?? ""] + schema.diagnostics.map(\.description) + schema.warnings.map(\.description)
            + schema.missingFiles.map(\.description) + schema.settings.modes.map(\.rawValue)
            + schema.functionGrants.map { "\($0)" }.sorted() + schema.givenNames.map { "\($0)" }.sorted()
    }
    #expect(said(schema) == said(alone), sourceLocation: location)
    #expect(schema.isLeftOut == alone.isLeftOut, sourceLocation: location)
    return schema
}

@Suite("Schemas in TypeScript")
struct TypeScriptTests {
    /// The room Blueprint has the golden cases: it reads what these programs stand for.
    static let folder = URL(filePath: repositoryFile("Tests/BlueprintTests/Golden/gen2"))
    static let goldenNames: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".ts") }.map { String($0.dropLast(3)) }.sorted()
    }()

    static func bytes(_ name: String) -> [UInt8]? {
        (try? Data(contentsOf: folder.appending(path: name))).map { Array($0) }
    }

    @Test("the golden cases are there")
    func goldenCases() { #expect(Self.goldenNames.count > 20) }

    @Test("a schema stands for the document that Amplify's builder makes of it", arguments: goldenNames)
    func document(name: String) throws {
        let schema = TypeScriptSchema.read(
            "\(name).ts", try #require(Self.bytes("\(name).ts")), in: ProgramSurroundings(load: { Self.bytes($0) }))
        #expect(schema.diagnostics.isEmpty)
        let expected = try Document(parsing: Source(try #require(Self.bytes("\(name).graphql"))), limits: .schema)
        let document = try #require(schema.document)
        #expect(document.printed == expected.printed)
        let text = String(decoding: try #require(Self.bytes("\(name).ts")), as: UTF8.self)
        _ = try readInProject(["amplify/data/resource.ts": text])
    }

    @Test(
        "a field is what was called on it",
        arguments: [
            ("a.string()", "String"), ("a.string().required()", "String!"), ("a.string().array()", "[String]"),
            ("a.string().array().required()", "[String]!"), ("a.string().required().array()", "[String!]"),
            ("a.string().required().array().required()", "[String!]!"), ("a.id()", "ID"), ("a.integer()", "Int"),
            ("a.float()", "Float"), ("a.boolean()", "Boolean"), ("a.date()", "AWSDate"), ("a.time()", "AWSTime"),
            ("a.datetime()", "AWSDateTime"), ("a.timestamp()", "AWSTimestamp"), ("a.email()", "AWSEmail"),
            ("a.json()", "AWSJSON"), ("a.phone()", "AWSPhone"), ("a.url()", "AWSURL"),
            ("a.ipAddress()", "AWSIPAddress"), ("a.enum(['A'])", "TF"), ("a.customType({ x: a.id() })", "TF"),
            ("a.string().default('x')", "String @default(value: \"x\")"),
            ("a.float().default(1e21)", "Float @default(value: \"1e+21\")"),
            ("a.integer().default(0x10)", "Int @default(value: \"16\")"),
            (
                "a.string().validate((v) => v.minLength(2, 'm'))",
                "String @validate(type: minLength, value: \"2\", errorMessage: \"m\")"
            ),
            ("a.string().validate((v) => v.matches('\\\\\\\\d'))", "String @validate(type: matches, value: \"\\\\d\")"),
            (
                "a.string().authorization((allow) => allow.owner().to(['read']))",
                "String @auth(rules: [{allow: owner, operations: [read], ownerField: \"owner\"}])"
            ),
        ])
    func field(text: String, expected: String) throws {
        let schema = read(module("T: a.model({ f: \(text) }).authorization((allow) => allow.publicApiKey()),"))
        #expect(schema.diagnostics.isEmpty)
        let wanted = try Document(parsing: Source("type T { f: \(expected) }"), limits: .schema)
        guard case .type(.object(let type))? = schema.document?.definitions.first,
            case .type(.object(let other))? = wanted.definitions.first
        else {
            Issue.record("no type")
            return
        }
        #expect(type.fields == other.fields)
    }

    @Test(
        "constants are evaluated as JavaScript does",
        arguments: [
            ("60 * 60 * 24", "86400"), ("1_000", "1000"), ("1 / 3", "0.3333333333333333"), ("10.50", "10.5"),
            ("1e-7", "1e-7"), ("0.000001", "0.000001"), ("-0", "0"), ("`a${1 + 1}b`", "a2b"), ("'a' + 1", "a1"),
            ("true ? 'y' : 'n'", "y"), ("null ?? 'd'", "d"), ("'' || 'd'", "d"), ("1 && 'd'", "d"),
            ("({ a: { b: 'x' } }).a.b", "x"), ("({ a: 1 })['a']", "1"), ("[1, 2, 3].length", "3"),
            ("['a', 'b'].map((x) => x.toUpperCase()).join('-')", "A-B"), ("'a,b'.split(',')[1]", "b"),
            ("Object.keys({ x: 1, y: 2 }).join('')", "xy"), ("Object.values({ x: 1, y: 2 }).join('')", "12"),
            ("Object.entries({ x: 1 }).flat().join('')", "x1"), ("[...[1], 2].concat([3]).slice(1).join('')", "23"),
            ("((x: number = 4): number => x * 2)()", "8"), ("(function (x) { const y = x; return y; })(5)", "5"),
            ("'abc'.slice(-2)", "bc"), ("'x'.startsWith('x') ? 1 : 2", "1"), ("typeof 'x'", "string"),
            ("process.env.STAGE ?? 'none'", "dev"), ("process.env.OTHER ?? 'none'", "none"), ("Number('4') + 1", "5"),
            ("({ get x() { return 'g'; } }).x", "g"), ("(undefined as any)?.x?.y ?? 'short'", "short"),
            ("'\\x41\\u0042\\u{43}'", "ABC"), ("<string>'t'", "t"), ("('s' satisfies string)!", "s"),
            ("[1, 2, 3].filter((x) => x > 1).reduce((x, y) => x + y)", "5"), ("parseInt('12px')", "12"),
        ])
    func constant(text: String, expected: String) throws {
        let schema = read(
            module("T: a.model({ f: a.string().default(\(text)) }).authorization((allow) => allow.publicApiKey()),"),
            environment: ["STAGE": "dev"])
        #expect(schema.diagnostics.isEmpty)
        guard case .type(.object(let type))? = schema.document?.definitions.first else {
            Issue.record("no type")
            return
        }
        #expect(type.fields.first?.directives.first?.argument("value") == .string(StringValue(expected)))
    }

    @Test("schemas spread over modules come together, and cycles of modules do no harm")
    func modules() {
        let schema = read(
            """
            import { a, defineData } from '@aws-amplify/backend';
            import * as models from './models';
            import { Extra } from '@/extra';
            export const GROUP = 'Admins';
            export default defineData({ schema: a.schema({ ...models, Extra }) });
            """,
            files: [
                "data/models/index.ts": "export * from './tag'; export { Note as Memo } from './note.js';",
                "data/models/tag.ts": """
                import { a } from '@aws-amplify/data-schema';
                import { GROUP } from '../resource';
                export const Tag = a.model({ x: a.id() }).authorization((allow) => [allow.publicApiKey()]);
                export const later = () => GROUP;
                """,
                "data/models/note.ts": """
                import { a } from '@aws-amplify/backend';
                export const Note = a.customType({ y: a.id() });
                """,
                "tsconfig.json": "{ \"compilerOptions\": { /* c */ \"paths\": { \"@/*\": [\"./data/src/*\"], } } }",
                "data/src/extra.ts": "import { a } from '@aws-amplify/backend'; export const Extra = a.enum(['E']);",
            ])
        // `later` is no entry of a schema.
        #expect(
            schema.diagnostics.map(\.message) == ["\"later\" is a function, and not a model, type, enum or operation"])
    }

    @Test(
        "aliases of modules are found in each tsconfig.json from the nearest outwards, and in what those extend",
        arguments: [
            [
                "data/tsconfig.json": #"{"compilerOptions": {"paths": {"$amplify/*": ["../generated/*"]}}}"#,
                "tsconfig.json": #"{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}"#,
            ], ["data/tsconfig.json": #"{"extends": "../tsconfig.base"}"#],
            ["data/tsconfig.json": #"{"extends": ["../other.json", "../tsconfig.base.json"]}"#, "other.json": "{}"],
            [
                "data/tsconfig.json": #"{"extends": "./tsconfig.json"}"#,
                "tsconfig.json": #"{"extends": "./tsconfig.base"}"#,
            ],
        ] as [[String: String]])
    func aliases(configurations: [String: String]) {
        let schema = read(
            """
            import { a, defineData } from '@aws-amplify/backend';
            import { Extra } from '@/extra';
            export const data = defineData({ schema: a.schema({ Extra }) });
            """,
            files: configurations.merging(
                [
                    "tsconfig.base.json": #"{"compilerOptions": {"baseUrl": "src", "paths": {"@/*": ["./*"]}}}"#,
                    "src/extra.ts": "import { a } from '@aws-amplify/backend'; export const Extra = a.enum(['E']);",
                ], uniquingKeysWith: { first, _ in first }))
        #expect(schema.diagnostics.isEmpty, "\(schema.diagnostics)")
    }

    @Test("the modes are those of defineData, and an API key alone when it says none")
    func modes() {
        let model = "T: a.model({ x: a.id() }).authorization((allow) => [allow.owner()]),"
        let text = module(model)
        #expect(read(text).settings.modes == [.apiKey, .iam])
        #expect(read(text, files: ["auth/resource.ts": ""]).settings.modes == [.userPools, .iam])
        let given = text.replacingOccurrences(
            of: "{ schema }",
            with: """
                { schema, authorizationModes: { defaultAuthorizationMode: 'oidc', apiKeyAuthorizationMode: {}, \
                oidcAuthorizationMode: {}, lambdaAuthorizationMode: {} } }
                """)
        #expect(read(given).settings.modes == [.oidc, .apiKey, .lambda, .iam])
    }

    @Test("what the transformer refuses is said where it stands in the TypeScript")
    func reading() {
        let schema = read(module("  T: a.model({ x: a.id() }).authorization((allow) => [allow.owner()]),"))
        let diagnostics = schema.reading().diagnostics
        #expect(diagnostics.first?.location == SourceLocation(line: 4, column: 3))
        #expect(diagnostics.first?.file == "data/resource.ts")
        var settings = schema.settings
        settings.additionalModes.append(.userPools)
        #expect(schema.reading(settings: settings).blueprint?.models.map(\.name) == ["T"])
    }

    @Test("a schema in SDL keeps its places in the TypeScript, and its sandbox rule")
    func text() {
        let schema = read(
            """
            import { defineData } from '@aws-amplify/backend';
            const schema = /* GraphQL */ `
              input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }
              type T @model { id: ID! x: Zed }
            `;
            export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'apiKey' } });
            """)
        let diagnostics = schema.reading().diagnostics
        #expect(diagnostics.first?.message.hasPrefix("Unknown type \"Zed\"") == true)
        #expect(diagnostics.first?.location == SourceLocation(line: 4, column: 30))
        let good = read(
            "import { defineData } from '@aws-amplify/backend'; export const data = defineData({ schema: "
                + "`input AMPLIFY { globalAuthRule: AuthRule = { allow: public } } type T @model { id: ID! }`, "
                + "authorizationModes: { defaultAuthorizationMode: 'apiKey' } });")
        #expect(good.reading().blueprint?.isSandbox == true)
    }

    @Test("the relations of a join model lead both ways")
    func relations() {
        let entries = """
            Post: a.model({ title: a.string(), tags: a.hasMany('PostTag', 'postId') }),
            Tag: a.model({ name: a.string(), posts: a.hasMany('PostTag', 'tagId') }),
            PostTag: a.model({
              postId: a.id().required(), tagId: a.id().required(),
              post: a.belongsTo('Post', 'postId'), tag: a.belongsTo('Tag', 'tagId'),
            }),
            """
        let rules = "}).authorization((allow) => allow.publicApiKey());\nexport"
        let schema = read(module(entries).replacing("});\nexport", with: rules))
        let reading = schema.reading()
        #expect(reading.errors.isEmpty, "\(reading.errors)")
        #expect(reading.blueprint?.models.map { $0.relations.count } == [1, 1, 2])
    }

    @Test("an operation with steps in JavaScript is there, and says what would compute it")
    func scripts() {
        let schema = read(
            module(
                """
                echo: a.query().returns(a.string()).authorization((allow) => allow.publicApiKey())
                  .handler([a.handler.custom({ entry: './one.js' }),
                            a.handler.custom({ entry: './two.js', dataSource: 'Table' })]),
                """))
        let field = schema.reading().blueprint?.customOperations(.query).first
        guard case .scripts(let steps)? = field?.resolver else {
            Issue.record("\(String(describing: field?.resolver))")
            return
        }
        #expect(steps.map(\.entry) == ["./one.js", "./two.js"] && steps.map(\.dataSource) == ["NONE_DS", "Table"])
        #expect(steps.allSatisfy { $0.typeName == "Query" && $0.fieldName == "echo" })
    }
}
