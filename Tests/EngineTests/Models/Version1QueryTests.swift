import Testing

@testable import Engine

@Suite("Schemas of version 1 of the transformer")
struct Version1QueryTests {
    private static let failed =
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request. "
        + "(Service: DynamoDb, Status Code: 400, Request ID: …)"

    static let scenarios = [
        Scenario(
            "a query by a key reads nothing without the partition, though the argument is not required",
            """
            type Item @model @key(name: "byShop", fields: ["shop", "price"], queryField: "itemsByShop") {
              id: ID! shop: String! price: Int
            }
            """,
            [
                .init(
                    #"mutation { createItem(input: {id: "1", shop: "a", price: 2}) { id } }"#,
                    #"{"data":{"createItem":{"id":"1"}}}"#),
                .init(
                    #"query Q($shop: String) { itemsByShop(shop: $shop, price: {gt: 1}) { items { id } } }"#,
                    #"{"shop": "a"}"#, #"{"data":{"itemsByShop":{"items":[{"id":"1"}]}}}"#),
                .init(
                    #"query Q($shop: String) { itemsByShop(shop: $shop) { items { id } } }"#, "{}",
                    Scenario.failure("itemsByShop", failed, "DynamoDB:DynamoDbException", column: 26)),
                .init(
                    #"{ itemsByShop { items { id } } }"#,
                    Scenario.failure("itemsByShop", failed, "DynamoDB:DynamoDbException", column: 3)),
            ]),
        Scenario(
            "a list is queried by the key field that it is given",
            """
            type Post @model { id: ID! comments: [Comment] @connection(keyField: "postID") }
            type Comment @model { id: ID! postID: ID! }
            """,
            [
                .init(
                    #"mutation { createPost(input: {id: "p"}) { id } }"#, #"{"data":{"createPost":{"id":"p"}}}"#),
                .init(
                    #"mutation { createComment(input: {id: "c", postID: "p"}) { postID } }"#,
                    #"{"data":{"createComment":{"postID":"p"}}}"#),
                .init(
                    #"mutation { createComment(input: {id: "d", postID: "q"}) { postID } }"#,
                    #"{"data":{"createComment":{"postID":"q"}}}"#),
                .init(
                    #"{ getPost(id: "p") { comments { items { id } } } }"#,
                    #"{"data":{"getPost":{"comments":{"items":[{"id":"c"}]}}}}"#),
            ]),
        Scenario(
            "a list is queried by a key field that is in inputs alone",
            """
            type Post @model { id: ID! comments: [Comment] @connection(keyField: "postID") }
            type Comment @model { id: ID! }
            """,
            [
                .init(
                    #"mutation { createPost(input: {id: "p"}) { id } }"#, #"{"data":{"createPost":{"id":"p"}}}"#),
                .init(
                    #"mutation { createComment(input: {id: "c", postID: "p"}) { id } }"#,
                    #"{"data":{"createComment":{"id":"c"}}}"#),
                .init(
                    #"{ getPost(id: "p") { comments { items { id } } } }"#,
                    #"{"data":{"getPost":{"comments":{"items":[{"id":"c"}]}}}}"#),
            ]),
        Scenario(
            "a single record is found by a sort key, and by a part of its key",
            """
            type Post @model {
              id: ID! at: String name: ID
              tag: Tag @connection(sortField: "at") first: Tag @connection(fields: ["name"])
            }
            type Tag @model @key(fields: ["name", "at"]) { name: ID! at: String! }
            """,
            [
                .init(
                    #"mutation { createTag(input: {name: "n", at: "1"}) { at } }"#,
                    #"{"data":{"createTag":{"at":"1"}}}"#),
                .init(
                    #"mutation { createTag(input: {name: "n", at: "2"}) { at } }"#,
                    #"{"data":{"createTag":{"at":"2"}}}"#),
                .init(
                    #"mutation { createPost(input: {id: "p", postTagId: "n", at: "2", name: "n"}) { id } }"#,
                    #"{"data":{"createPost":{"id":"p"}}}"#),
                .init(
                    #"{ getPost(id: "p") { tag { at } first { at } } }"#,
                    #"{"data":{"getPost":{"tag":{"at":"2"},"first":{"at":"1"}}}}"#),
            ]),
        Scenario(
            "the version of a record is counted whatever an input says",
            "type Note @model @versioned { id: ID! version: Int t: String }",
            [
                .init(
                    #"mutation { createNote(input: {id: "n"}) { version } }"#,
                    #"{"data":{"createNote":{"version":1}}}"#),
                .init(
                    #"mutation { updateNote(input: {id: "n", expectedVersion: 1, version: 9}) { version } }"#,
                    #"{"data":{"updateNote":{"version":2}}}"#),
            ]),
        Scenario(
            "a search takes one order",
            "type Note @model @searchable { id: ID! n: Int }",
            [
                .init(
                    #"mutation { createNote(input: {id: "a", n: 1}) { n } }"#,
                    #"{"data":{"createNote":{"n":1}}}"#),
                .init(
                    #"mutation { createNote(input: {id: "b", n: 2}) { n } }"#,
                    #"{"data":{"createNote":{"n":2}}}"#),
                .init(
                    #"{ searchNotes(sort: {field: n, direction: desc}) { total items { n } } }"#,
                    #"{"data":{"searchNotes":{"total":2,"items":[{"n":2},{"n":1}]}}}"#),
            ]),
    ]

    @Test("run as they are", arguments: scenarios)
    func run(scenario: Scenario) async throws {
        try await scenario.run(transformerVersion: 1)
    }
}
