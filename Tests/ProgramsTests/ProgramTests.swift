import GraphQL
import Synchronization
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// A resource file is a program: what it does to its values is what the schema is made of, and what is not known is said.
@Suite("Resource files as programs")
struct ProgramTests {
    /// The groups that the rule of a model names, where the program leaves them in `group`.
    private static func group(after statements: String, files: [String: String] = [:]) -> String? {
        let schema = read(
            module(
                "T: a.model({ x: a.id() }).authorization((allow) => [allow.group(group)]),", before: statements),
            files: files, environment: ["STAGE": "dev", "TEAM": "red"])
        guard schema.diagnostics.isEmpty, let text = schema.document?.printed,
            let start = text.firstRange(of: "groups: [\""), let end = text[start.upperBound...].firstRange(of: "\"]")
        else { return schema.diagnostics.first?.description }
        return String(text[start.upperBound..<end.lowerBound])
    }

    @Test(
        "a variable has the value that the program gave it last, however it did",
        arguments: [
            "let group = 'x'; group = 'Admins';", "let group; group ??= 'Admins';",
            "var group = 'Adm'; group += 'ins';",
            "let group = 'x'; if (process.env.STAGE === 'dev') group = 'Admins'; else group = 'y';",
            "let group = ''; for (const part of ['Ad', 'mins']) { group += part; }",
            "let group = ''; ['Ad', 'mins'].forEach((part) => (group += part));",
            "let [other, group] = ['Admins', 'x']; [other, group] = [group, other];",
            "let group = 'x'; const change = () => { group = 'Admins'; }; change();",
            "let group; ({ name: group } = { name: 'Admins' });", "let group = 'x'; group && (group = 'Admins');",
            "let group; switch (1) { case 1: group = 'Admins'; break; default: group = 'x'; }",
            "let group = 'x'; try { throw new Error('Admins'); } catch (error) { group = error.message; }",
            "let group = 'x'; outer: for (;;) { for (;;) { group = 'Admins'; break outer; } }",
            "const list = []; (list.push('Admins'), list); const group = list[0];",
            "const groups = new Map([['a', 'Admins']]); const group = groups.get('a');",
            "class Names { static #first = 'Admins'; static get first() { return Names.#first; } } const group = Names.first;",
            "function* names() { yield 'Admins'; } const [group] = names();",
            "const group = await Promise.resolve('Admins').then((name) => name);",
            "enum Team { Red = 'Admins' } const group = Team.Red;",
            "namespace Teams { export const red = 'Admins'; } const group = Teams.red;",
            "process.env.GROUP = 'Admins'; const group = process.env.GROUP;",
            "const group = 'ADMINS'.replace(/(?<first>.)(.*)/, (all, first, rest) => first + rest.toLowerCase());",
            "const group = JSON.parse('{\"g\":\"Admins\"}').g;", "const group = 'Admins,x'.split(',', 1).join('');",
            "const group = ['x', 'Admins'].sort().at(0);",

        ])
    func assigned(statements: String) {
        #expect(Self.group(after: statements) == "Admins")
    }

    @Test("a rule that a called function gives a model is there")
    func rulesInFunctions() {
        let schema = read(
            """
            import { a, defineData } from '@aws-amplify/backend';
            const models = { One: a.model({ x: a.id() }), Two: a.model({ x: a.id() }) };
            function close() { for (const model of Object.values(models)) model.authorization((allow) => allow.owner()); }
            close();
            const schema = a.schema(models).authorization((allow) => allow.publicApiKey());
            export const data = defineData({ schema });
            """)
        #expect(schema.diagnostics.isEmpty)
        #expect(schema.document?.printed.contains("allow: public") == false)
        #expect(schema.document?.printed.ranges(of: "allow: owner").count == 2)
    }

    @Test(
        "modules of other packages stop nothing but who needs a value of theirs",
        arguments: [
            ("import { group } from 'elsewhere';", "the value of group of \"elsewhere\""),
            ("import team from 'elsewhere'; const group = team.of('x').name;", "import(\"elsewhere\").of().name"),
            ("import * as all from 'elsewhere'; const group = new all.Team().name;", "new \"elsewhere\".Team().name"),
            ("import { x } from 'elsewhere'; const group = `a${x}`;", "`a${x}` of \"elsewhere\""),
            (
                "import { x } from 'elsewhere'; const group = x ? 'a' : 'b';",
                "x of \"elsewhere\" is needed as a condition"
            ),
            ("import { x } from 'elsewhere'; x.y = new x.Z(x); const group = 'Admins';", "Admins"),
            ("import { group } from './nowhere';", "data/resource.ts:2:23: error: there is no such module"),
            ("import 'elsewhere'; const group = 'Admins';", "Admins"),
            ("const { group } = await import('./nowhere');", "Cannot find module './nowhere'"),
            ("import { group } from '../../other/group';", "lies outside of the project /project"),
        ])
    func opaque(statements: String, expected: String) {
        #expect(Self.group(after: statements)?.contains(expected) == true, "\(Self.group(after: statements) ?? "")")
    }

    @Test(
        "what is known only when the app is deployed is refused wherever the schema needs it",
        arguments: [
            "defineData({ schema, name: x })", "defineData({ schema: x })", "defineData(x)",
            "defineData({ schema, authorizationModes: x })",
            "defineData({ schema, authorizationModes: { defaultAuthorizationMode: x } })",
            "defineData({ schema, ...x })", "defineData({ schema: { schemas: [x] } })",
            "defineData({ schema: a.schema({ E: a.enum([x]) }) })",
            "defineData({ schema: a.schema({ E: a.enum(x) }) })",
            "defineData({ schema: a.schema({ [x]: a.enum(['A']) }) })",
            "defineData({ schema: a.schema({ M: a.model({ f: a.string().default(x) }).authorization((allow) => allow.owner()) }) })",
            "defineData({ schema: a.schema({ M: a.model({ f: x }).authorization((allow) => allow.owner()) }) })",
            "defineData({ schema: a.schema({ M: a.model({ f: a.id() }).authorization((allow) => x) }) })",
            "defineData({ schema: a.schema({ M: a.model({ f: a.id() }).authorization((allow) => [allow.owner(), ...x]) }) })",
            "defineData({ schema: a.schema({ M: a.model({ f: a.id() }).identifier([x]).authorization((allow) => allow.owner()) }) })",
            """
            defineData({ schema: a.schema({ q: a.query().returns(a.id()).authorization((allow) => allow.publicApiKey())
              .handler(a.handler.custom({ entry: './q.js', dataSource: x })) }) })
            """,
            """
            defineData({ schema: a.schema({ q: a.query().returns(a.id()).authorization((allow) => allow.publicApiKey())
              .handler(a.handler.custom({ entry: x })) }) })
            """,
            "defineData({ schema: a.schema({ c: a.conversation({ aiModel: a.ai.model('Claude 3 Haiku'), systemPrompt: x }).authorization((allow) => allow.owner()) }) })",
            "defineData({ schema: a.schema({ c: a.conversation({ aiModel: x, systemPrompt: 'y' }).authorization((allow) => allow.owner()) }) })",
            "defineData({ schema: a.schema({ E: a.enum(Object.defineProperty([], 0, { get() { return x; } })) }) })",
        ])
    func needed(data: String) {
        let schema = read(
            """
            import { a, defineData } from '@aws-amplify/backend';
            import { x } from 'elsewhere';
            const schema = a.schema({ E: a.enum(['A']) });
            export const data = \(data);
            """)
        #expect(schema.document == nil)
        #expect(schema.diagnostics.first?.message.contains("x of \"elsewhere\"") == true, "\(schema.diagnostics)")
    }

    @Test(
        "getters that fail, and members of the wrong kind, are errors of the file",
        arguments: [
            ("defineData({ schema, get name() { throw new Error('no name'); } })", "Error: no name"),
            ("defineData({ schema, name: 5 })", "`defineData` takes a text as `name`, found 5"),
            ("defineData({ schema, name: 'a\\ud800' })", "the text has half of a surrogate pair"),
            ("defineData({ schema, name: (async () => 'a')() })", "found a promise, which `await` has not waited for"),
            ("defineData({ get schema() { return null.x; } })", "TypeError: Cannot read properties of null"),
            ("defineData({ schema, get authorizationModes() { for (;;); } })", "too many steps"),
        ])
    func getters(data: String, message: String) {
        let schema = read(
            """
            import { a, defineData } from '@aws-amplify/backend';
            const schema = a.schema({ E: a.enum(['A']) });
            export const data = \(data);
            """)
        #expect(schema.document == nil)
        #expect(schema.diagnostics.first?.message.contains(message) == true, "\(schema.diagnostics)")
        #expect(schema.diagnostics.first?.location?.line == 3)
    }

    @Test(
        "a program finds the project around it, and nothing else",
        arguments: [
            ("process.cwd()", "/project"), ("process.platform", "linux"), ("process.argv.length.toString()", "2"),
            ("process.argv[1]", "/project/data/resource.ts"), ("Object.keys(process.env).sort().join()", "STAGE,TEAM"),
            ("import.meta.url", "file:///project/data/resource.ts"), ("import.meta.dirname", "/project/data"),
            ("import.meta.filename", "/project/data/resource.ts"),
            ("path.join(path.dirname(fileURLToPath(import.meta.url)), '../x')", "/project/x"),
            ("fs.readFileSync(new URL('./group.txt', import.meta.url), 'utf8').trim()", "Admins"),
            ("fs.readFileSync('data/group.txt', 'utf8').trim()", "Admins"),
            ("String(fs.existsSync('data/none'))", "false"), ("json.group", "Admins"), ("named", "Admins"),
            ("plain", "Admins"), ("String(typeof nobody)", "undefined"),
        ])
    func surroundings(expression: String, expected: String) {
        let imports = """
            import * as path from 'node:path'; import fs from 'fs'; import { fileURLToPath } from 'url'; \
            import json, { named } from './group.json'; import { plain } from './plain.js'; const group = \(expression);
            """
        let files = [
            "/project/data/group.txt": "Admins\n", "data/group.json": "{\"group\":\"Admins\",\"named\":\"Admins\"}",
            "data/plain.js": "export const plain = 'Admins';",
        ]
        #expect(Self.group(after: imports, files: files) == expected)
    }

    @Test("a file outside of the project is not read")
    func outside() {
        let group = Self.group(
            after: "import fs from 'node:fs'; const group = fs.readFileSync('/etc/passwd', 'utf8');",
            files: ["/etc/passwd": "root"])
        #expect(group?.contains("/etc/passwd lies outside of the project /project") == true, "\(group ?? "")")
        #expect(
            Self.group(
                after: "import { group } from '../../etc/x';", files: ["../etc/x.ts": "export const group = 'Admins'"])?
                .contains("lies outside of the project") == true)
    }

    @Test(
        "the project is the repository, the folder that holds amplify, the one with a package.json, or that of the file",
        arguments: [
            ("/w/app/amplify/data/resource.ts", [], "/w/app", "/w/app"),
            ("/w/app/amplify/data/resource.ts", ["/w/.git", "/w/app/package.json"], "/w", "/w/app"),
            ("/w/app/backend/data/resource.ts", ["/w/app/package.json"], "/w/app", "/w/app"),
            ("/w/data/resource.ts", [], "/w", "/w"), ("/w/schema/resource.ts", [], "/w/schema", "/w/schema"),
            ("resource.ts", [], "/here", "/here"), ("amplify/data/resource.ts", ["/.git"], "/", "/here"),
        ])
    func project(file: String, there: [String], root: String, folder: String) {
        let surroundings = ProgramSurroundings(currentFolder: "/here", exists: { there.contains($0) })
        let project = ProjectFolder(of: file, surroundings)
        #expect(project.root == root)
        #expect(project.workingDirectory == folder)
    }

    @Test("the console's lines go where the surroundings say, up to a limit")
    func console() {
        let lines = Mutex<[String]>([])
        let text = module(
            "E: a.enum(['A']),", before: "for (let i = 0; i < 1005; i++) console.log('line', i);")
        _ = TypeScriptSchema.read(
            "data/resource.ts", Array(text.utf8),
            in: ProgramSurroundings(console: { line in lines.withLock { $0.append(line) } }))
        #expect(lines.withLock { $0.first } == "data/resource.ts:2: line 0")
        #expect(lines.withLock { $0.count } == 1_001)
        #expect(lines.withLock { $0.last } == "(more than 1000 lines: the rest is left out)")
    }
}
