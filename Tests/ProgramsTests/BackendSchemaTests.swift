import GraphQL
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// The schema of a project is that of the data which `amplify/backend.ts` gives `defineBackend`, after all that ran before.
@Suite("Schemas of projects with a backend.ts")
struct BackendSchemaTests {
    private static let data = """
        import { a, defineData } from '@aws-amplify/backend';
        export const schema = a.schema({
          Todo: a.model({ x: a.string() })
            .authorization((allow) => [process.env.MODE === 'private' ? allow.owner() : allow.publicApiKey()]),
        });
        export const data = defineData({ schema });
        """

    private static func schema(_ backend: String, _ others: [String: String] = [:]) throws -> TypeScriptSchema {
        var files = [
            "/app/amplify/data/resource.ts": data,
            "/app/amplify/auth/resource.ts":
                "import { defineAuth } from '@aws-amplify/backend'; export const auth = defineAuth({ loginWith: { email: true } });",
            "/app/amplify/backend.ts": backend,
        ]
        for (name, text) in others { files["/app/amplify/" + name] = text }
        return try readInProject(files, file: "/app/amplify/data/resource.ts")
    }

    private static let imports = """
        import { defineBackend } from '@aws-amplify/backend';
        import { auth } from './auth/resource';
        import { data, schema } from './data/resource';

        """

    @Test(
        "what the program does before defineBackend counts, and what it does after does not",
        arguments: [
            // What is imported first runs first.
            ("import './env';\n" + imports + "defineBackend({ auth, data });", "owner"),
            (imports + "import './env';\ndefineBackend({ auth, data });", "public"),
            (
                "import { defineBackend } from '@aws-amplify/backend'; process.env.MODE = 'private';\n"
                    + "const { data } = await import('./data/resource'); defineBackend({ data });", "owner"
            ),
            (
                imports + "schema.models.Todo.authorization((allow) => [allow.group('Staff')]);\n"
                    + "defineBackend({ auth, data });", "groups: [\"Staff\"]"
            ),
            (
                imports + "defineBackend({ auth, data });\n"
                    + "schema.models.Todo.authorization((allow) => [allow.group('Staff')]);", "public"
            ),
            // What a deployment does behind it is no part of the schema.
            (
                imports + "import { Stack } from 'aws-cdk-lib';\nconst backend = defineBackend({ auth, data });\n"
                    + "if (backend.auth.resources.userPool.userPoolId === 'x') throw new Error('y');", "public"
            ),
            (imports + "const resources = { auth, data };\ndefineBackend({ ...resources });", "public"),
        ])
    func counts(backend: String, expected: String) throws {
        let schema = try Self.schema(backend, ["env.ts": "process.env.MODE ??= 'private';\nexport {};"])
        #expect(schema.document?.printed.contains(expected) == true, "\(schema.diagnostics)")
        #expect(schema.warnings.isEmpty, "\(schema.warnings)")
        #expect(schema.files.first == "/app/amplify/data/resource.ts")
    }

    @Test("a schema that a function makes in backend.ts is served, with rules that are added there")
    func made() throws {
        let schema = try Self.schema(
            """
            import { defineBackend } from '@aws-amplify/backend';
            import { makeData, models } from './data/resource';
            models.Extra = models.make('Extra');
            defineBackend({ data: makeData('Staff') });
            """,
            [
                "data/resource.ts": """
                import { a, defineData } from '@aws-amplify/backend';
                export const models: any = { make: () => a.model({ x: a.id() }) };
                export function makeData(group: string) {
                  const { make, ...all } = models;
                  return defineData({ schema: a.schema(all).authorization((allow) => [allow.group(group)]) });
                }
                """
            ])
        #expect(schema.document?.printed.contains("type Extra @model @auth") == true, "\(schema.diagnostics)")
        #expect(schema.document?.printed.contains("groups: [\"Staff\"]") == true)
    }

    @Test("without data in defineBackend there is no API")
    func leftOut() throws {
        for backend in ["defineBackend({ auth });", "defineBackend({});"] {
            let schema = try Self.schema(Self.imports + backend)
            #expect(schema.isLeftOut && schema.document == nil)
            #expect(schema.diagnostics.first?.message.contains("deploys no API") == true)
        }
        #expect(try !Self.schema(Self.imports + "defineBackend({ auth, data });").isLeftOut)
    }

    @Test("where the data comes from a package the project is refused")
    func opaque() throws {
        let schema = try Self.schema(
            "import { defineBackend } from '@aws-amplify/backend';\nimport { data } from 'elsewhere';\ndefineBackend({ data });"
        )
        #expect(schema.document == nil && !schema.isLeftOut)
        #expect(schema.diagnostics.first?.message.contains("data of \"elsewhere\"") == true, "\(schema.diagnostics)")
        #expect(schema.diagnostics.first?.location?.line == 3)
    }

    @Test(
        "where the program does not come to defineBackend, the schema is that of its own file, and a warning says so",
        arguments: [
            (imports, "does not come to defineBackend"),
            (
                imports + "import { x } from 'elsewhere';\nif (x) console.log();\ndefineBackend({ data });",
                "x of \"elsewhere\""
            ),
            (imports + "throw new Error('broken');\ndefineBackend({ data });", "Error: broken"),
        ])
    func alone(backend: String, message: String) throws {
        let schema = try Self.schema(backend)
        #expect(schema.document?.printed.contains("public") == true, "\(schema.diagnostics)")
        #expect(schema.warnings.first?.message.contains(message) == true, "\(schema.warnings)")
        #expect(schema.warnings.first?.file == "/app/amplify/backend.ts")
    }

    @Test("where it changed the schema before that, the project is refused, with the place")
    func changed() throws {
        for change in [
            "process.env.MODE = 'private';", "schema.models.Todo.authorization((allow) => [allow.owner()]);",
        ] {
            let schema = try Self.schema(
                "import './env';\n" + Self.imports + change + "\nthrow new Error('broken');\ndefineBackend({ data });",
                ["env.ts": change.hasPrefix("process") ? change + " export {};" : "export {};"])
            #expect(schema.document == nil)
            #expect(schema.diagnostics.first?.message.contains("Error: broken") == true, "\(schema.diagnostics)")
            #expect(schema.diagnostics.first?.location?.line == 6)
        }
    }

    @Test("data that another file defines is refused, in Amplify's words")
    func elsewhere() throws {
        let schema = try Self.schema(
            "import { defineBackend } from '@aws-amplify/backend';\nimport { data } from './api/resource';\ndefineBackend({ data });",
            ["api/resource.ts": Self.data])
        #expect(schema.diagnostics.first?.message == "Amplify Data must be defined in amplify/data/resource.ts")
        #expect(schema.diagnostics.first?.file == "/app/amplify/api/resource.ts")
    }

    @Test("what is wrong with the schema is said at its place")
    func places() throws {
        let schema = try Self.schema(
            Self.imports + "schema.models.Todo.authorization((allow) => [allow.groups([4])]);\ndefineBackend({ data });"
        )
        #expect(schema.diagnostics.first?.file == "/app/amplify/backend.ts", "\(schema.diagnostics)")
        #expect(schema.diagnostics.first?.location?.line == 4)
        let twice = try Self.schema(
            Self.imports
                + "import { defineData } from '@aws-amplify/backend';\nconst other = defineData({ schema });\ndefineBackend({ data });"
        )
        #expect(twice.diagnostics.first?.message.hasPrefix("Multiple `defineData` calls") == true)
    }
}
