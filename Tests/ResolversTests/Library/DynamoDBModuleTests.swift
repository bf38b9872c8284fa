import JSON
import Testing

@testable import Resolvers

@Suite("Requests to tables: the module dynamodb")
struct DynamoDBModuleTests {
    static let rows = LibraryRow.table(
        "dynamodb.",
        [
            ("get", #"[{"key":{"id":"a"}}]"#, #"{"operation":"GetItem","key":{"id":{"S":"a"}}}"#),
            (
                "get", #"[{"key":{"id":"1"},"consistentRead":true,"projection":["id","a.b","a.c"]}]"#,
                ##"{"operation":"GetItem","key":{"id":{"S":"1"}},"consistentRead":true,"projection":{"expression":"#expName_1, #expName_2.#expName_3, #expName_2.#expName_4","expressionNames":{"#expName_1":"id","#expName_2":"a","#expName_3":"b","#expName_4":"c"}}}"##
            ),
            (
                "put", #"[{"key":{"id":"1"},"item":{"v":10,"n":null}}]"#,
                #"{"operation":"PutItem","key":{"id":{"S":"1"}},"attributeValues":{"v":{"N":10},"n":{"NULL":null}}}"#
            ),
            (
                "put",
                #"[{"key":{"id":"1"},"item":{},"condition":{"v":{"eq":1}},"customPartitionKey":"p","populateIndexFields":true,"_version":2}]"#,
                ##"{"operation":"PutItem","key":{"id":{"S":"1"}},"attributeValues":{},"condition":{"expression":"(#v = :v_eq)","expressionNames":{"#v":"v"},"expressionValues":{":v_eq":{"N":1}}},"customPartitionKey":"p","populateIndexFields":true,"_version":2}"##
            ),
            (
                "put",
                #"[{"key":{"id":"1"},"item":{"tags":{"$":"dynamodb.toStringSet","of":[["a","b"]]}},"condition":null}]"#,
                #"{"operation":"PutItem","key":{"id":{"S":"1"}},"attributeValues":{"tags":{"SS":["a","b"]}}}"#
            ),
            (
                "remove", #"[{"key":{"id":"1"},"condition":{"id":{"attributeExists":true}}}]"#,
                ##"{"operation":"DeleteItem","key":{"id":{"S":"1"}},"condition":{"expression":"(attribute_exists(#id))","expressionNames":{"#id":"id"}}}"##
            ),
            ("scan", "[{}]", #"{"operation":"Scan"}"#),
            ("scan", #"[{"limit":10,"nextToken":"abc"}]"#, #"{"operation":"Scan","limit":10,"nextToken":"abc"}"#),
            (
                "scan", #"[{"segment":0,"totalSegments":2,"filter":null}]"#,
                #"{"operation":"Scan","segment":0,"totalSegments":2}"#
            ),
            (
                "query", #"[{"query":{"id":{"eq":"1"},"sk":{"beginsWith":"x"}},"index":"i","scanIndexForward":false}]"#,
                ##"{"operation":"Query","query":{"expression":"(#id = :id_eq) AND (begins_with(#sk,:sk_beginsWith))","expressionNames":{"#id":"id","#sk":"sk"},"expressionValues":{":id_eq":{"S":"1"},":sk_beginsWith":{"S":"x"}}},"index":"i","scanIndexForward":false}"##
            ),
            (
                "sync", #"[{"basePartitionKey":"a","lastSync":5}]"#,
                #"{"operation":"Sync","basePartitionKey":"a","lastSync":5}"#
            ),
            (
                "batchGet",
                #"[{"tables":{"t":{"keys":[{"id":"1"}],"consistentRead":false,"projection":["id"]},"u":[{"id":2}]}}]"#,
                ##"{"operation":"BatchGetItem","tables":{"t":{"keys":[{"id":{"S":"1"}}],"consistentRead":false,"projection":{"expression":"#expName_1","expressionNames":{"#expName_1":"id"}}},"u":[{"id":{"N":2}}]}}"##
            ),
            (
                "batchPut", #"[{"tables":{"t":[{"id":"1","v":true}]}}]"#,
                #"{"operation":"BatchPutItem","tables":{"t":[{"id":{"S":"1"},"v":{"BOOL":true}}]}}"#
            ),
            (
                "batchDelete", #"[{"tables":{"t":[{"id":"1"}]}}]"#,
                #"{"operation":"BatchDeleteItem","tables":{"t":[{"id":{"S":"1"}}]}}"#
            ),
            (
                "transactGet", #"[{"items":[{"table":"t","key":{"id":"1"},"projection":["a"]}]}]"#,
                ##"{"operation":"TransactGetItems","transactItems":[{"table":"t","key":{"id":{"S":"1"}},"projection":{"expression":"#expName_1","expressionNames":{"#expName_1":"a"}}}]}"##
            ),
            (
                "transactWrite",
                #"[{"items":[{"putItem":{"table":"t","key":{"id":"1"},"item":{"a":1}}},{"updateItem":{"table":"t","key":{"id":"2"},"update":{"a":{"$":"dynamodb.operations.increment","of":[]}}}},{"deleteItem":{"table":"t","key":{"id":"3"}}},{"conditionCheck":{"table":"t","key":{"id":"4"},"condition":{"v":{"eq":1}}}}]}]"#,
                ##"{"operation":"TransactWriteItems","transactItems":[{"table":"t","operation":"PutItem","key":{"id":{"S":"1"}},"attributeValues":{"a":{"N":1}}},{"table":"t","operation":"UpdateItem","key":{"id":{"S":"2"}},"update":{"expression":"SET #expName_1 = #expName_1 + :expValue_1","expressionNames":{"#expName_1":"a"},"expressionValues":{":expValue_1":{"N":1}}}},{"table":"t","operation":"DeleteItem","key":{"id":{"S":"3"}}},{"table":"t","operation":"ConditionCheck","key":{"id":{"S":"4"}},"condition":{"expression":"(#v = :v_eq)","expressionNames":{"#v":"v"},"expressionValues":{":v_eq":{"N":1}}}}]}"##
            ),
            ("operations.add", "[10]", #"{"type":"OPERATION_ADD","value":10}"#),
            ("operations.append", "[[1,2]]", #"{"type":"OPERATION_APPEND","items":[1,2]}"#),
            ("operations.prepend", "[[1,2]]", #"{"type":"OPERATION_PREPEND","items":[1,2]}"#),
            ("operations.increment", "[10]", #"{"type":"OPERATION_INCREMENT","by":10}"#),
            ("operations.decrement", "[]", #"{"type":"OPERATION_DECREMENT","by":1}"#),
            ("operations.replace", #"[{"a":10}]"#, #"{"type":"OPERATION_REPLACE","value":{"a":10}}"#),
            ("toNumberSet", "[[1,2]]", #"{"NS":[1,2]}"#),
        ])

    @Test("a function makes a request", arguments: rows)
    func request(row: LibraryRow) throws {
        try LibraryCalls.check(row)
    }

    /// What is changed, the expression, its names in their order, and its values.
    static let updates: [(String, String, [String], String)] = [
        (#"{"a":true}"#, "SET #expName_1 = :expValue_1", ["a"], #"[{"BOOL":true}]"#),
        (#"{"a":null}"#, "SET #expName_1 = :expValue_1", ["a"], #"[{"NULL":null}]"#),
        (
            #"{"a":{"$":"dynamodb.operations.replace","of":[null]}}"#, "SET #expName_1 = :expValue_1", ["a"],
            #"[{"NULL":null}]"#
        ),
        (#"{"a":{"$":"dynamodb.operations.add","of":[10]}}"#, "SET #expName_1 = :expValue_1", ["a"], #"[{"N":10}]"#),
        (
            #"{"a":{"$":"dynamodb.operations.increment","of":[10]}}"#, "SET #expName_1 = #expName_1 + :expValue_1",
            ["a"], #"[{"N":10}]"#
        ),
        (
            #"{"a":{"$":"dynamodb.operations.decrement","of":[10]}}"#, "SET #expName_1 = #expName_1 - :expValue_1",
            ["a"], #"[{"N":10}]"#
        ),
        (
            #"{"a":{"$":"dynamodb.operations.append","of":[[1]]}}"#,
            "SET #expName_1 = list_append(#expName_1, :expValue_1)", ["a"], #"[{"L":[{"N":1}]}]"#
        ),
        (
            #"{"a":{"$":"dynamodb.operations.prepend","of":[[1]]}}"#,
            "SET #expName_1 = list_append(:expValue_1, #expName_1)", ["a"], #"[{"L":[{"N":1}]}]"#
        ),
        (
            #"{"a":[{"$":"dynamodb.operations.updateListItem","of":["x",1]},{"$":"dynamodb.operations.updateListItem","of":["y",2]}]}"#,
            "SET #expName_1[1] = :expValue_1, #expName_1[2] = :expValue_2", ["a"], #"[{"S":"x"},{"S":"y"}]"#
        ),
        (#"{"a":{"$":"dynamodb.operations.remove","of":[]}}"#, "REMOVE #expName_1", ["a"], "[]"),
        (
            #"{"a":{"$":"dynamodb.operations.remove","of":[]},"b":1,"c":{"$":"dynamodb.operations.remove","of":[]}}"#,
            "SET #expName_1 = :expValue_1 REMOVE #expName_2, #expName_3", ["b", "a", "c"], #"[{"N":1}]"#
        ),
        (
            #"{"info":{"address":{"$":"dynamodb.operations.replace","of":[{"a":1}]},"age":2,"old":{"$":"dynamodb.operations.remove","of":[]}}}"#,
            "SET #expName_1.#expName_2 = :expValue_1, #expName_1.#expName_3 = :expValue_2 REMOVE #expName_1.#expName_4",
            ["info", "address", "age", "old"], #"[{"M":{"a":{"N":1}}},{"N":2}]"#
        ),
        (#"{"info":{"a":{"b":1}}}"#, "SET #expName_1 = :expValue_1", ["info"], #"[{"M":{"a":{"M":{"b":{"N":1}}}}}]"#),
        ("{}", "", [], "[]"),
    ]

    @Test("an update sets first, and then removes", arguments: updates)
    func update(changes: String, expression: String, names: [String], values: String) throws {
        var calls = LibraryCalls()
        let request = try calls.run("dynamodb.update", #"[{"key":{"id":"1"},"update":\#(changes),"_version":3}]"#)
        let update = try #require(request["update"])
        #expect(update["expression"]?.string == expression)
        let found = try #require(update["expressionNames"]?.object).map(\.value.string)
        #expect(found.elementsEqual(names, by: ==), "\(found)")
        let bound = try #require(update["expressionValues"]?.object).map(\.value)
        #expect(.array(bound) == (try JSONReader.value(of: values)))
        #expect(request["_version"] == 3)
    }

    static let refusals: [(String, String, String)] = [
        ("dynamodb.get", "[]", "expects an object as argument 1, but there is none"),
        ("dynamodb.get", #"[{"key":"a"}]"#, "expects an object for 'key', but it is a string"),
        ("dynamodb.get", #"[{"key":{},"projection":[1]}]"#, "expects an array of strings for 'projection'"),
        ("dynamodb.query", #"[{"query":{"id":1}}]"#, "'query' is no filter"),
        ("dynamodb.remove", #"[{"key":{"id":1},"condition":{"owner":{}}}]"#, "'condition' names attributes"),
        ("dynamodb.batchPut", #"[{"tables":{"t":{}}}]"#, "expects lists of items"),
        ("dynamodb.batchPut", "[{}]", "expects an object for 'tables'"),
        ("dynamodb.transactWrite", #"[{"items":[{"getItem":{}}]}]"#, "knows only putItem"),
        (
            "dynamodb.update",
            #"[{"key":{},"update":{"a":[1,{"$":"dynamodb.operations.updateListItem","of":["x",1]}]}}]"#,
            "mixes items of a list"
        ),
    ]

    @Test("what makes no request is refused", arguments: refusals)
    func refused(name: String, arguments: String, message: String) throws {
        let error = try LibraryCalls.refusal(name, arguments)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "nothing")")
    }
}
