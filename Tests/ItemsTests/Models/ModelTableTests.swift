import Blueprint
import JSON
import PostgresSupport
import Store
import TestSupport
import Testing

@testable import Items

@Suite("Tables of models")
struct ModelTableTests {
    private static let schema = """
        type Todo @model { id: ID! title: String note: String count: Int price: Float done: Boolean tags: [String] meta: AWSJSON
          state: String @index(name: "byState", sortKeyFields: ["count"]) }
        type Pair @model { a: ID! @primaryKey(sortKeyFields: ["b", "c"]) b: Int! c: String! v: String }
        """

    private func tables(expiry: String? = nil) throws -> TestTables {
        let tables = try TestTables(schema: Self.schema)
        let (blueprint, store) = (tables.blueprint, tables.store)
        tables.service.serve(hasExpiries: expiry != nil) {
            blueprint.models.compactMap { model in
                store.layout.table(of: model).flatMap {
                    ModelTable(
                        $0, of: model.name, named: "\(model.name)-x-NONE", clock: store.changeClock,
                        expiry: expiry)
                }
            }
        }
        return tables
    }

    @Test("are listed and described, and stay as the schema says")
    func described() async throws {
        let tables = try tables()
        #expect(try await tables.done("ListTables", "{}") == ["TableNames": ["Pair-x-NONE", "Todo-x-NONE"]])
        let table = try await tables.done("DescribeTable", #"{"TableName": "Pair-x-NONE"}"#)["Table"]
        #expect(
            table?["KeySchema"] == [
                ["AttributeName": "a", "KeyType": "HASH"], ["AttributeName": "b#c", "KeyType": "RANGE"],
            ])
        for (operation, body) in [
            ("DeleteTable", ""), ("UpdateTable", #", "DeletionProtectionEnabled": true"#),
            ("UpdateTimeToLive", #", "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "t"}"#),
        ] {
            #expect(
                await tables.refusal(operation, #"{"TableName": "Todo-x-NONE"\#(body)}"#)
                    .hasSuffix("the schema says what it is"))
        }
        #expect(
            await tables.refusal(
                "CreateTable",
                #"{"TableName": "Todo-x-NONE", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}"#
            )
            .hasPrefix("ResourceInUseException"))
    }

    @Test("give back what was put, with what follows from it")
    func values() async throws {
        let tables = try tables()
        let item =
            #"{"id": {"S": "a"}, "title": {"S": "é"}, "count": {"N": "-3"}, "price": {"N": "1.25"}, "done": {"BOOL": false}, "tags": {"L": [{"S": "x"}]}, "meta": {"M": {"n": {"N": "1.5"}, "l": {"L": [{"NULL": true}]}}}, "note": {"NULL": true}}"#
        try await tables.done("PutItem", #"{"TableName": "Todo-x-NONE", "Item": \#(item)}"#)
        let found = try await tables.done("GetItem", #"{"TableName": "Todo-x-NONE", "Key": {"id": {"S": "a"}}}"#)
        var expected = try #require(try JSONReader.value(of: item).object)
        expected.set("__typename", to: ["S": "Todo"])
        #expect(found["Item"] == .object(expected))
        let old = try await tables.done(
            "UpdateItem",
            ##"{"TableName": "Todo-x-NONE", "Key": {"id": {"S": "a"}}, "UpdateExpression": "SET #c = #c + :n REMOVE title", "ExpressionAttributeNames": {"#c": "count"}, "ExpressionAttributeValues": {":n": {"N": "5"}}, "ReturnValues": "ALL_NEW"}"##
        )
        #expect(old["Attributes"]?["count"]?["N"] == "2")
        #expect(old["Attributes"]?["title"] == nil)
        try await tables.done("DeleteItem", #"{"TableName": "Todo-x-NONE", "Key": {"id": {"S": "a"}}}"#)
        #expect(try await tables.done("Scan", #"{"TableName": "Todo-x-NONE"}"#)["Count"] == 0)
        let none = try await tables.done(
            "UpdateItem",
            #"{"TableName": "Todo-x-NONE", "Key": {"id": {"S": "a"}}, "UpdateExpression": "REMOVE title", "ReturnValues": "ALL_NEW"}"#
        )
        #expect(none["Attributes"] == nil)
        #expect(try await tables.done("Scan", #"{"TableName": "Todo-x-NONE"}"#)["Count"] == 0)
    }

    @Test("are read without types as their items are, whatever the fields hold")
    func plain() async throws {
        let tables = try tables()
        for (table, item, key) in [
            ("Todo", #""id": {"S": "none"}"#, #""id": {"S": "none"}"#),
            (
                "Todo",
                #""id": {"S": "all"}, "title": {"S": "é\"\\"}, "note": {"NULL": true}, "count": {"N": "-9223372036854775808"}, "price": {"N": "1e100"}, "done": {"BOOL": true}, "tags": {"L": [{"S": "x"}, {"NULL": true}]}, "meta": {"M": {"z": {"N": "1.50"}, "a": {"L": [{"BOOL": false}]}}}, "state": {"S": "s"}"#,
                #""id": {"S": "all"}"#
            ),
            (
                "Todo",
                #""id": {"S": "few"}, "count": {"N": "9223372036854775807"}, "price": {"N": "-0.1"}, "meta": {"S": "t"}"#,
                #""id": {"S": "few"}"#
            ),
            (
                "Pair", #""a": {"S": "a"}, "b": {"N": "100"}, "c": {"S": "x#y"}, "b#c": {"S": "100#x#y"}"#,
                #""a": {"S": "a"}, "b#c": {"S": "100#x#y"}"#
            ),
        ] {
            try await tables.done("PutItem", #"{"TableName": "\#(table)-x-NONE", "Item": {\#(item)}}"#)
            let request = try #require(
                try JSONReader.value(of: #"{"TableName": "\#(table)-x-NONE", "Key": {\#(key)}}"#).object)
            let found = try await tables.service.answer("GetItem", request, on: ItemShard())
            let now = try tables.service.answerNow("GetItem", request, isPlain: true, on: ItemShard())
            #expect((now == nil) == TestDatabase.isOnServer)
            let plain = try #require(
                try await tables.service.answer("GetItem", request, isPlain: true, on: ItemShard())["Item"]?.object)
            #expect(now == nil || now?["Item"]?.object == plain)
            let expected = try Item(json: found["Item"] ?? .null).plain()
            #expect(plain == expected)
            #expect(plain.keys == expected.keys)
        }
    }

    @Test("lose the records whose time is up, where the project names the field that says when")
    func expiry() async throws {
        let tables = try tables(expiry: "count")
        let seconds = tables.service.now / 1_000
        for (id, time) in [("soon", "\(seconds + 5)"), ("later", "\(seconds + 500)"), ("ages", "1")] {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Todo-x-NONE", "Item": {"id": {"S": "\#(id)"}, "count": {"N": "\#(time)"}}}"#)
        }
        try await tables.done("PutItem", #"{"TableName": "Todo-x-NONE", "Item": {"id": {"S": "never"}}}"#)
        let told = try await tables.done("DescribeTimeToLive", #"{"TableName": "Todo-x-NONE"}"#)
        #expect(
            told["TimeToLiveDescription"] == ["TimeToLiveStatus": "ENABLED", "AttributeName": "count"])
        tables.service.sweep()
        tables.advance(milliseconds: 10_000)
        var left: Set<String> = []
        try await eventually("one record is gone: \(left)") {
            tables.service.sweep()
            let items = try await tables.done("Scan", #"{"TableName": "Todo-x-NONE"}"#)["Items"]?.array ?? []
            left = Set(items.compactMap { $0["id"]?["S"]?.string })
            return left.count < 4
        }
        #expect(left == ["later", "ages", "never"])
        // A field that holds no whole numbers says nothing of time.
        let others = try self.tables(expiry: "title")
        #expect(
            try await others.done("DescribeTimeToLive", #"{"TableName": "Todo-x-NONE"}"#)["TimeToLiveDescription"]
                == ["TimeToLiveStatus": "DISABLED"])
    }

    @Test(
        "refuse what a record cannot hold",
        arguments: [
            #""nope": {"N": "1"}"#, #""title": {"N": "1"}"#, #""count": {"N": "1.5"}"#, #""done": {"S": "true"}"#,
            #""tags": {"S": "x"}"#, #""meta": {"B": "AQ=="}"#, #""count": {"N": "1e100"}"#,
        ])
    func misfits(_ attribute: String) async throws {
        let tables = try tables()
        #expect(
            await tables.refusal("PutItem", #"{"TableName": "Todo-x-NONE", "Item": {"id": {"S": "a"}, \#(attribute)}}"#)
                .hasPrefix("ValidationException"))
        #expect(try await tables.done("Scan", #"{"TableName": "Todo-x-NONE"}"#)["Count"] == 0)
    }

    @Test("are gone through page by page while they are emptied", arguments: [1, 2, 3, 7])
    func emptied(_ limit: Int) async throws {
        let tables = try tables()
        for number in 0..<10 {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Pair-x-NONE", "Item": {"a": {"S": "p\#(number % 2)"}, "b": {"N": "\#(number)"}, "c": {"S": "x#\#(number)"}, "b#c": {"S": "\#(number)#x#\#(number)"}}}"#
            )
            try await tables.done(
                "PutItem",
                #"{"TableName": "Todo-x-NONE", "Item": {"id": {"S": "\#(number)"}, "state": {"S": "s"}, "count": {"N": "\#(number / 4)"}}}"#
            )
        }
        for (name, index, key) in [("Todo", #", "IndexName": "byState""#, ["id"]), ("Pair", "", ["a", "b#c"])] {
            var start = ""
            var count = 0
            for _ in 0..<30 {
                let page = try await tables.done(
                    "Scan", #"{"TableName": "\#(name)-x-NONE", "Limit": \#(limit)\#(index)\#(start)}"#)
                // The keys of `Pair` have the separator in their values: the record that a page ends at has to stay.
                let items = page["Items"]?.array ?? []
                for item in name == "Pair" ? items.dropLast() : items[...] {
                    let named = JSONObject(key.compactMap { name in item[name].map { (name, $0) } })
                    try await tables.done(
                        "DeleteItem",
                        #"{"TableName": "\#(name)-x-NONE", "Key": \#(JSONWriter.text(of: .object(named)))}"#)
                }
                count += items.count
                guard let last = page["LastEvaluatedKey"] else { break }
                start = #", "ExclusiveStartKey": \#(JSONWriter.text(of: last))"#
            }
            #expect(count == 10, "\(name)")
        }
    }

    @Test("have ranges of their indexes, in both directions")
    func ranges() async throws {
        let tables = try tables()
        for number in 0..<9 {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Todo-x-NONE", "Item": {"id": {"S": "\#(number)"}, "state": {"S": "s"}, "count": {"N": "\#(number)"}}}"#
            )
        }
        for (condition, forward) in [
            ("> :a", "5678"), ("<= :a", "01234"), ("BETWEEN :a AND :b", "4567"), ("= :a", "4"),
        ] {
            let values = condition.contains(bytesOf: ":b") ? #", ":b": {"N": "7"}"# : ""
            let query =
                ##"{"TableName": "Todo-x-NONE", "IndexName": "byState", "KeyConditionExpression": "#s = :s AND #c \##(condition)", "ExpressionAttributeNames": {"#s": "state", "#c": "count"}, "ExpressionAttributeValues": {":s": {"S": "s"}, ":a": {"N": "4"}\##(values)}"##
            func found(_ body: String) async throws -> String {
                (try await tables.done("Query", body)["Items"]?.array ?? []).map { $0["id"]?["S"]?.string ?? "" }
                    .joined()
            }
            #expect(try await found(query + "}") == forward)
            #expect(try await found(query + #", "ScanIndexForward": false}"#) == String(forward.reversed()))
        }
    }

    @Test("keep an attribute that is null, and tell it from one that is not there")
    func explicitNulls() async throws {
        let tables = try tables()
        let todo = #""TableName": "Todo-x-NONE", "Key": {"id": {"S": "a"}}"#
        func update(_ text: String, _ values: String = "") async throws {
            let values = values.isEmpty ? "" : #", "ExpressionAttributeValues": \#(values)"#
            try await tables.done(
                "UpdateItem",
                ##"{\##(todo), "UpdateExpression": "\##(text)", "ExpressionAttributeNames": {"#n": "note"}\##(values)}"##
            )
        }
        func isThere() async throws -> Bool {
            let body =
                ##"{\##(todo), "ConditionExpression": "attribute_exists(#n)", "UpdateExpression": "SET title = :t", "ExpressionAttributeNames": {"#n": "note"}, "ExpressionAttributeValues": {":t": {"S": "x"}}}"##
            return await tables.call("UpdateItem", body).status == 200
        }
        try await tables.done(
            "PutItem",
            #"{"TableName": "Todo-x-NONE", "Item": {"id": {"S": "a"}, "note": {"NULL": true}, "title": {"NULL": true}}}"#
        )
        #expect(try await isThere())
        #expect(try await tables.done("GetItem", "{\(todo)}")["Item"]?["note"] == ["NULL": true])
        try await update("SET #n = :n", #"{":n": {"S": "b"}}"#)
        #expect(try await tables.done("GetItem", "{\(todo)}")["Item"]?["note"] == ["S": "b"])
        try await update("SET #n = :n", #"{":n": {"NULL": true}}"#)
        #expect(try await isThere())
        #expect(try await tables.done("GetItem", "{\(todo)}")["Item"]?["note"] == ["NULL": true])
        try await update("REMOVE #n")
        #expect(try await !isThere())
    }

    @Test("go on behind a record that is gone, among others of the same key", arguments: [true, false])
    func goneOnes(_ isForward: Bool) async throws {
        let tables = try tables()
        for number in 0..<9 {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Todo-x-NONE", "Item": {"id": {"S": "\#(number * 7 % 9)"}, "state": {"S": "s"}, "count": {"N": "1"}}}"#
            )
        }
        var found: [String] = []
        var start = ""
        for _ in 0..<9 {
            let page = try await tables.done(
                "Query",
                ##"{"TableName": "Todo-x-NONE", "IndexName": "byState", "KeyConditionExpression": "#s = :s", "ExpressionAttributeNames": {"#s": "state"}, "ExpressionAttributeValues": {":s": {"S": "s"}}, "Limit": 2, "ScanIndexForward": \##(isForward)\##(start)}"##
            )
            let ids = (page["Items"]?.array ?? []).compactMap { $0["id"]?["S"]?.string }
            found += ids
            // The last of each page goes, and the first stays.
            if let last = ids.last {
                try await tables.done("DeleteItem", #"{"TableName": "Todo-x-NONE", "Key": {"id": {"S": "\#(last)"}}}"#)
            }
            guard let last = page["LastEvaluatedKey"] else { break }
            start = #", "ExclusiveStartKey": \#(JSONWriter.text(of: last))"#
        }
        #expect(found.count == 9)
        #expect(found.sorted() == (0..<9).map { "\($0)" })
    }

    @Test("keep no more ends of pages in mind than their limit")
    func endsAreBounded() {
        let ends = WalkEnds()
        for number in 0..<Int64(TableLimits.walkEndsMax * 2) {
            ends.note(number, for: ["id": .number(ItemNumber(Int(number)))], in: 1)
        }
        #expect(ends.count <= TableLimits.walkEndsMax)
        let last = Int64(TableLimits.walkEndsMax * 2 - 1)
        #expect(ends.row(of: ["id": .number(ItemNumber(Int(last)))], in: 1) == last)
        #expect(ends.row(of: ["id": .number(ItemNumber(Int(last)))], in: 2) == nil)
    }
}
