import Blueprint
import JSON
import PostgresSupport
import Store
import Synchronization
import Testing

@testable import Items

/// The service over a database of its own, with a clock that the test moves.
final class TestTables: Sendable {
    let service: ItemService
    let store: Store
    private let box: Clock

    let blueprint: Blueprint

    init(
        at location: Store.Location? = nil, schema: String = "type A @model { id: ID! }", isSynced: Bool = false,
        decisionMilliseconds: Int64 = TableLimits.decisionMilliseconds
    )
        throws
    {
        var settings = Settings()
        if isSynced { settings.conflictStrategy = .automerge }
        let blueprint = try #require(SDLReader.read(schema, settings: settings).blueprint)
        self.blueprint = blueprint
        store = try Store(location ?? TestDatabase.location(), for: blueprint, nowMilliseconds: 0) {
            Issue.record("\($0)")
        }
        let box = Clock()
        self.box = box
        service = ItemService(
            ItemSettings(region: "us-east-1", accountID: "123456789012"), over: store,
            report: { Issue.record("\($0)") }, decisionMilliseconds: decisionMilliseconds,
            clock: { box.time.withLock { $0 } })
    }

    private final class Clock: Sendable {
        let time = Mutex<Int64>(1_795_334_400_000)
    }

    var now: Int64 { box.time.withLock { $0 } }

    func advance(milliseconds: Int64) { box.time.withLock { $0 += milliseconds } }

    /// What a call is answered.
    func call(_ operation: String, _ body: String, ofStreams: Bool = false) async -> (status: Int, json: JSONValue) {
        let target = "\(ofStreams ? "DynamoDBStreams" : "DynamoDB")_20120810.\(operation)"
        // The reader that it keeps is for one thread at a time; each call here has its own.
        let answer = await service.answer(ItemCall(target: target, body: Array(body.utf8)), on: ItemShard())
        return (answer.status, (try? JSONReader.value(of: answer.body)) ?? .null)
    }

    /// The same where it is to be answered well.
    @discardableResult
    func done(_ operation: String, _ body: String, ofStreams: Bool = false) async throws -> JSONValue {
        let (status, json) = await call(operation, body, ofStreams: ofStreams)
        try #require(status == 200, "\(operation) \(body): \(JSONWriter.text(of: json))")
        return json
    }

    /// The text of a refusal.
    func refusal(_ operation: String, _ body: String) async -> String {
        let (status, json) = await call(operation, body)
        let type = (json["__type"]?.string ?? "").parts(separatedBy: "#").last ?? ""
        return status == 200 ? "200" : "\(type): \(json["message"]?.string ?? json["Message"]?.string ?? "")"
    }

    /// Waits until what is done beside requests is done.
    func settle() async throws {
        service.chores.begin()
        while true {
            let isLeft = try await store.writer.write(turn: .all, key: nil) { session in
                var isLeft = false
                try session.rows(TableRows.chores, []) { _ throws(ItemFailure) in
                    isLeft = true
                    return false
                }
                return isLeft
            }
            guard isLeft else { break }
        }
        // One more change, behind the last step.
        try await store.writer.write(turn: .all, key: nil) { _ in }
    }

    func rowCount(_ statement: RoomStatement) async throws -> Int64 {
        try await store.writer.write(turn: .all, key: nil) { session in
            var count: Int64 = 0
            try session.rows(statement, []) { row throws(ItemFailure) in
                count = row.integer(0)
                return false
            }
            return count
        }
    }

    /// A table with a partition key `p`, a sort key `s` of a type, an index by `g` and a local one by `l`.
    func makeTable(_ name: String = "Things", sort: String = "N", stream: Bool = false) async throws {
        try await done(
            "CreateTable",
            """
            {"TableName": "\(name)", "BillingMode": "PAY_PER_REQUEST",
             "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}, {"AttributeName": "s", "AttributeType": "\(sort)"},
              {"AttributeName": "g", "AttributeType": "S"}, {"AttributeName": "l", "AttributeType": "N"}],
             "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
             "GlobalSecondaryIndexes": [{"IndexName": "byG", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"},
               {"AttributeName": "l", "KeyType": "RANGE"}], "Projection": {"ProjectionType": "KEYS_ONLY"}}],
             "LocalSecondaryIndexes": [{"IndexName": "byL", "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"},
               {"AttributeName": "l", "KeyType": "RANGE"}], "Projection": {"ProjectionType": "ALL"}}]
             \(stream ? #", "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}"# : "")}
            """)
    }
}
