import Foundation
import JSON
import TestSupport
import Testing

/// The operations of tables that handlers ask for, through the real program.
@Suite("Tables of handlers, served")
struct TableHandlerTests {
    static let backend = """
        import { Stack } from 'aws-cdk-lib';
        import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
        const stack = backend.createStack('own');
        const table = new Table(stack, 'Things', { tableName: 'Things', partitionKey: { name: 'id', type: AttributeType.STRING }, sortKey: { name: 'at', type: AttributeType.NUMBER } });
        table.addGlobalSecondaryIndex({ indexName: 'byKind', partitionKey: { name: 'kind', type: AttributeType.STRING }, sortKey: { name: 'at', type: AttributeType.NUMBER } });
        backend.data.addDynamoDbDataSource('ThingsSource', table);
        """
    static let schema = """
        Order: a.model({ title: a.string(), count: a.integer(), tags: a.string().array(), at: a.datetime() })
          .secondaryIndexes((index) => [index('title')]).authorization((allow) => [allow.publicApiKey()]),
        onModel: a.mutation().arguments({ request: a.string().required() }).returns(a.string())
          .handler(a.handler.custom({ dataSource: a.ref('Order'), entry: './any.js' })).authorization(open),
        onThings: a.mutation().arguments({ request: a.string().required() }).returns(a.string())
          .handler(a.handler.custom({ dataSource: 'ThingsSource', entry: './any.js' })).authorization(open),
        nowhere: a.query().arguments({ request: a.string() }).returns(a.string())
          .handler(a.handler.custom({ dataSource: 'Absent', entry: './any.js' })).authorization(open),
        """
    /// Asks what it is given, and tells all that comes back.
    static let any = """
        export function request(ctx) {
          return JSON.parse(ctx.args.request.replaceAll('Order-API-NONE', 'Order-' + ctx.stash.awsAppsyncApiId + '-NONE'));
        }
        export function response(ctx) {
          return JSON.stringify({ result: ctx.result ?? null, error: ctx.error ?? null });
        }
        """

    /// A server with such a handler on a model and on a table of the project's own.
    struct Tables {
        let server: HomeportProcess

        init() throws {
            server = try ResolverProject(
                TableHandlerTests.schema, ["any.js": TableHandlerTests.any], backend: TableHandlerTests.backend
            )
            .serve()
        }

        /// `{result, error}` of a request; nil: the field failed, `message` says how.
        func ask(_ request: JSONValue, of field: String) throws -> (
            result: JSONValue, error: JSONValue, message: String
        ) {
            let answer = try server.value(
                of: "mutation M($r: String!) { \(field)(request: $r) }", ["r": JSONWriter.text(of: request)])
            let message = answer["errors"]?[0]?["message"]?.string ?? ""
            guard let text = answer["data"]?[field]?.string else {
                return (.null, ["type": answer["errors"]?[0]?["errorType"] ?? .null], message)
            }
            let told = try JSONReader.value(of: text)
            return (told["result"] ?? .null, told["error"] ?? .null, message)
        }

        func model(_ request: JSONValue) throws -> JSONValue { try ask(request, of: "onModel").result }
        func things(_ request: JSONValue) throws -> JSONValue { try ask(request, of: "onThings").result }
    }

    private static func key(_ id: String) -> JSONValue { ["id": ["S": .string(id)]] }

    @Test("a model's table takes and gives items as they are, and its API sees them")
    func models() throws {
        let tables = try Tables()
        #expect(try tables.model(["operation": "GetItem", "key": Self.key("o")]) == .null)
        let put = try tables.model([
            "operation": "PutItem", "key": Self.key("o"),
            "attributeValues": [
                "title": ["S": "first"], "count": ["N": 3], "tags": ["L": [["S": "a"]]], "at": ["NULL": .null],
                "createdAt": ["S": "2026-01-01T00:00:00.000Z"], "updatedAt": ["S": "2026-01-01T00:00:00.000Z"],
            ],
        ])
        #expect(put["id"] == "o" && put["title"] == "first" && put["count"] == 3 && put["tags"] == ["a"], "\(put)")
        #expect(
            try tables.server.answer(to: #"{ getOrder(id: "o") { title count tags at createdAt } }"#)
                == #"{"data":{"getOrder":{"title":"first","count":3,"tags":["a"],"at":null,"createdAt":"2026-01-01T00:00:00.000Z"}}}"#
        )
        let updated = try tables.model([
            "operation": "UpdateItem", "key": Self.key("o"),
            "update": [
                "expression": "SET #t = :t, #tags = list_append(#tags, :more) ADD #c :one",
                "expressionNames": ["#t": "title", "#tags": "tags", "#c": "count"],
                "expressionValues": [":t": ["S": "second"], ":more": ["L": [["S": "b"]]], ":one": ["N": 1]],
            ],
        ])
        #expect(updated["title"] == "second" && updated["count"] == 4 && updated["tags"] == ["a", "b"], "\(updated)")
        // Nothing is changed that nobody asked for.
        #expect(updated["updatedAt"] == "2026-01-01T00:00:00.000Z")
        let found = try tables.model([
            "operation": "Query", "index": "ordersByTitle",
            "query": [
                "expression": "title = :t", "expressionValues": [":t": ["S": "second"]],
            ],
        ])
        #expect(found["items"]?[0]?["id"] == "o" && found["nextToken"] == .null, "\(found)")
        let scanned = try tables.model([
            "operation": "Scan",
            "filter": .string(
                ##"{"expression":"#c = :c","expressionNames":{"#c":"count"},"expressionValues":{":c":{"N":4}}}"##),
        ])
        #expect(scanned["items"]?.array?.count == 1 && scanned["scannedCount"] == 1, "\(scanned)")
        #expect(try tables.model(["operation": "DeleteItem", "key": Self.key("o")])["id"] == "o")
        #expect(try tables.model(["operation": "DeleteItem", "key": Self.key("o")]) == .null)
    }

    @Test("names of tables that handlers put together from the stash are those of models")
    func names() throws {
        let tables = try Tables()
        let item: JSONValue = [
            "id": ["S": "b"], "title": ["S": "t"], "createdAt": ["S": "2026-01-01T00:00:00.000Z"],
            "updatedAt": ["S": "2026-01-01T00:00:00.000Z"],
        ]
        let put = try tables.ask(["operation": "BatchPutItem", "tables": ["Order-API-NONE": [item]]], of: "onModel")
        #expect(put.error == .null && put.result["unprocessedItems"]?.object?.count == 1, "\(put)")
        let got = try tables.model([
            "operation": "BatchGetItem",
            "tables": ["Order-API-NONE": ["keys": [Self.key("x"), Self.key("b")]]],
        ])
        let items = got["data"]?.object?.members.first?.value.array
        #expect(items?.count == 2 && items?.first == .null && items?.last?["title"] == "t", "\(got)")
        let written = try tables.model([
            "operation": "TransactWriteItems",
            "transactItems": [
                [
                    "table": "Order-API-NONE", "operation": "UpdateItem", "key": Self.key("b"),
                    "update": [
                        "expression": "SET #c = :c", "expressionNames": ["#c": "count"],
                        "expressionValues": [":c": ["N": 5]],
                    ],
                ]
            ],
        ])
        #expect(written["keys"] == [["id": "b"]] && written["cancellationReasons"] == .null, "\(written)")
        let read = try tables.model([
            "operation": "TransactGetItems",
            "transactItems": [["table": "Order-API-NONE", "key": Self.key("b")]],
        ])
        #expect(read["items"]?[0]?["count"] == 5, "\(read)")
        let refused = try tables.ask(
            [
                "operation": "TransactWriteItems",
                "transactItems": [
                    [
                        "table": "Order-API-NONE", "operation": "PutItem", "key": Self.key("b"),
                        "attributeValues": ["title": ["S": "other"]],
                        "condition": ["expression": "attribute_not_exists(id)"],
                    ],
                    ["table": "Order-API-NONE", "operation": "DeleteItem", "key": Self.key("z")],
                ],
            ], of: "onModel")
        #expect(refused.error["type"] == "DynamoDB:TransactionCanceledException", "\(refused)")
        #expect(refused.result["keys"] == .null)
        let reasons = refused.result["cancellationReasons"]
        #expect(
            reasons?[0]?["type"] == "ConditionCheckFailed" && reasons?[0]?["message"] == "The condition check failed.")
        #expect(reasons?[0]?["item"]?["id"] == "b", "\(refused)")
        #expect(reasons?[1] == ["type": "None", "message": "None"], "\(refused)")
    }

    @Test("conditions fail with the stored item, and what is so already is no failure")
    func conditions() throws {
        let tables = try Tables()
        func put(_ n: Int64, _ condition: JSONValue) -> JSONValue {
            [
                "operation": "PutItem", "key": ["id": ["S": "c"], "at": ["N": 1]],
                "attributeValues": ["n": ["N": .integer(n)]], "condition": condition,
            ]
        }
        let absent: JSONValue = ["expression": "attribute_not_exists(id)"]
        #expect(try tables.things(put(1, absent)) == ["n": 1, "id": "c", "at": 1])
        #expect(try tables.ask(put(1, absent), of: "onThings").error == .null)
        let failed = try tables.ask(put(2, absent), of: "onThings")
        #expect(failed.error["type"] == "DynamoDB:ConditionalCheckFailedException")
        #expect(
            failed.error["message"]?.string?.hasPrefix("The conditional request failed (Service: ") == true, "\(failed)"
        )
        #expect(failed.result["n"] == 1)
        let ignoring: JSONValue = ["expression": "attribute_not_exists(id)", "equalsIgnore": ["n"]]
        #expect(try tables.ask(put(3, ignoring), of: "onThings").error == .null)
        let absentDelete = try tables.ask(
            [
                "operation": "DeleteItem", "key": ["id": ["S": "gone"], "at": ["N": 1]],
                "condition": ["expression": "attribute_exists(id)"],
            ], of: "onThings")
        #expect(absentDelete.error == .null && absentDelete.result == .null, "\(absentDelete)")
        let update = try tables.ask(
            [
                "operation": "UpdateItem", "key": ["id": ["S": "gone"], "at": ["N": 1]],
                "update": ["expression": "SET n = :n", "expressionValues": [":n": ["N": 1]]],
                "condition": ["expression": "attribute_exists(id)"],
            ], of: "onThings")
        #expect(update.error["type"] == "DynamoDB:ConditionalCheckFailedException", "\(update)")
    }

    @Test("what is no request is the field's error; what the table refuses is the handler's")
    func refusals() throws {
        let tables = try Tables()
        for (request, message) in [
            ([:], "Value for field '$[operation]' not found."),
            (["operation": "GetItem"], "Value for field '$[key]' not found."),
            (["operation": "Query", "query": [:]], "Expression block '$[query]' requires an expression"),
            (["operation": "UpdateItem", "key": Self.key("a")], "Value for field '$[update]' not found."),
            (
                ["operation": "UpdateItem", "key": Self.key("a"), "update": [:]],
                "Expression block '$[update]' requires an expression"
            ),
            (
                ["operation": "TransactGetItems", "transactItems": [["table": "Things"]]],
                "Value for field '$[transactItems][0][key]' not found."
            ),
            (
                ["operation": "BatchGetItem", "tables": ["Things": [:]]],
                "Value for field '$[tables][Things][keys]' not found."
            ),
            (["operation": "Nothing"], "Unsupported operation 'Nothing'."),
        ] as [(JSONValue, String)] {
            let refused = try tables.ask(request, of: "onModel")
            #expect(refused.message == message && refused.error["type"] == "MappingTemplate", "\(refused)")
        }
        let key = try tables.ask(["operation": "GetItem", "key": ["other": ["S": "x"]]], of: "onModel")
        #expect(key.error["type"] == "DynamoDB:DynamoDbException", "\(key)")
        #expect(
            key.error["message"]?.string?.hasPrefix("The provided key element does not match the schema") == true,
            "\(key)")
        let table = try tables.ask(
            ["operation": "BatchGetItem", "tables": ["Nothing": ["keys": [Self.key("a")]]]], of: "onModel")
        #expect(table.error["type"] == "DynamoDB:ResourceNotFoundException", "\(table)")
        let nowhere = try tables.server.value(of: #"{ nowhere(request: "{}") }"#)
        #expect(nowhere["errors"]?[0]?["errorType"] == "NotImplemented", "\(nowhere)")
        #expect(nowhere["errors"]?[0]?["message"]?.string?.contains("there is no data source 'Absent'") == true)
    }

    @Test("items of a batch are in the order of their keys, also where the projection leaves the keys out")
    func projectedBatch() throws {
        let tables = try Tables()
        for n in 1...2 {
            _ = try tables.things([
                "operation": "PutItem", "key": Self.numbered(n),
                "attributeValues": ["n": ["N": .integer(Int64(n * 10))], "o": ["M": ["a": ["S": "x"]]]],
            ])
        }
        let keys: JSONValue = [Self.numbered(2), Self.numbered(3), Self.numbered(1)]
        for (projection, items) in [
            (["expression": "n"], [["n": 20], .null, ["n": 10]]),
            (
                ["expression": "#at, o.a", "expressionNames": ["#at": "at"]],
                [["at": 2, "o": ["a": "x"]], .null, ["at": 1, "o": ["a": "x"]]]
            ),
            (["expression": " id ,n"], [["id": "b", "n": 20], .null, ["id": "b", "n": 10]]),
        ] as [(JSONValue, JSONValue)] {
            let answer = try tables.things([
                "operation": "BatchGetItem", "tables": ["Things": ["keys": keys, "projection": projection]],
            ])
            #expect(answer["data"]?["Things"] == items, "\(answer)")
        }
    }

    private static func numbered(_ n: Int) -> JSONValue { ["id": ["S": "b"], "at": ["N": .integer(Int64(n))]] }

    @Test("pages go on by tokens that are good for their own field")
    func pages() throws {
        let tables = try Tables()
        for n in 1...5 {
            _ = try tables.things([
                "operation": "PutItem", "key": ["id": ["S": "p"], "at": ["N": .integer(Int64(n))]],
                "attributeValues": ["kind": ["S": "k"]],
            ])
        }
        func page(_ token: JSONValue, _ forward: Bool = true) -> JSONValue {
            [
                "operation": "Query", "index": "byKind", "limit": 2, "nextToken": token,
                "scanIndexForward": .bool(forward),
                "query": [
                    "expression": "#k = :k AND #at BETWEEN :a AND :b", "expressionNames": ["#k": "kind", "#at": "at"],
                    "expressionValues": [":k": ["S": "k"], ":a": ["N": 2], ":b": ["N": 5]],
                ],
            ]
        }
        let first = try tables.things(page(.null))
        #expect(first["items"]?.array?.map { $0["at"] ?? .null } == [2, 3], "\(first)")
        let second = try tables.things(page(first["nextToken"] ?? .null))
        #expect(second["items"]?.array?.map { $0["at"] ?? .null } == [4, 5], "\(second)")
        let backward = try tables.things(page(.null, false))
        #expect(backward["items"]?.array?.map { $0["at"] ?? .null } == [5, 4], "\(backward)")
        let changed = try tables.ask(
            page(.string("x\(first["nextToken"]?.string ?? "")")), of: "onThings")
        #expect(changed.message == "Invalid pagination token given.", "\(changed)")
        let elsewhere = try tables.ask(page(first["nextToken"] ?? .null), of: "onModel")
        #expect(elsewhere.message == "Invalid pagination token given.", "\(elsewhere)")
    }
}
