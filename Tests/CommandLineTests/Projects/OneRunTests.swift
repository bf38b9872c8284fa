import TestSupport
import Testing

@testable import Server

/// The programs of a project run once for each command, each start and each change: their consoles say so.
@Suite("A project's programs")
struct OneRunTests {
    private static let files = [
        "amplify/backend.ts": """
        import { defineBackend } from '@aws-amplify/backend';
        import { Queue } from 'aws-cdk-lib/aws-sqs';
        import { auth } from './auth/resource';
        import { data } from './data/resource';
        import { storage } from './storage/resource';
        import { greet } from './functions/greet/resource';
        console.log('runs');
        const backend = defineBackend({ auth, data, storage, greet });
        new Queue(backend.createStack('own'), 'jobs', { queueName: 'jobs' });
        """,
        "amplify/auth/resource.ts": """
        import { defineAuth } from '@aws-amplify/backend';
        console.log('runs');
        export const auth = defineAuth({ loginWith: { email: true } });
        """,
        "amplify/data/resource.ts": data("Todo"),
        "amplify/storage/resource.ts": """
        import { defineStorage } from '@aws-amplify/backend';
        console.log('runs');
        export const storage = defineStorage({ name: 'files' });
        """,
        "amplify/functions/greet/resource.ts": """
        import { defineFunction } from '@aws-amplify/backend';
        console.log('runs');
        export const greet = defineFunction({ name: 'greet' });
        """,
        "amplify/functions/greet/handler.ts": "export const handler = async () => 'hello';",
    ]

    private static func data(_ model: String) -> String {
        """
        import { a, defineData } from '@aws-amplify/backend';
        console.log('runs');
        export const data = defineData({ schema: a.schema({
          \(model): a.model({ x: a.string() }).authorization((allow) => [allow.owner()]) }) });
        """
    }

    private static let lines = [
        "amplify/auth/resource.ts:2: runs", "amplify/data/resource.ts:2: runs", "amplify/storage/resource.ts:2: runs",
        "amplify/functions/greet/resource.ts:2: runs", "amplify/backend.ts:7: runs",
    ]

    private static func project() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return folder
    }

    @Test(
        "run once for a command",
        arguments: [
            ["check"], ["outputs"], ["schema"], ["schema", "--amplify"], ["serve", "--print-config"],
            ["token", "--username", "ann"],
        ])
    func commands(arguments: [String]) throws {
        let outcome = try ProgramRun.outcome(arguments, in: Self.project())
        let said = outcome.diagnostics.split(separator: "\n").map(String.init).filter { $0.hasSuffix(": runs") }
        #expect(said.sorted() == Self.lines.sorted(), "\(outcome.diagnostics)")
    }

    @Test("run once for a start, and once for each change that a server follows")
    func server() throws {
        let server = try HomeportProcess(["--watch"], schema: nil, in: try Self.project())
        defer { server.signal(9) }
        #expect(Self.lines.allSatisfy { server.logCount(of: $0) == 1 }, "\(server.log)")
        try server.folder.write(Self.data("Note"), to: "amplify/data/resource.ts")
        #expect(server.logs("the schema has changed, and is served"), "\(server.log)")
        #expect(Self.lines.allSatisfy { server.logCount(of: $0) == 2 }, "\(server.log)")
    }
}
