import GraphQL
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

@Suite("Tables of a project's own")
struct OwnTableReadingTests {
    private static func read(_ lines: String) -> Project {
        let files = [
            "amplify/backend.ts": """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { AttributeType, CfnTable, ProjectionType, StreamViewType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
            import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
            import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
            const backend = defineBackend({ say: defineFunction({ name: 'say' }) });
            const stack = backend.createStack('own');
            const fn = backend.say.resources.lambda;
            const text = (name) => ({ name, type: AttributeType.STRING });
            const number = (name) => ({ name, type: AttributeType.NUMBER });
            \(lines)
            """
        ]
        return Project.read("amplify", in: ProgramSurroundings(files))
    }

    private static let orders: TableResource = {
        var table = TableResource("orders")
        table.partition = .init(name: "pk", type: "S")
        table.sort = .init(name: "at", type: "N")
        table.expiry = "gone"
        table.stream = "NEW_IMAGE"
        let (kind, size) = (
            TableResource.Part(name: "kind", type: "S"), TableResource.Part(name: "size", type: "N")
        )
        let key = TableResource.Part(name: "pk", type: "S")
        table.indexes = [
            .init("byKind", partition: kind, sort: size, projection: .keysOnly),
            .init("bySize", partition: size, sort: nil, projection: .include(["a", "b"])),
            .init("local", partition: key, sort: size, isLocal: true),
        ]
        return table
    }()

    @Test(
        "are read whether resolvers work on them or not, each way they are written",
        arguments: [
            """
            const table = new Table(stack, 'T', { tableName: 'orders', partitionKey: text('pk'), sortKey: number('at'),
              timeToLiveAttribute: 'gone', stream: StreamViewType.NEW_IMAGE });
            table.addGlobalSecondaryIndex({ indexName: 'byKind', partitionKey: text('kind'), sortKey: number('size'),
              projectionType: ProjectionType.KEYS_ONLY });
            table.addGlobalSecondaryIndex({ indexName: 'bySize', partitionKey: number('size'),
              projectionType: ProjectionType.INCLUDE, nonKeyAttributes: ['a', 'b'] });
            table.addLocalSecondaryIndex({ indexName: 'local', sortKey: number('size') });
            """,
            """
            new TableV2(stack, 'orders', { partitionKey: text('pk'), sortKey: number('at'),
              timeToLiveAttribute: 'gone', dynamoStream: StreamViewType.NEW_IMAGE,
              globalSecondaryIndexes: [
                { indexName: 'byKind', partitionKey: text('kind'), sortKey: number('size'),
                  projectionType: ProjectionType.KEYS_ONLY },
                { indexName: 'bySize', partitionKeys: [number('size')], projectionType: ProjectionType.INCLUDE,
                  nonKeyAttributes: ['a', 'b'] }],
              localSecondaryIndexes: [
                { indexName: 'local', sortKey: number('size'), projectionType: ProjectionType.ALL }] });
            """,
            """
            new CfnTable(stack, 'orders', {
              keySchema: [{ attributeName: 'pk', keyType: 'HASH' }, { attributeName: 'at', keyType: 'RANGE' }],
              attributeDefinitions: [
                { attributeName: 'pk', attributeType: 'S' }, { attributeName: 'at', attributeType: 'N' },
                { attributeName: 'kind', attributeType: 'S' }, { attributeName: 'size', attributeType: 'N' }],
              timeToLiveSpecification: { attributeName: 'gone', enabled: true },
              streamSpecification: { streamViewType: 'NEW_IMAGE' },
              globalSecondaryIndexes: [
                { indexName: 'byKind', projection: { projectionType: 'KEYS_ONLY' }, keySchema: [
                  { attributeName: 'kind', keyType: 'HASH' }, { attributeName: 'size', keyType: 'RANGE' }] },
                { indexName: 'bySize', projection: { projectionType: 'INCLUDE', nonKeyAttributes: ['a', 'b'] },
                  keySchema: [{ attributeName: 'size', keyType: 'HASH' }] }],
              localSecondaryIndexes: [
                { indexName: 'local', projection: { projectionType: 'ALL' }, keySchema: [
                  { attributeName: 'pk', keyType: 'HASH' }, { attributeName: 'size', keyType: 'RANGE' }] }] });
            """,
        ])
    func whole(lines: String) {
        let reading = Self.read(lines)
        #expect(reading.tables == [Self.orders])
        #expect(reading.isWhole && reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        #expect(reading.dataSources.isEmpty)
    }

    @Test("are what they have come to be when the program has ended, also for resolvers")
    func late() {
        let reading = Project.read(
            "amplify",
            in: ProgramSurroundings([
                "amplify/data/resource.ts": """
                import { a, defineData } from '@aws-amplify/backend';
                export const data = defineData({ schema: a.schema({ Todo: a.model({ x: a.id() }) }) });
                """,
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend';
                import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
                import { data } from './data/resource';
                const backend = defineBackend({ data });
                const table = new Table(backend.createStack('own'), 'T', {
                  partitionKey: { name: 'pk', type: AttributeType.STRING }, sortKey: { name: 'sk', type: AttributeType.STRING } });
                backend.data.addDynamoDbDataSource('DS', table);
                table.addLocalSecondaryIndex({ indexName: 'l', sortKey: { name: 'n', type: AttributeType.BINARY } });
                """,
            ]))
        let (key, sort) = (TableResource.Part(name: "pk", type: "S"), TableResource.Part(name: "n", type: "B"))
        #expect(reading.tables.first?.indexes == [.init("l", partition: key, sort: sort, isLocal: true)])
        #expect(reading.dataSources == reading.tables.map { DataSourceResource("DS", .table($0)) })
    }

    @Test("that have no name of their own get that of their place, and no two the same")
    func names() {
        let reading = Self.read(
            """
            for (const name of ['a', 'b']) new Table(backend.createStack(name), 'Own', { partitionKey: text('pk') });
            new Table(stack, 'T', { partitionKey: text('pk') });
            new Table(stack, 'Our orders', { partitionKey: text('pk') });
            """)
        #expect(reading.tables.map(\.name) == ["Own", "Own-2", "Table-T", "Our-orders"])
    }

    @Test(
        "tell functions of their changes, and where their streams are",
        arguments: [
            "fn.addEventSource(new DynamoEventSource(table, { startingPosition: StartingPosition.TRIM_HORIZON, batchSize: 5 }));",
            """
            new EventSourceMapping(stack, 'm', { target: fn, eventSourceArn: table.tableStreamArn, batchSize: 5,
              startingPosition: StartingPosition.TRIM_HORIZON });
            """,
            """
            fn.addEventSourceMapping('m', { eventSourceArn: table.tableStreamArn, batchSize: 5,
              startingPosition: StartingPosition.TRIM_HORIZON });
            """,
        ])
    func streams(line: String) {
        let reading = Self.read(
            """
            const table = new Table(stack, 'T', { tableName: 'orders', partitionKey: text('pk'), stream: StreamViewType.OLD_IMAGE });
            \(line)
            backend.say.addEnvironment('STREAM', table.tableStreamArn);
            """)
        var events = TableEvents("orders", isOwn: true)
        (events.batchSize, events.beginsWithOldest) = (5, true)
        #expect(reading.functions.first?.tables == [events])
        #expect(
            reading.functions.first?.environment
                == [.init(name: "STREAM", value: .deployed("tables/orders.tableStreamArn"))])
        #expect(reading.isWhole && reading.diagnostics.isEmpty, "\(reading.diagnostics)")
    }

    @Test(
        "are told of with the line of what is not taken over",
        arguments: [
            ("addGlobalSecondaryIndex({ indexName: 'i', partitionKeys: [text('a'), text('b')] })", "the index i"),
            (
                "addGlobalSecondaryIndex({ indexName: 'i', partitionKey: text('a'), nonKeyAttributes: ['b'] })",
                "the index i"
            ),
            (
                "addGlobalSecondaryIndex({ indexName: 'i', partitionKey: text('a'), projectionType: ProjectionType.INCLUDE })",
                "the index i"
            ),
            ("addLocalSecondaryIndex({ indexName: 'i', sortKey: text('a') })", "local indexes have a sort key"),
        ])
    func unread(call: String, says: String) {
        let reading = Self.read("const table = new Table(stack, 'T', { partitionKey: text('pk') });\ntable.\(call);")
        #expect(reading.tables.first?.indexes == [])
        let warning = reading.diagnostics.first
        #expect(reading.diagnostics.count == 1 && warning?.message.contains(says) == true, "\(reading.diagnostics)")
        #expect(warning.map { "\($0)" }?.contains("amplify/backend.ts:11") == true, "\(reading.diagnostics)")
    }

    @Test("are told of with what nothing here stands for, and functions of a table without a stream")
    func unserved() {
        let reading = Self.read(
            """
            const table = new TableV2(stack, 'T', { partitionKey: text('pk'), replicas: [{ region: 'eu-west-1' }] });
            fn.addEventSource(new DynamoEventSource(table, { startingPosition: StartingPosition.LATEST }));
            """)
        #expect(reading.tables.count == 1)
        let told = reading.diagnostics.map { "\($0)" }
        #expect(told.count == 2, "\(told)")
        #expect(told.first?.contains("amplify/backend.ts:10") == true && told.first?.contains("`replicas`") == true)
        #expect(told.last?.contains("amplify/backend.ts:11") == true && told.last?.contains("no stream") == true)
    }
}
