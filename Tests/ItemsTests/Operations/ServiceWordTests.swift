import JSON
import Testing

@testable import Items

/// What the service says today, row by row: the operation, the request, the name and the text of the refusal.
@Suite("Refusals in the service's words")
struct ServiceWordTests {
    struct Row: Sendable {
        let operation: String
        let body: String
        let refusal: String

        init(_ operation: String, _ body: String, _ refusal: String, isWhole: Bool = false) {
            self.operation = operation
            self.body = isWhole ? body : #"{"TableName": "Things", \#(body)}"#
            self.refusal = refusal
        }
    }

    private static let key = #""Key": {"p": {"S": "a"}, "s": {"N": "1"}}"#
    private static let parameter = "ValidationException: 1 validation error detected: "
    private static let invalid = "ValidationException: One or more parameter values were invalid: "

    private static let writes: [Row] = [
        Row(
            "UpdateItem", ##"\##(key), "UpdateExpression": "SET x = y", "ExpressionAttributeNames": {"#c": "c"}"##,
            parameter + "Value provided in ExpressionAttributeNames unused in expressions: keys: {#c}"),
        Row(
            "DeleteItem", ##"\##(key), "ConditionExpression": "x = y", "ExpressionAttributeNames": {"#c": "c"}"##,
            parameter + "Value provided in ExpressionAttributeNames unused in expressions: keys: {#c}"),
        Row(
            "UpdateItem", #"\#(key), "UpdateExpression": """#,
            parameter + "Invalid UpdateExpression: The expression can not be empty;"),
        Row(
            "UpdateItem", #"\#(key), "UpdateExpression": "ADD x :x", "ExpressionAttributeValues": {":x": {"SS": []}}"#,
            parameter + "One or more parameter values were invalid: An string set  may not be empty"),
        Row(
            "PutItem", #""Item": {"p": {"S": "a"}, "s": {"N": "1"}, "x": {"NS": []}}"#,
            parameter + "One or more parameter values were invalid: An number set  may not be empty"),
        Row(
            "PutItem", #""ReturnValues": "NONE""#,
            parameter + "Value null at 'item' failed to satisfy constraint: Member must not be null"),
        Row(
            "PutItem", #""Item": {"p": {"S": "a"}, "s": {"N": "1"}, "x": {"N": "ten"}}"#,
            parameter + "The parameter cannot be converted to a numeric value: ten"),
        Row(
            "PutItem",
            #""Item": {"p": {"S": "a"}, "s": {"N": "1"}, "x": {"N": "\#(String(repeating: "1", count: 39))"}}"#,
            parameter + "Attempting to store more than 38 significant digits in a Number"),
        Row(
            "UpdateItem",
            #"\#(key), "UpdateExpression": "SET x = list_append(list_append(l, l), l)""#,
            parameter
                + "Invalid UpdateExpression: The function is not allowed to be used this way in an expression; function: list_append"
        ),
        Row("PutItem", #""Item": {"p": {"S": "a"}}"#, invalid + "Missing the key s in the item"),
        Row(
            "BatchWriteItem", #"{"RequestItems": {"Things": [{"PutRequest": {"Item": {"p": {"S": "a"}}}}]}}"#,
            "ValidationException: The provided key element does not match the schema", isWhole: true),
        Row(
            "PutItem", #""Item": {"p": {"N": "1"}, "s": {"N": "1"}}"#,
            invalid + "Type mismatch for key p expected: S actual: N"),
        Row(
            "PutItem", #""Item": {"p": {"S": "a"}, "s": {"N": "1"}, "g": {"NULL": true}}"#,
            invalid + "Type mismatch for Index Key g Expected: S Actual: NULL IndexName: byG"),
        Row(
            "UpdateItem", #"\#(key), "UpdateExpression": "SET g = :g", "ExpressionAttributeValues": {":g": {"S": ""}}"#,
            "ValidationException: One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value."
        ),
        Row(
            "PutItem", #""Item": {"p": {"S": "\#(String(repeating: "x", count: 2_049))"}, "s": {"N": "1"}}"#,
            invalid + "Size of hashkey has exceeded the maximum size limit of2048 bytes"),
        Row(
            "UpdateItem", #"\#(key), "ConditionalOperator": "OR", "AttributeUpdates": {"x": {"Value": {"S": "x"}}}"#,
            parameter + "ConditionalOperator cannot be used without Filter or Expected"),
    ]

    private static let condition =
        #""KeyConditionExpression": "p = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}"#

    private static let reads: [Row] = [
        Row(
            "GetItem", #""Key": {"p": {"S": "a"}}"#,
            "ValidationException: The provided key element does not match the schema"),
        Row(
            "GetItem", #""Key": {"p": {"S": "a"}, "s": {"S": "1"}}"#,
            "ValidationException: The provided key element does not match the schema"),
        Row(
            "GetItem", ##"\##(key), "ProjectionExpression": "x", "ExpressionAttributeNames": {"#c": "c"}"##,
            "ValidationException: Value provided in ExpressionAttributeNames unused in expressions: keys: {#c}"),
        Row(
            "Query", #""KeyConditionExpression": "s = :s", "ExpressionAttributeValues": {":s": {"N": "1"}}"#,
            "ValidationException: Query condition missed key schema element: p"),
        Row(
            "Query", #"\#(condition), "Select": "ALL_PROJECTED_ATTRIBUTES""#,
            parameter + "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"),
        Row(
            "Query", #"\#(condition), "Select": "SPECIFIC_ATTRIBUTES""#,
            parameter
                + "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"),
        Row(
            "Query", #"\#(condition), "Select": "COUNT", "ProjectionExpression": "x""#,
            parameter + "Cannot specify the ProjectionExpression when choosing to get only the Count"),
        Row(
            "Scan", #""Select": "COUNT", "ProjectionExpression": "x""#,
            "ValidationException: Cannot specify the ProjectionExpression when choosing to get only the Count"),
        Row(
            "Scan", #""Select": "count""#,
            parameter
                + "Value 'count' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"
        ),
        Row(
            "Scan", #""IndexName": "byG", "ConsistentRead": true"#,
            "ValidationException: Consistent reads are not supported on global secondary indexes"),
        Row(
            "Query",
            #""IndexName": "byG", "ConsistentRead": true, "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "g"}}"#,
            "ValidationException: Consistent reads are not supported on global secondary indexes"),
        Row(
            "Scan", #""Segment": 3, "TotalSegments": 3"#,
            "ValidationException: The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 3 is not less than TotalSegments: 3"
        ),
        Row(
            "Scan", #""Segment": 0"#,
            "ValidationException: The TotalSegments parameter is required but was not present in the request when Segment parameter is present"
        ),
        Row(
            "Scan", #""TotalSegments": 3"#,
            "ValidationException: The Segment parameter is required but was not present in the request when parameter TotalSegments is present"
        ),
        Row(
            "Scan", #""ExclusiveStartKey": {"p": {"S": "a"}, "s": {"N": "1"}, "x": {"S": "x"}}"#,
            "ValidationException: The provided starting key is invalid: The provided key element does not match the schema"
        ),
        Row(
            "BatchGetItem",
            #"{"RequestItems": {"Things": {"Keys": [{"p": {"S": "a"}, "s": {"N": "1"}}, {"p": {"S": "a"}, "s": {"N": "1.0"}}]}}}"#,
            "ValidationException: Provided list of item keys contains duplicates", isWhole: true),
    ]

    private static func creation(_ rest: String) -> String {
        #""BillingMode": "PAY_PER_REQUEST", \#(rest)"#
    }
    private static let p = #"{"AttributeName": "p", "AttributeType": "S"}"#
    private static let hash = #""KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}]"#

    private static let tables: [Row] = [
        Row(
            "CreateTable",
            creation(
                #""AttributeDefinitions": [\#(p)], "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "SORT"}]"#
            ),
            parameter
                + "Value 'SORT' at 'keySchema.2.member.keyType' failed to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]"
        ),
        Row(
            "CreateTable",
            creation(#""AttributeDefinitions": [\#(p), {"AttributeName": "x", "AttributeType": "S"}], \#(hash)"#),
            invalid + "Some AttributeDefinitions are not used. AttributeDefinitions: [p, x], keys used: [p]"),
        Row(
            "CreateTable",
            creation(#""AttributeDefinitions": [{"AttributeName": "x", "AttributeType": "S"}], \#(hash)"#),
            invalid
                + "Some index key attributes are not defined in AttributeDefinitions. Keys: [p], AttributeDefinitions: [x]"
        ),
        Row(
            "CreateTable", creation(#""AttributeDefinitions": [\#(p)], \#(hash), "LocalSecondaryIndexes": []"#),
            invalid + "List of LocalSecondaryIndexes is empty"),
        Row(
            "CreateTable", creation(#""AttributeDefinitions": [\#(p)], \#(hash), "GlobalSecondaryIndexes": []"#),
            invalid + "List of GlobalSecondaryIndexes is empty"),
        Row(
            "CreateTable", creation(#""AttributeDefinitions": [\#(p), \#(p)], \#(hash)"#),
            invalid + "Duplicate AttributeName in AttributeDefinitions: p"),
        Row(
            "TagResource",
            #"{"ResourceArn": "arn:aws:dynamodb:us-east-1:123456789012:table/Things", "Tags": [{"Key": "aws:x", "Value": "y"}]}"#,
            invalid + "The Key of a tag must not begin with aws:", isWhole: true),
    ]

    @Test("come from writes, reads and tables")
    func words() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        for row in Self.writes + Self.reads + Self.tables {
            #expect(await tables.refusal(row.operation, row.body) == row.refusal, "\(row.operation) \(row.body)")
        }
    }

    @Test("come with a table that has continuous backups, without the recovery of a point in time")
    func continuousBackups() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let answer = try await tables.done("DescribeContinuousBackups", #"{"TableName": "Things"}"#)
        let description = answer["ContinuousBackupsDescription"]
        #expect(description?["ContinuousBackupsStatus"] == "ENABLED")
        #expect(description?["PointInTimeRecoveryDescription"]?["PointInTimeRecoveryStatus"] == "DISABLED")
    }

    @Test(
        "come with a table whose payment is said where nobody said throughput",
        arguments: [
            (#""BillingMode": "PAY_PER_REQUEST""#, "PAY_PER_REQUEST"),
            (
                #""BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}"#,
                nil
            ),
        ])
    func billing(said: String, told: String?) async throws {
        let answer = try await TestTables().done(
            "CreateTable", #"{"TableName": "Paid", "AttributeDefinitions": [\#(Self.p)], \#(Self.hash), \#(said)}"#)
        #expect(answer["TableDescription"]?["BillingModeSummary"]?["BillingMode"]?.string == told)
    }

    @Test(
        "come from values whose JSON has another form",
        arguments: [
            #""x": {"N": 3}"#, #""x": {"S": 3}"#, #""x": {"N": true}"#, #""x": "text""#, #""x": {"NS": [1]}"#,
            #""x": {"L": ["a"]}"#, #""x": {"M": {"y": {"N": 3}}}"#,
        ])
    func forms(_ attribute: String) async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let value = try #require(try JSONReader.value(of: "{\(attribute)}")["x"])
        let text = JSONWriter.text(of: value)
        let item = #"{"p": {"S": "a"}, "s": {"N": "1"}, "x": \#(text)}"#
        for (operation, body) in [
            ("PutItem", #"{"TableName": "Things", "Item": \#(item)}"#),
            ("BatchWriteItem", #"{"RequestItems": {"Things": [{"PutRequest": {"Item": \#(item)}}]}}"#),
            ("TransactWriteItems", #"{"TransactItems": [{"Put": {"TableName": "Things", "Item": \#(item)}}]}"#),
            (
                "UpdateItem",
                #"{"TableName": "Things", \#(Self.key), "UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": \#(text)}}"#
            ),
            ("UpdateItem", #"{"TableName": "Things", \#(Self.key), "AttributeUpdates": {"x": {"Value": \#(text)}}}"#),
            (
                "Scan",
                #"{"TableName": "Things", "ScanFilter": {"x": {"ComparisonOperator": "EQ", "AttributeValueList": [\#(text)]}}}"#
            ),
        ] {
            #expect(
                await tables.refusal(operation, body).hasPrefix("SerializationException"), "\(operation) \(body)")
        }
        #expect(try await tables.done("Scan", #"{"TableName": "Things"}"#)["Count"] == 0)
    }

    @Test("cancel a transaction, with a reason for the first part that does not fit its table")
    func reasons() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        func put(_ item: String) -> String { #"{"Put": {"TableName": "Things", "Item": {\#(item)}}}"# }
        let right = put(#""p": {"S": "a"}, "s": {"N": "1"}"#)
        let rows: [(entries: [String], codes: [String])] = [
            ([right, put(#""p": {"N": "1"}, "s": {"N": "1"}"#)], ["None", "ValidationError"]),
            ([put(#""p": {"S": "b"}"#), right], ["ValidationError", "None"]),
            (
                [
                    #"{"Update": {"TableName": "Things", \#(Self.key), "UpdateExpression": "SET s = :s", "ExpressionAttributeValues": {":s": {"N": "1"}}}}"#,
                    put(#""p": {"S": "b"}, "s": {"N": "1"}"#), put(#""p": {"S": "c"}"#),
                ], ["ValidationError", "None", "None"]
            ),
            (
                [
                    put(#""p": {"S": "b"}, "s": {"N": "1"}"#),
                    #"{"Update": {"TableName": "Things", \#(Self.key), "UpdateExpression": "SET x = absent"}}"#,
                ], ["None", "ValidationError"]
            ),
        ]
        for row in rows {
            let (_, json) = await tables.call(
                "TransactWriteItems", #"{"TransactItems": [\#(row.entries.joined(separator: ","))]}"#)
            #expect(json["CancellationReasons"]?.array?.map { $0["Code"]?.string } == row.codes, "\(row.entries)")
        }
        let (_, json) = await tables.call(
            "TransactGetItems",
            #"{"TransactItems": [{"Get": {"TableName": "Things", "Key": {"p": {"S": "a"}}}}, {"Get": {"TableName": "Things", \#(Self.key)}}]}"#
        )
        #expect(json["CancellationReasons"]?.array?.map { $0["Code"]?.string } == ["ValidationError", "None"])
        #expect(try await tables.done("Scan", #"{"TableName": "Things"}"#)["Count"] == 0)
    }
}
