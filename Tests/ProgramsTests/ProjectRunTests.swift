import Synchronization
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// Each program of a project runs once, whatever is read of it: sign-in, files, functions, the rest of `backend.ts`, and the schema.
@Suite("One run of a project's programs")
struct ProjectRunTests {
    private static let whole = [
        "amplify/auth/resource.ts": """
        import { defineAuth } from '@aws-amplify/backend';
        import { hook } from '../functions/hook/resource';
        console.log('auth');
        export const auth = defineAuth({ loginWith: { email: true }, triggers: { preSignUp: hook },
          access: (allow) => { console.log('auth rules'); return [allow.resource(hook).to(['getUser'])]; } });
        """,
        "amplify/storage/resource.ts": """
        import { defineStorage } from '@aws-amplify/backend';
        console.log('storage');
        export const storage = defineStorage({ name: 'files',
          access: (allow) => { console.log('storage rules'); return { 'a/*': [allow.authenticated.to(['read'])] }; } });
        """,
        "amplify/functions/hook/resource.ts": """
        import { defineFunction } from '@aws-amplify/backend';
        console.log('hook');
        export const hook = defineFunction({ name: 'hook' });
        """,
        "amplify/data/resource.ts": """
        import { a, defineData } from '@aws-amplify/backend';
        import { hook } from '../functions/hook/resource';
        console.log('data');
        export const data = defineData({ schema: a.schema({
          Todo: a.model({ x: a.string() }).authorization((allow) => { console.log('rules'); return [allow.owner()]; }),
          said: a.query().returns(a.string()).authorization((allow) => [allow.authenticated()])
            .handler(a.handler.function(hook)),
        }) });
        """,
        "amplify/backend.ts": """
        import { defineBackend } from '@aws-amplify/backend';
        import { Queue } from 'aws-cdk-lib/aws-sqs';
        import { auth } from './auth/resource';
        import { data } from './data/resource';
        import { storage } from './storage/resource';
        import { hook } from './functions/hook/resource';
        console.log('backend');
        const backend = defineBackend({ auth, data, storage, hook });
        new Queue(backend.createStack('own'), 'jobs', { queueName: 'jobs' });
        console.log('end');
        """,
    ]

    struct Row: CustomTestStringConvertible {
        let name: String
        /// What is written in the place of the project's own files; an empty text removes one.
        let changes: [String: String]
        let lines: Set<String>
        /// A part of the schema; nil: it is refused.
        var schema: String? = "type Todo"
        var testDescription: String { name }
    }

    private static let resources: Set = [
        "amplify/auth/resource.ts:3: auth", "amplify/storage/resource.ts:2: storage",
        "amplify/functions/hook/resource.ts:2: hook", "amplify/data/resource.ts:3: data",
        "amplify/data/resource.ts:5: rules",
    ]
    private static let rules: Set = [
        "amplify/auth/resource.ts:5: auth rules", "amplify/storage/resource.ts:4: storage rules",
    ]

    static let rows = [
        Row(
            name: "a project of all kinds of resources", changes: [:],
            lines: resources.union(rules).union(["amplify/backend.ts:7: backend", "amplify/backend.ts:10: end"])),
        Row(name: "without backend.ts", changes: ["amplify/backend.ts": ""], lines: resources.union(rules)),
        Row(
            name: "a program that fails before defineBackend",
            changes: [
                "amplify/backend.ts": "import './data/resource';\nconsole.log('backend');\nthrow new Error('x');"
            ],
            lines: resources.union(rules).union(["amplify/backend.ts:2: backend"])),
        Row(
            name: "a program that fails behind defineBackend",
            changes: [
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend';
                import { data } from './data/resource';
                console.log('backend');
                defineBackend({ data });
                nothing();
                """
            ],
            lines: [
                "amplify/data/resource.ts:3: data", "amplify/data/resource.ts:5: rules",
                "amplify/functions/hook/resource.ts:2: hook", "amplify/backend.ts:3: backend",
            ]),
        Row(
            name: "a program that gives a package something of its schema",
            changes: [
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend';
                import { change } from 'acme';
                import { data } from './data/resource';
                console.log('backend');
                change(data);
                defineBackend({ data });
                """
            ],
            lines: [
                "amplify/data/resource.ts:3: data", "amplify/data/resource.ts:5: rules",
                "amplify/functions/hook/resource.ts:2: hook", "amplify/backend.ts:4: backend",
                // The program does not lead to it, and it defines sign-in all the same.
                "amplify/auth/resource.ts:3: auth", "amplify/auth/resource.ts:5: auth rules",
            ]),
        Row(
            name: "a program that is none", changes: ["amplify/backend.ts": "console.log('backend'"],
            lines: [
                "amplify/data/resource.ts:3: data", "amplify/data/resource.ts:5: rules",
                "amplify/functions/hook/resource.ts:2: hook",
            ]),
    ]

    @Test("a line of the console comes once, with its file and line", arguments: rows)
    func lines(row: Row) throws {
        let files = Self.whole.merging(row.changes) { $1 }.filter { !$1.isEmpty }
        let said = Mutex<[String]>([])
        var surroundings = ProgramSurroundings(files)
        surroundings.console = { line in said.withLock { $0.append(line) } }
        let file = "amplify/data/resource.ts"
        let reading = Project.read(
            "amplify", schema: (file, Array((files[file] ?? "").utf8)), in: surroundings)
        let lines = said.withLock { $0 }
        #expect(Set(lines) == row.lines && lines.count == row.lines.count, "\(lines)")
        let printed = reading.schema?.document?.printed
        if let part = row.schema { #expect(printed?.contains(part) == true) } else { #expect(printed == nil) }
    }

    @Test("what is not asked for its schema runs once as well")
    func withoutSchema() {
        let said = Mutex<[String]>([])
        var surroundings = ProgramSurroundings(Self.whole)
        surroundings.console = { line in said.withLock { $0.append(line) } }
        let reading = Project.read("amplify", in: surroundings)
        #expect(reading.schema == nil && reading.hasData == true)
        #expect(said.withLock { $0.count == Set($0).count })
    }
}
