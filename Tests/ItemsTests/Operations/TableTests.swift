import JSON
import Store
import TestSupport
import Testing

@testable import Items

@Suite("Tables of items")
struct TableTests {
    private static let rows = RoomStatement("SELECT count(*) FROM _homeport_items")
    private static let entries = RoomStatement("SELECT count(*) FROM _homeport_item_entries")
    private static let records = RoomStatement("SELECT count(*) FROM _homeport_item_records")

    @Test("are made with the first one, and not before")
    func firstUse() async throws {
        let tables = try TestTables()
        #expect(try await tables.done("ListTables", "{}") == ["TableNames": []])
        #expect(
            await tables.refusal("GetItem", #"{"TableName": "None", "Key": {"p": {"S": "a"}}}"#).hasPrefix(
                "ResourceNotFound"))
        let has = try await tables.store.writer.write(turn: .all, key: nil) { session in try session.has(TableRows.all)
        }
        #expect(!has)
        try await tables.makeTable()
        let hasNow = try await tables.store.writer.write(turn: .all, key: nil) { session in
            try session.has(TableRows.all)
        }
        #expect(hasNow)
    }

    @Test("are named by their ARNs as well, by all operations")
    func arns() async throws {
        let tables = try TestTables()
        try await tables.makeTable(stream: true)
        let arn = "arn:aws:dynamodb:us-east-1:123456789012:table/Things"
        let key = #""Key": {"p": {"S": "a"}, "s": {"N": "1"}}"#
        let item = #""Item": {"p": {"S": "a"}, "s": {"N": "1"}}"#
        let rows: [(operation: String, body: String)] = [
            ("PutItem", #"{"TableName": "\#(arn)", \#(item)}"#), ("GetItem", #"{"TableName": "\#(arn)", \#(key)}"#),
            ("UpdateItem", #"{"TableName": "\#(arn)", \#(key)}"#), ("Scan", #"{"TableName": "\#(arn)"}"#),
            (
                "Query",
                #"{"TableName": "\#(arn)", "KeyConditionExpression": "p = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}"#
            ),
            ("TransactWriteItems", #"{"TransactItems": [{"Put": {"TableName": "\#(arn)", \#(item)}}]}"#),
            ("TransactGetItems", #"{"TransactItems": [{"Get": {"TableName": "\#(arn)", \#(key)}}]}"#),
            ("BatchWriteItem", #"{"RequestItems": {"\#(arn)": [{"PutRequest": {\#(item)}}]}}"#),
            ("DescribeTable", #"{"TableName": "\#(arn)"}"#), ("DescribeTimeToLive", #"{"TableName": "\#(arn)"}"#),
            ("UpdateTable", #"{"TableName": "\#(arn)", "DeletionProtectionEnabled": false}"#),
            ("DeleteItem", #"{"TableName": "\#(arn)", \#(key)}"#),
        ]
        for row in rows { try await tables.done(row.operation, row.body) }
        try await tables.done("PutItem", #"{"TableName": "\#(arn)", \#(item)}"#)
        let found = try await tables.done(
            "BatchGetItem", #"{"RequestItems": {"\#(arn)": {"Keys": [{"p": {"S": "a"}, "s": {"N": "1"}}]}}}"#)
        #expect(found["Responses"]?[arn]?.array?.count == 1)
        let streams = try await tables.done("ListStreams", #"{"TableName": "\#(arn)"}"#, ofStreams: true)
        #expect(streams["Streams"]?.array?.count == 1)
        for other in [
            "\(arn)/index/byG", "arn:aws:dynamodb:eu-west-1:123456789012:table/Things",
            "arn:aws:sqs:us-east-1:123456789012:x",
        ] {
            #expect(await tables.refusal("Scan", #"{"TableName": "\#(other)"}"#).hasPrefix("ValidationException"))
        }
        try await tables.done("DeleteTable", #"{"TableName": "\#(arn)"}"#)
    }

    @Test("are described at their end without keys and indexes")
    func lastDescription() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let last = try await tables.done("DeleteTable", #"{"TableName": "Things"}"#)["TableDescription"]
        #expect(last?["TableName"] == "Things" && last?["TableStatus"] == "DELETING" && last?["TableId"] != nil)
        for name in ["KeySchema", "AttributeDefinitions", "CreationDateTime", "GlobalSecondaryIndexes"] {
            #expect(last?[name] == nil, "\(name)")
        }
    }

    @Test("have streams of one shard, without children, behind those before it")
    func shards() async throws {
        let tables = try TestTables()
        try await tables.makeTable(stream: true)
        let streams = try await tables.done("ListStreams", "{}", ofStreams: true)
        let arn = try #require(streams["Streams"]?[0]?["StreamArn"]?.string)
        func shards(_ more: String) async throws -> [JSONValue]? {
            let answer = try await tables.done("DescribeStream", #"{"StreamArn": "\#(arn)"\#(more)}"#, ofStreams: true)
            return answer["StreamDescription"]?["Shards"]?.array
        }
        let shard = try #require(try await shards("")?.first?["ShardId"]?.string)
        for more in [
            #", "ExclusiveStartShardId": "zzz""#, #", "ExclusiveStartShardId": "\#(shard)""#,
            #", "ShardFilter": {"Type": "CHILD_SHARDS", "ShardId": "\#(shard)"}"#,
        ] { #expect(try await shards(more)?.isEmpty == true, "\(more)") }
        for filter in [
            "{}", #"{"Type": "CHILD_SHARDS"}"#, #"{"Type": "CHILD_SHARDS", "ShardId": "x"}"#,
            #"{"Type": "foo", "ShardId": "\#(shard)"}"#, #"{"ShardId": "\#(shard)"}"#,
        ] {
            let body = #"{"StreamArn": "\#(arn)", "ShardFilter": \#(filter)}"#
            let (status, json) = await tables.call("DescribeStream", body, ofStreams: true)
            #expect(status == 400 && json["__type"]?.string?.hasSuffix("ValidationException") == true, "\(filter)")
        }
    }

    @Test("are asked for who may do that by name, however they are named")
    func demands() async throws {
        let tables = try TestTables()
        let arn = "arn:aws:dynamodb:us-east-1:123456789012:table/Things"
        func demands(_ operation: String, _ body: String) throws -> [String] {
            let operation = try #require(ItemOperation(rawValue: operation))
            let run = ItemRun(tables.service, ItemShard(), try RequestFields(JSONReader.value(of: body)))
            return run.demands(operation).map { "\($0.action) \($0.place)" }
        }
        #expect(try demands("GetItem", #"{"TableName": "\#(arn)"}"#) == ["dynamodb:GetItem Things"])
        #expect(
            try demands("Query", #"{"TableName": "\#(arn)", "IndexName": "i"}"#) == ["dynamodb:Query Things/index/i"])
        #expect(try demands("BatchGetItem", #"{"RequestItems": {"\#(arn)": {}}}"#) == ["dynamodb:BatchGetItem Things"])
        #expect(
            try demands("TransactWriteItems", #"{"TransactItems": [{"Put": {"TableName": "\#(arn)"}}]}"#)
                == ["dynamodb:PutItem Things"])
    }

    @Test("are queried by the older form of a key with newer ones of the rest")
    func mixedForms() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        for number in 1...3 {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Things", "Item": {"p": {"S": "a"}, "s": {"N": "\#(number)"}, "x": {"N": "\#(number)"}}}"#
            )
        }
        let key = #""KeyConditions": {"p": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}"#
        let found = try await tables.done(
            "Query",
            #"{"TableName": "Things", \#(key), "FilterExpression": "x > :x", "ProjectionExpression": "s", "ExpressionAttributeValues": {":x": {"N": "1"}}}"#
        )
        #expect(found["Items"] == [["s": ["N": "2"]], ["s": ["N": "3"]]])
        for other in [
            #""KeyConditionExpression": "p = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}"#,
            #""ProjectionExpression": "s", "AttributesToGet": ["s"]"#,
            #""FilterExpression": "attribute_exists(x)", "QueryFilter": {"x": {"ComparisonOperator": "NOT_NULL"}}"#,
        ] {
            #expect(
                await tables.refusal("Query", #"{"TableName": "Things", \#(key), \#(other)}"#).hasPrefix(
                    "ValidationException: Can not use both expression and non-expression parameters"))
        }
    }

    @Test("that are deleted leave no rows, and one of the same name begins empty")
    func deletion() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        for number in 0..<30 {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Things", "Item": {"p": {"S": "p"}, "s": {"N": "\#(number)"}, "g": {"S": "g"}, "l": {"N": "1"}}}"#
            )
        }
        #expect(try await tables.rowCount(Self.rows) == 30)
        #expect(try await tables.rowCount(Self.entries) == 60)
        try await tables.done("DeleteTable", #"{"TableName": "Things"}"#)
        try await tables.makeTable()
        let answer = try await tables.done("Scan", #"{"TableName": "Things"}"#)
        #expect(answer["Count"]?.integer == 0)
        try await tables.settle()
        #expect(try await tables.rowCount(Self.rows) == 0)
        #expect(try await tables.rowCount(Self.entries) == 0)
    }

    @Test("get an index later, which has the items that were there")
    func laterIndex() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let count = Int(TableLimits.choreRows) + 20
        for start in stride(from: 0, to: count, by: 20) {
            let puts = (start..<start + 20).map {
                #"{"PutRequest": {"Item": {"p": {"S": "p\#($0)"}, "s": {"N": "1"}, "h": {"S": "\#($0 % 2 == 0 ? "even" : "odd")"}}}}"#
            }
            try await tables.done("BatchWriteItem", #"{"RequestItems": {"Things": [\#(puts.joined(separator: ","))]}}"#)
        }
        try await tables.done(
            "UpdateTable",
            """
            {"TableName": "Things", "AttributeDefinitions": [{"AttributeName": "h", "AttributeType": "S"}],
             "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "byH", "KeySchema": [{"AttributeName": "h", "KeyType": "HASH"}],
               "Projection": {"ProjectionType": "ALL"}}}]}
            """)
        try await tables.settle()
        let index =
            #"{"IndexName": "again", "KeySchema": [{"AttributeName": "h", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}"#
        for (update, part) in [
            (#"{"Create": \#(index)}, {"Delete": {"IndexName": "byH"}}"#, "LimitExceededException"),
            (#"{"Create": \#(index)}"#, "AttributeDefinitions: []"), ("{}", ": One of GlobalSecondaryIndexUpdate's"),
            (#"{"Create": \#(index), "Delete": {"IndexName": "byH"}}"#, ": Only one of GlobalSecondaryIndexUpdate's"),
        ] {
            let refusal = await tables.refusal(
                "UpdateTable", #"{"TableName": "Things", "GlobalSecondaryIndexUpdates": [\#(update)]}"#)
            #expect(refusal.contains(part), "\(refusal)")
        }
        // The key of the table may be longer than the sort key of an index.
        let byP =
            #"{"IndexName": "byP", "KeySchema": [{"AttributeName": "h", "KeyType": "HASH"}, {"AttributeName": "p", "KeyType": "RANGE"}], "Projection": {"ProjectionType": "KEYS_ONLY"}}"#
        try await tables.done(
            "UpdateTable",
            #"{"TableName": "Things", "AttributeDefinitions": [{"AttributeName": "h", "AttributeType": "S"}, {"AttributeName": "p", "AttributeType": "S"}], "GlobalSecondaryIndexUpdates": [{"Create": \#(byP)}]}"#
        )
        for (bytes, isGood) in [(1_024, true), (1_025, false)] {
            let key = String(repeating: "p", count: bytes)
            let put = #"{"TableName": "Things", "Item": {"p": {"S": "\#(key)"}, "s": {"N": "1"}, "h": {"S": "long"}}}"#
            if isGood {
                try await tables.done("PutItem", put)
            } else {
                #expect(await tables.refusal("PutItem", put).contains("Aggregated size of all range keys"))
            }
        }
        try await tables.done(
            "UpdateTable",
            #"{"TableName": "Things", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byP"}}]}"#)
        let query =
            #"{"TableName": "Things", "IndexName": "byH", "Select": "COUNT", "KeyConditionExpression": "h = :h", "ExpressionAttributeValues": {":h": {"S": "even"}}}"#
        #expect(try await tables.done("Query", query)["Count"]?.integer == Int64(count / 2))
        try await tables.done(
            "UpdateTable",
            #"{"TableName": "Things", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byH"}}]}"#)
        try await tables.settle()
        #expect(try await tables.rowCount(Self.entries) == 0)
        #expect(await tables.refusal("Query", query).hasSuffix("does not have the specified index: byH"))
    }

    @Test("lose items whose time is over, and tell of it")
    func expiry() async throws {
        let tables = try TestTables()
        try await tables.makeTable(stream: true)
        let seconds = tables.now / 1_000
        // Before it is said, so that it is found out of what is there.
        for (name, time) in [
            ("soon", #"{"N": "\#(seconds + 5).9"}"#), ("later", #"{"N": "\#(seconds + 500)"}"#),
            ("text", #"{"S": "1"}"#),
            ("ages", #"{"N": "1"}"#),
        ] {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Things", "Item": {"p": {"S": "\#(name)"}, "s": {"N": "1"}, "until": \#(time)}}"#)
        }
        try await tables.done(
            "UpdateTimeToLive",
            #"{"TableName": "Things", "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "until"}}"#)
        try await tables.settle()
        #expect(try await tables.rowCount(Self.rows) == 4)
        tables.advance(milliseconds: 10_000)
        tables.service.sweep()
        try await tables.settle()
        let left = try await tables.done("Scan", #"{"TableName": "Things"}"#)["Items"]?.array ?? []
        #expect(Set(left.compactMap { $0["p"]?["S"]?.text }) == ["later", "text", "ages"])
        let records = try await Self.allRecords(of: "Things", in: tables)
        let last = try #require(records.last)
        #expect(last["eventName"]?.string == "REMOVE")
        #expect(last["userIdentity"]?["PrincipalId"]?.string == "dynamodb.amazonaws.com")
        #expect(last["dynamodb"]?["Keys"]?["p"]?["S"]?.string == "soon")
        // A day later nothing is told any more.
        tables.advance(milliseconds: TableLimits.streamMilliseconds)
        #expect(try await Self.allRecords(of: "Things", in: tables).isEmpty)
        tables.service.sweep()
        try await tables.settle()
        // What has expired meanwhile is told of anew.
        #expect(try await tables.rowCount(Self.records) == 1)
    }

    static func allRecords(of table: String, in tables: TestTables) async throws -> [JSONValue] {
        let arn = try #require(
            try await tables.done("DescribeTable", #"{"TableName": "\#(table)"}"#)["Table"]?["LatestStreamArn"]?.string)
        let stream = try await tables.done("DescribeStream", #"{"StreamArn": "\#(arn)"}"#, ofStreams: true)
        let shard = try #require(stream["StreamDescription"]?["Shards"]?[0]?["ShardId"]?.string)
        var iterator = try await tables.done(
            "GetShardIterator",
            #"{"StreamArn": "\#(arn)", "ShardId": "\#(shard)", "ShardIteratorType": "TRIM_HORIZON"}"#, ofStreams: true)[
                "ShardIterator"]?.string
        var records: [JSONValue] = []
        while let next = iterator {
            let answer = try await tables.done(
                "GetRecords", #"{"ShardIterator": "\#(next)", "Limit": 2}"#, ofStreams: true)
            let page = answer["Records"]?.array ?? []
            records += page
            iterator = page.isEmpty ? nil : answer["NextShardIterator"]?.string
        }
        return records
    }

    @Test("are as they were when the server comes again")
    func reopened() async throws {
        let folder = TemporaryFolder()
        let location = Store.Location.file("\(folder.path)/data.sqlite")
        let before = try TestTables(at: location)
        try await before.makeTable(stream: true)
        try await before.done(
            "PutItem",
            #"{"TableName": "Things", "Item": {"p": {"S": "a"}, "s": {"N": "1"}, "g": {"S": "g"}, "l": {"N": "3"}}}"#)
        let table = try await before.done("DescribeTable", #"{"TableName": "Things"}"#)
        try before.store.close()
        let after = try TestTables(at: location)
        await after.service.begin()
        #expect(try await after.done("DescribeTable", #"{"TableName": "Things"}"#) == table)
        let found = try await after.done(
            "Query",
            #"{"TableName": "Things", "IndexName": "byG", "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "g"}}}"#
        )
        #expect(found["Items"]?[0] == ["p": ["S": "a"], "s": ["N": "1"], "g": ["S": "g"], "l": ["N": "3"]])
        #expect(try await Self.allRecords(of: "Things", in: after).count == 1)
        try after.store.close()
    }

    @Test("that have become others while an operation began are looked at anew")
    func changed() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        // Somebody else's service over the same database does not know of the change.
        let other = ItemService(
            ItemSettings(region: "us-east-1", accountID: "123456789012"), over: tables.store, report: { _ in })
        let put = #"{"TableName": "Things", "Item": {"p": {"S": "a"}, "s": {"N": "1"}}}"#
        let call = ItemCall(target: "DynamoDB_20120810.PutItem", body: Array(put.utf8))
        #expect(await other.answer(call, on: ItemShard()).status == 200)
        try await tables.done("DeleteTable", #"{"TableName": "Things"}"#)
        #expect(await other.answer(call, on: ItemShard()).status == 400)
        try await tables.makeTable(sort: "S")
        let answer = await other.answer(call, on: ItemShard())
        #expect(String(decoding: answer.body, as: UTF8.self).contains(bytesOf: "Type mismatch for key"))
    }
}
