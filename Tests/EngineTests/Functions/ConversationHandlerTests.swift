import Blueprint
import JSON
import Programs
import Project
import Testing

@testable import Engine

/// `defineConversationHandlerFunction`: which function takes the turns of a conversation, and what it is given.
@Suite("Handlers of conversations")
struct ConversationHandlerTests {
    private static func files(_ handler: String) -> [String: String] {
        [
            "amplify/data/resource.ts": """
            import { a, defineData } from '@aws-amplify/backend';
            import { defineConversationHandlerFunction } from '@aws-amplify/backend-ai/conversation';
            export const chatHandler = defineConversationHandlerFunction(\(handler));
            const schema = a.schema({
              chat: a.conversation({ aiModel: a.ai.model('Claude 3 Haiku'), systemPrompt: 'p', handler: chatHandler })
                .authorization((allow) => allow.owner()),
            });
            export const data = defineData({ schema });
            """,
            "amplify/data/chatHandler.ts": "export const handler = async () => {};",
            "amplify/auth/resource.ts": """
            import { defineAuth } from '@aws-amplify/backend';
            export const auth = defineAuth({ loginWith: { email: true } });
            """,
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend';
            import { auth } from './auth/resource';
            import { data, chatHandler } from './data/resource';
            defineBackend({ auth, data, chatHandler });
            """,
        ]
    }

    private static func surroundings(_ files: [String: String]) -> ProgramSurroundings {
        ProgramSurroundings(
            currentFolder: "/app",
            exists: { name in files.keys.contains { $0 == name || $0.hasPrefix(name + "/") } },
            load: { files[$0].map { Array($0.utf8) } })
    }

    private static func conversation(_ handler: String) throws -> (Conversation, [String: String]) {
        let files = files(handler)
        let name = "amplify/data/resource.ts"
        let schema = TypeScriptSchema.read(name, Array((files[name] ?? "").utf8), in: surroundings(files))
        let blueprint = try #require(schema.reading().blueprint, "\(schema.diagnostics)")
        let field = blueprint.types.flatMap(\.fields).first { $0.name == "chat" }
        guard case .conversation(let conversation, _)? = field?.resolver else {
            throw TestEngine.Refused(description: "chat is no conversation")
        }
        return (conversation, schema.givenNames)
    }

    @Test(
        "with code it is called; without, the turn is taken here, unless the function is configured",
        arguments: [
            ("{ entry: './chatHandler.ts', name: 'chatHandler', models: [] }", [:], true),
            ("{ entry: './chatHandler.ts' }", [:], true),
            ("{ name: 'chatHandler', models: [{ modelId: a.ai.model('Claude 3 Haiku') }] }", [:], false),
            ("{ name: 'chatHandler', models: [] }", ["chatHandler": "http://f.test/f"], true),
            ("{ name: 'chatHandler', models: [] }", ["other": "http://f.test/f"], false),
        ] as [(String, [String: String], Bool)])
    func isCalled(handler: String, functions: [String: String], isCalled: Bool) throws {
        let (conversation, names) = try Self.conversation(handler)
        let directory = FunctionDirectory(functions, givenNames: names)
        #expect(directory.handler(of: conversation) == (isCalled ? "FnChat" : nil))
    }

    static let settings: [(handler: String, seconds: Int?, megabytes: Int?, models: [String])] = [
        (
            "{ entry: './chatHandler.ts', name: 'chatHandler', models: [{ modelId: 'm.one:0' }, { modelId: a.ai.model('Claude 3 Haiku'), region: 'us-east-1' }] }",
            60, 512, ["m.one:0", "anthropic.claude-3-haiku-20240307-v1:0"]
        ),
        ("{ entry: './chatHandler.ts', timeoutSeconds: 100, memoryMB: 1024, models: [] }", 100, 1_024, []),
        // Amplify's own has nothing to be run here.
        ("{ name: 'chatHandler', models: [{ modelId: 'm.one:0' }] }", nil, nil, []),
    ]

    @Test("its function has a minute, 512 MB and the right to call its models", arguments: settings)
    func isGiven(_ row: (handler: String, seconds: Int?, megabytes: Int?, models: [String])) throws {
        let reading = Project.read("amplify", in: Self.surroundings(Self.files(row.handler)))
        let function = reading.functions.first
        #expect(function?.timeoutSeconds == row.seconds && function?.memoryMegabytes == row.megabytes)
        #expect(reading.functions.count == (row.seconds == nil ? 0 : 1))
        if row.seconds != nil { #expect(function?.code == .file("amplify/data/chatHandler.ts")) }
        let statements = function?.grants.statements ?? []
        #expect(
            statements.map(\.resources) == row.models.map { [.text("arn:aws:bedrock:*::foundation-model/\($0)")] })
        #expect(
            statements.allSatisfy { $0.actions == ["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"] })
    }
}
