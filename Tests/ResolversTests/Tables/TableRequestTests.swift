import JSON
import Testing

@testable import Resolvers

@Suite("Requests of tables")
struct TableRequestTests {
    private static func key(_ id: String) -> JSONValue { ["id": ["S": .string(id)]] }

    @Test(
        "a value that is not typed is refused with its place",
        arguments: [
            (["operation": "GetItem", "key": ["id": "a"]], "[key][id]", "STRING"),
            (["operation": "DeleteItem", "key": ["id": .null]], "[key][id]", "NULL"),
            (["operation": "PutItem", "key": key("a"), "attributeValues": ["n": 1]], "[attributeValues][n]", "NUMBER"),
            (
                ["operation": "PutItem", "key": key("a"), "attributeValues": ["l": ["L": [["S": "x"], true]]]],
                "[attributeValues][l][L][1]", "BOOLEAN"
            ),
            (
                ["operation": "PutItem", "key": key("a"), "attributeValues": ["m": ["M": ["k": ["L": [[]]]]]]],
                "[attributeValues][m][M][k][L][0]", "ARRAY"
            ),
            (
                [
                    "operation": "UpdateItem", "key": key("a"),
                    "update": ["expression": "SET n = :n", "expressionValues": [":n": "1"]],
                ], "[update][expressionValues][:n]", "STRING"
            ),
            (
                ["operation": "Query", "query": ["expression": "id = :id", "expressionValues": [":id": "a"]]],
                "[query][expressionValues][:id]", "STRING"
            ),
            (
                ["operation": "BatchGetItem", "tables": ["Things": ["keys": [["id": "a"]]]]],
                "[tables][Things][keys][0][id]", "STRING"
            ),
            (
                ["operation": "BatchPutItem", "tables": ["Things": [key("a"), ["id": "b"]]]],
                "[tables][Things][1][id]", "STRING"
            ),
            (
                [
                    "operation": "TransactWriteItems",
                    "transactItems": [["table": "Things", "operation": "PutItem", "key": ["id": 1]]],
                ],
                "[transactItems][0][key][id]", "NUMBER"
            ),
        ] as [(JSONValue, String, String)])
    func untyped(_ request: JSONValue, _ place: String, _ found: String) {
        do throws(ResolverError) {
            _ = try TableRequest(request, to: TableRequest.Source(table: "Things"), .none, now: 0)
            Issue.record("it is a request")
        } catch {
            #expect(error.type == "MappingTemplate")
            #expect(
                error.message == "Expected JSON object for attribute value '$\(place)' but got a '\(found)' instead.")
        }
    }
}
