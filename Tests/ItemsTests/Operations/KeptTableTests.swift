import JSON
import Testing

@testable import Items

/// Tables that a program of the server defines, without a request.
@Suite("Tables that are kept")
struct KeptTableTests {
    private static func attribute(_ name: String) -> KeyAttribute { KeyAttribute(name, .string) }

    private static func index(
        _ name: String, _ projection: IndexProjection = .all, isLocal: Bool = false
    ) -> IndexShape {
        IndexShape(
            name, number: 0, isLocal ? KeySchema(attribute("p"), attribute("l")) : KeySchema(attribute("g")),
            projection,
            isLocal: isLocal)
    }

    private static func shape(
        _ name: String = "Kept", sort: String? = "s", locals: [IndexShape] = [], globals: [IndexShape] = []
    ) throws(ItemError) -> TableShape {
        try TableShape(name, KeySchema(attribute("p"), sort.map(attribute)), locals: locals, globals: globals)
    }

    @Test("are made with all that is said of them, as a request makes them")
    func made() async throws {
        let tables = try TestTables()
        var wanted = try Self.shape(
            locals: [Self.index("byL", .include(["c"]), isLocal: true)], globals: [Self.index("byG", .keysOnly)])
        wanted.expiry = "gone"
        #expect(try await tables.service.keep(wanted, streaming: .both).isEmpty)
        let table = try await tables.done("DescribeTable", #"{"TableName": "Kept"}"#)["Table"]
        #expect(table?["KeySchema"]?.array?.count == 2 && table?["AttributeDefinitions"]?.array?.count == 4)
        #expect(table?["BillingModeSummary"]?["BillingMode"] == "PAY_PER_REQUEST")
        let (local, global) = (table?["LocalSecondaryIndexes"], table?["GlobalSecondaryIndexes"])
        #expect(local?[0]?["Projection"] == ["ProjectionType": "INCLUDE", "NonKeyAttributes": ["c"]])
        #expect(global?[0]?["IndexName"] == "byG" && global?[0]?["IndexStatus"] == "ACTIVE")
        #expect(table?["StreamSpecification"]?["StreamViewType"] == "NEW_AND_OLD_IMAGES")
        #expect(
            try await tables.done("DescribeTimeToLive", #"{"TableName": "Kept"}"#)["TimeToLiveDescription"]?[
                "AttributeName"] == "gone")
        // The same once more changes nothing.
        #expect(try await tables.service.keep(wanted, streaming: .both).isEmpty)
        #expect(try await tables.done("DescribeTable", #"{"TableName": "Kept"}"#)["Table"] == table)
    }

    @Test("come to have indexes, streams and expiry; items that are there are in a new index; the rest is told")
    func changed() async throws {
        let tables = try TestTables()
        _ = try await tables.service.keep(try Self.shape(globals: [Self.index("old")]), streaming: .keysOnly)
        try await tables.done(
            "PutItem", #"{"TableName": "Kept", "Item": {"p": {"S": "a"}, "s": {"S": "b"}, "g": {"S": "c"}}}"#)
        var wanted = try Self.shape(
            locals: [Self.index("byL", isLocal: true)], globals: [Self.index("byG"), Self.index("old", .keysOnly)])
        wanted.expiry = "gone"
        let stays = try await tables.service.keep(wanted, streaming: .newImage)
        #expect(stays == ["no such local index as byL", "another index old"], "\(stays)")
        try await tables.settle()
        let found = try await tables.done(
            "Query",
            #"""
            {"TableName": "Kept", "IndexName": "byG", "KeyConditionExpression": "g = :g",
             "ExpressionAttributeValues": {":g": {"S": "c"}}}
            """#)
        #expect(found["Count"] == 1)
        let table = try await tables.done("DescribeTable", #"{"TableName": "Kept"}"#)["Table"]
        #expect(table?["StreamSpecification"]?["StreamViewType"] == "NEW_IMAGE")
        #expect(try await tables.service.keep(try Self.shape(sort: nil), streaming: nil) == ["another key"])
    }

    @Test(
        "have the limits and the words of those that requests make",
        arguments: [
            ("a", "s", [], [], "Invalid table/index name"),
            ("Kept", nil, [index("byL", isLocal: true)], [], "not allowed on hash tables"),
            ("Kept", "s", [index("x!", isLocal: true)], [], "Invalid table/index name"),
            ("Kept", "s", [index("byL", isLocal: true), index("byL", isLocal: true)], [], "Duplicate index name: byL"),
            ("Kept", "s", [], [index("byG"), index("byG")], "Duplicate index name: byG"),
            ("Kept", "s", (0..<6).map { index("by\($0)", isLocal: true) }, [], "exceeds per-table limit of 5"),
            ("Kept", "s", [], (0..<21).map { index("by\($0)") }, "count exceeds the per-table limit"),
            ("Kept", "", [], [], "between 1 and 255 characters"),
            (
                "Kept", "s", [], [index("byG", .include((0...TableLimits.projectedAttributesMax).map { "a\($0)" }))],
                "Number of projected attributes"
            ),
        ] as [(String, String?, [IndexShape], [IndexShape], String)])
    func refused(
        name: String, sort: String?, locals: [IndexShape], globals: [IndexShape], message: String
    ) throws {
        do throws(ItemError) {
            _ = try Self.shape(name, sort: sort, locals: locals, globals: globals)
            Issue.record("it was taken")
        } catch {
            #expect(error.message.contains(message), "\(error.message)")
        }
    }

    @Test("take no name of a model's table")
    func model() async throws {
        let tables = try TestTables()
        let (blueprint, store) = (tables.blueprint, tables.store)
        tables.service.serve {
            blueprint.models.compactMap { model in
                store.layout.table(of: model).flatMap {
                    ModelTable($0, of: model.name, named: "Kept", clock: store.changeClock)
                }
            }
        }
        do throws(ItemError) {
            _ = try await tables.service.keep(try Self.shape(), streaming: nil)
            Issue.record("it was made")
        } catch {
            #expect(error.message == "Kept is the table of a model: the schema says what it is")
        }
    }
}
