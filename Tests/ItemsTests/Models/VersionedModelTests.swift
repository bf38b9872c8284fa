import Blueprint
import JSON
import Store
import Testing

@testable import Items

@Suite("Tables of models with versions")
struct VersionedModelTests {
    private static let todo = #""TableName": "Todo-x-NONE", "Key": {"id": {"S": "a"}}"#

    private func tables() throws -> TestTables {
        let tables = try TestTables(schema: "type Todo @model { id: ID! title: String }", isSynced: true)
        let (blueprint, store) = (tables.blueprint, tables.store)
        tables.service.serve {
            blueprint.models.compactMap { model in
                store.layout.table(of: model).flatMap {
                    ModelTable(
                        $0, of: model.name, named: "\(model.name)-x-NONE", clock: store.changeClock,
                        isStreamed: true)
                }
            }
        }
        return tables
    }

    private func put(_ attributes: String, in tables: TestTables) async throws -> JSONValue {
        try await tables.done(
            "PutItem", #"{"TableName": "Todo-x-NONE", "Item": {"id": {"S": "a"}\#(attributes)}}"#)
        return try #require(try await tables.done("GetItem", "{\(Self.todo)}")["Item"])
    }

    /// What a client that syncs is told since the beginning.
    private func changes(_ tables: TestTables) async throws -> [String] {
        let model = try #require(tables.blueprint.models.first)
        let table = try #require(tables.store.layout.table(of: model))
        let log = try #require(ChangeLog(of: table))
        var found: [String] = []
        let query = ListQuery(
            log.images, fields: ["id", "title", "_version", "_deleted"], limit: 100, semantics: .filled)
        _ = try tables.store.readerBeside().list(query) { row throws(StoreError) in
            found.append("\(row.text(0)) \(row.text(1)) \(row.integer(2)) \(row.boolean(3))")
        }
        return found
    }

    @Test("raise the version of what is put, and its time")
    func raised() async throws {
        let tables = try tables()
        let first = try await put("", in: tables)
        #expect(first["_version"] == ["N": "1"])
        let second = try await put(
            #", "title": {"S": "x"}, "_version": {"N": "1"}, "_lastChangedAt": {"N": "5"}"#, in: tables)
        #expect(second["_version"] == ["N": "2"])
        let times = [first, second].compactMap { $0["_lastChangedAt"]?["N"]?.string.flatMap { Int64($0) } }
        #expect(times.count == 2 && times[0] <= times[1] && times[0] > 5)
        #expect(try await put(#", "_version": {"N": "9"}"#, in: tables)["_version"] == ["N": "9"])
        let new = try await tables.done(
            "UpdateItem",
            #"{\#(Self.todo), "UpdateExpression": "SET title = :t", "ExpressionAttributeValues": {":t": {"S": "y"}}, "ReturnValues": "ALL_NEW"}"#
        )
        #expect(new["Attributes"]?["_version"] == ["N": "10"])
        #expect(new["Attributes"]?["title"] == ["S": "y"])
    }

    @Test("tell clients that sync of every write, and of a deletion")
    func synced() async throws {
        let tables = try tables()
        _ = try await put(#", "title": {"S": "x"}"#, in: tables)
        _ = try await put(#", "title": {"S": "y"}"#, in: tables)
        #expect(
            try await put(#", "title": {"S": "y"}, "_deleted": {"BOOL": true}"#, in: tables)["_deleted"] == [
                "BOOL": true
            ])
        _ = try await put(#", "title": {"S": "z"}"#, in: tables)
        let old = try await tables.done("DeleteItem", #"{\#(Self.todo), "ReturnValues": "ALL_OLD"}"#)
        #expect(old["Attributes"]?["_version"] == ["N": "4"])
        #expect(try await tables.done("GetItem", "{\(Self.todo)}")["Item"] == nil)
        #expect(try await changes(tables) == ["a x 1 false", "a y 2 false", "a y 3 true", "a z 4 false", "a z 5 true"])
        #expect(try await put("", in: tables)["_version"] == ["N": "1"])
    }

    @Test("decide conditions on the version that is there")
    func conditions() async throws {
        let tables = try tables()
        _ = try await put("", in: tables)
        func update(_ version: Int) async -> Int {
            await tables.call(
                "UpdateItem",
                ##"{\##(Self.todo), "UpdateExpression": "SET title = :t", "ConditionExpression": "#v = :v", "ExpressionAttributeNames": {"#v": "_version"}, "ExpressionAttributeValues": {":t": {"S": "y"}, ":v": {"N": "\##(version)"}}}"##
            ).status
        }
        #expect(await update(2) == 400)
        #expect(await update(1) == 200)
        #expect(await update(1) == 400)
        #expect(await update(2) == 200)
    }

    @Test("are written in batches and transactions too")
    func several() async throws {
        let tables = try tables()
        try await tables.done(
            "BatchWriteItem", #"{"RequestItems": {"Todo-x-NONE": [{"PutRequest": {"Item": {"id": {"S": "a"}}}}]}}"#)
        try await tables.done(
            "TransactWriteItems",
            #"{"TransactItems": [{"Put": {"TableName": "Todo-x-NONE", "Item": {"id": {"S": "a"}, "title": {"S": "t"}}}}]}"#
        )
        let item = try await tables.done("GetItem", "{\(Self.todo)}")["Item"]
        #expect(item?["_version"] == ["N": "2"])
        #expect(item?["title"] == ["S": "t"])
    }

    @Test("name the stream that a function reads")
    func streams() async throws {
        let tables = try tables()
        let table = try await tables.done("DescribeTable", #"{"TableName": "Todo-x-NONE"}"#)["Table"]
        #expect(table?["StreamSpecification"]?["StreamViewType"] == "NEW_AND_OLD_IMAGES")
        #expect(
            table?["LatestStreamArn"]
                == "arn:aws:dynamodb:us-east-1:123456789012:table/Todo-x-NONE/stream/2015-01-01T00:00:00.000")
    }
}
