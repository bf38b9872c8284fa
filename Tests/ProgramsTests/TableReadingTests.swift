import GraphQL
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

@Suite("Tables of a project's models")
struct TableReadingTests {
    private static let models =
        "a.schema({ Todo: a.model({ at: a.timestamp() }), Kind: a.enum(['X']), Note: a.model({ x: a.id() }) })"

    private static func read(_ lines: String, schema: String = models) -> Project {
        let files = [
            "amplify/data/resource.ts": """
            import { a, defineData } from '@aws-amplify/backend';
            export const data = defineData({ schema: \(schema) });
            """,
            "amplify/backend.ts": """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { data } from './data/resource';
            const backend = defineBackend({ data, say: defineFunction({ name: 'say' }) });
            const { tables, cfnResources } = backend.data.resources;
            \(lines)
            """,
        ]
        return Project.read("amplify", in: ProgramSurroundings(files))
    }

    @Test(
        "are listed, with what each is",
        arguments: [
            models, "`type Todo @model { id: ID! } type Note @model { id: ID! } type Kind { x: ID }`",
            "a.combine([a.schema({ Todo: a.model({ x: a.id() }) }), a.schema({ Note: a.model({ x: a.id() }) })])",
        ])
    func listed(schema: String) {
        let reading = Self.read(
            """
            for (const table of Object.values(cfnResources.amplifyDynamoDbTables)) table.deletionProtectionEnabled = true;
            Object.entries(tables).forEach(([name, table]) => backend.say.addEnvironment(name, table.tableName));
            backend.say.addEnvironment('known', `${'Todo' in tables} ${'Tag' in tables}`);
            for (const name in tables) backend.say.addEnvironment(`in${name}`, name);
            """, schema: schema)
        #expect(reading.isWhole && reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        #expect(
            reading.functions.first?.environment == [
                .init(name: "Todo", value: .deployed("backend.data.resources.tables.Todo.tableName")),
                .init(name: "Note", value: .deployed("backend.data.resources.tables.Note.tableName")),
                .init(name: "known", value: .text("true false")), .init(name: "inTodo", value: .text("Todo")),
                .init(name: "inNote", value: .text("Note")),
            ])
    }

    @Test("are listed among what a deployment makes of the API, of which the rest is nothing here")
    func deployedParts() {
        let reading = Self.read(
            """
            for (const [name, table] of Object.entries(cfnResources.cfnTables)) table.addPropertyOverride('X', name);
            Object.values(cfnResources.cfnResolvers).forEach((resolver) => { resolver.metricsConfig = 'ENABLED'; });
            Object.values(backend.data.resources.nestedStacks).forEach((stack) => Tags.of(stack).add('a', 'b'));
            cfnResources.cfnFunctionConfigurations['x'].maxBatchSize = 5;
            backend.say.addEnvironment('end', `${Object.keys(cfnResources.cfnTables)}`);
            """)
        #expect(reading.isWhole, "\(reading.diagnostics)")
        // What is assigned there is told of, as nothing reads it.
        #expect(!reading.diagnostics.isEmpty)
        #expect(
            reading.diagnostics.allSatisfy { $0.severity == .warning && $0.message.hasSuffix("nothing reads it") },
            "\(reading.diagnostics)")
        #expect(reading.functions.first?.environment == [.init(name: "end", value: .text("Todo,Note"))])
    }

    @Test("say which field tells when a record is to go")
    func expiries() {
        let reading = Self.read(
            """
            cfnResources.amplifyDynamoDbTables['Todo'].timeToLiveAttribute = { attributeName: 'at', enabled: true };
            cfnResources.amplifyDynamoDbTables.Note.timeToLiveAttribute = { attributeName: 'x', enabled: false };
            """)
        #expect(reading.expiries == [ModelExpiry(model: "Todo", field: "at")])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        #expect(Self.read("").expiries.isEmpty)
    }
}
