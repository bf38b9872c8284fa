import Foundation
import JSON
import TestSupport
import Testing

/// The tables that `amplify/backend.ts` makes, through the real program.
@Suite("Tables of a project's own, served")
struct OwnTableServeTests {
    private static let hasNode = ["/usr/bin/node", "/bin/node"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let start = """
        import { defineBackend, defineFunction } from '@aws-amplify/backend';
        import { AttributeType, ProjectionType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
        import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
        import { StartingPosition } from 'aws-cdk-lib/aws-lambda';
        const backend = defineBackend({ say: defineFunction({ name: 'say', entry: './say.mjs', timeoutSeconds: 60 }) });
        const stack = backend.createStack('own');
        const text = (name) => ({ name, type: AttributeType.STRING });

        """
    private static let table = """
        const table = new Table(stack, 'Own', { tableName: 'orders', partitionKey: text('pk'), sortKey: text('sk'),
          timeToLiveAttribute: 'gone', stream: StreamViewType.NEW_AND_OLD_IMAGES });
        table.addGlobalSecondaryIndex({ indexName: 'byA', partitionKey: text('a'), projectionType: ProjectionType.KEYS_ONLY });
        table.addLocalSecondaryIndex({ indexName: 'byB', sortKey: text('b'), projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: ['c'] });

        """
    private static let source =
        "backend.say.resources.lambda.addEventSource(new DynamoEventSource(table, { startingPosition: StartingPosition.LATEST }));\n"
        + "backend.say.addEnvironment('STREAM', table.tableStreamArn);\n"
    private static let told = """
        export const handler = async (event) => {
          for (const { eventName, dynamodb, eventSourceARN } of event.Records) console.log('told', eventName,
            dynamodb.OldImage?.n?.N ?? '-', dynamodb.NewImage?.n?.N ?? '-', dynamodb.Keys.pk.S,
            eventSourceARN === process.env.STREAM);
        };
        """

    private static func folder(_ lines: String, handler: String = told) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.write(start + lines, to: "amplify/backend.ts")
        try folder.write(handler, to: "amplify/say.mjs")
        return folder
    }

    private static func call(_ operation: String, _ body: String, _ server: HomeportProcess) throws -> JSONValue {
        let answer = try SignedCall.item(operation, body, to: server).answer(from: server)
        #expect(answer.status == 200, "\(answer) \(server.log)")
        return try JSONReader.value(of: answer.body)
    }

    private static func describe(_ server: HomeportProcess) throws -> JSONValue {
        try call("DescribeTable", #"{"TableName": "orders"}"#, server)["Table"] ?? .null
    }

    private static func put(_ key: String, _ number: Int, _ server: HomeportProcess) throws {
        _ = try call(
            "PutItem",
            #"{"TableName": "orders", "Item": {"pk": {"S": "\#(key)"}, "sk": {"S": "s"}, "n": {"N": "\#(number)"}}}"#,
            server)
    }

    @Test("are there at the start with all that is said of them, in a project without an API, and after a reset")
    func made() throws {
        let folder = try Self.folder(Self.table)
        let server = try TestControlClient.server(schema: nil, in: folder)
        for _ in 0..<2 {
            let table = try Self.describe(server)
            #expect(table["KeySchema"]?.array?.count == 2)
            let (global, local) = (table["GlobalSecondaryIndexes"], table["LocalSecondaryIndexes"])
            #expect(global?.array?.count == 1 && global?[0]?["Projection"] == ["ProjectionType": "KEYS_ONLY"])
            #expect(local?.array?.count == 1 && local?[0]?["IndexName"] == "byB", "\(table)")
            #expect(local?[0]?["Projection"] == ["ProjectionType": "INCLUDE", "NonKeyAttributes": ["c"]])
            #expect(
                table["StreamSpecification"] == ["StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"])
            let expiry = try Self.call("DescribeTimeToLive", #"{"TableName": "orders"}"#, server)
            #expect(
                expiry["TimeToLiveDescription"] == ["TimeToLiveStatus": "ENABLED", "AttributeName": "gone"])
            try Self.put("a", 1, server)
            #expect(try TestControlClient(server).call("POST", "reset").status < 300, "\(server.log)")
        }
        let items = try Self.call("Scan", #"{"TableName": "orders"}"#, server)
        #expect(items["Count"] == 0, "\(items)")
    }

    @Test("come, and come to have indexes, times of expiry and streams, while the project is followed")
    func followed() throws {
        let plain = "new Table(stack, 'Own', { tableName: 'orders', partitionKey: text('pk'), sortKey: text('sk') });\n"
        let folder = try Self.folder(plain)
        let server = try HomeportProcess(["--watch"], schema: nil, in: folder)
        try Self.put("a", 1, server)
        let more = "new Table(stack, 'More', { tableName: 'more', partitionKey: text('pk') });\n"
        try folder.write(Self.start + Self.table + more, to: "amplify/backend.ts.part")
        _ = rename(folder.file("amplify/backend.ts.part"), folder.file("amplify/backend.ts"))
        #expect(server.logs("the project's table orders stays as it was made", milliseconds: 60_000), "\(server.log)")
        #expect(server.log.contains("no such local index as byB"))
        let deadline = ContinuousClock.now + .seconds(60)
        var status = 0
        while status != 200, ContinuousClock.now < deadline {
            status = try SignedCall.item("DescribeTable", #"{"TableName": "more"}"#, to: server).answer(from: server)
                .status
        }
        #expect(status == 200, "\(server.log)")
        let table = try Self.describe(server)
        #expect(table["GlobalSecondaryIndexes"]?[0]?["IndexName"] == "byA", "\(table)")
        #expect(table["StreamSpecification"]?["StreamEnabled"] == true)
        let expiry = try Self.call("DescribeTimeToLive", #"{"TableName": "orders"}"#, server)
        #expect(expiry["TimeToLiveDescription"]?["AttributeName"] == "gone")
        let items = try Self.call("Scan", #"{"TableName": "orders"}"#, server)
        #expect(items["Count"] == 1)
    }

    @Test(
        "tell a function of their changes in order, with the images of the stream and its ARN", .enabled(if: hasNode))
    func streams() throws {
        let server = try TestControlClient.server(schema: nil, in: try Self.folder(Self.table + Self.source))
        for number in 1...3 { try Self.put("a", number, server) }
        let key = #"{"TableName": "orders", "Key": {"pk": {"S": "a"}, "sk": {"S": "s"}}}"#
        _ = try Self.call("DeleteItem", key, server)
        #expect(server.logs("told REMOVE 3 - a true", milliseconds: 60_000), "\(server.log)")
        let lines = server.log.matches(of: /told ([A-Z]+ \S+ \S+)/).map { String($0.1) }
        #expect(lines == ["INSERT - 1", "MODIFY 1 2", "MODIFY 2 3", "REMOVE 3 -"], "\(server.log)")
        // Also of what comes after the data has gone back to the start.
        #expect(try TestControlClient(server).call("POST", "reset").status < 300)
        try Self.put("b", 7, server)
        #expect(server.logs("told INSERT - 7 b true", milliseconds: 60_000), "\(server.log)")
    }

    @Test("show of changes what the stream shows", .enabled(if: hasNode))
    func view() throws {
        let lines = (Self.table + Self.source).replacing("NEW_AND_OLD_IMAGES", with: "OLD_IMAGE")
        let server = try HomeportProcess(schema: nil, in: try Self.folder(lines))
        for number in 1...2 { try Self.put("a", number, server) }
        #expect(server.logs("told MODIFY 1 - a true", milliseconds: 60_000), "\(server.log)")
        #expect(server.log.contains("told INSERT - - a true"), "\(server.log)")
    }

    @Test("tell a function of what it did not take before the server was killed", .enabled(if: hasNode))
    func killed() throws {
        let folder = try Self.folder(
            Self.table + Self.source,
            handler: "export const handler = () => new Promise((end) => setTimeout(end, 1e9));")
        var server = try HomeportProcess(schema: nil, in: folder)
        try Self.put("a", 1, server)
        server.signal(SIGKILL)
        _ = server.exitStatus()
        try folder.write(Self.told, to: "amplify/say.mjs")
        server = try HomeportProcess(schema: nil, in: folder)
        #expect(server.logs("told INSERT - 1 a true", milliseconds: 60_000), "\(server.log)")
    }
}
