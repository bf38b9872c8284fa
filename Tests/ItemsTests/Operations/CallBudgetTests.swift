import JSON
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Items

/// The rule of docs/architecture.md, "What may hold a loop or the writer".
@Suite("No request for items holds")
struct CallBudgetTests {
    /// Who asks on one loop, as the server does.
    private final class Asking: @unchecked Sendable {
        let tables: TestTables
        let shard = ItemShard { _ in }
        let loop = HeldLoop()

        init(_ tables: TestTables) { self.tables = tables }

        /// The longest time that a call holds the loop, in milliseconds.
        func held(_ operation: ItemOperation, _ body: String) async -> Double {
            let service = operation.isOfStreams ? "DynamoDBStreams" : "DynamoDB"
            let call = ItemCall(target: "\(service)_20120810.\(operation.rawValue)", body: Array(body.utf8))
            return await loop.longestPiece { [self] in
                shard.endTurn()
                _ = await tables.service.answer(call, on: shard)
            }
        }

        /// The processor time that the writer has had.
        func writerMilliseconds() async throws -> Double {
            let time = try await tables.store.writer.write(turn: .all, key: nil) { _ in HeldTime.threadNanoseconds }
            return Double(time) / 1_000_000 / HeldTime.factor
        }
    }

    /// How long a loop may be held, in milliseconds, and the writer ten times as long.
    ///
    /// Where a build checks everything, Swift's code alone is slowed down more than the mixture that times are divided by: there it is
    /// five times as long, as at other doors, or twice what the steps of a turn and the longest body that is read on a loop take of this
    /// build.
    private static let heldMilliseconds: Double = {
        let released = 5.0
        guard HeldTime.factor > 1 else { return released }
        let many: Item = ["v": .list(Array(repeating: .null, count: TableLimits.turnSteps / CallBudget.valueSteps))]
        let item = ItemBytes.of(many)
        let values = Array(repeating: "[[]]", count: TableLimits.bodyBytesAtOnce / 5).joined(separator: ",")
        let body = Array("[\(values)]".utf8)
        let own = HeldTime.milliseconds {
            _ = ItemBytes.item(item)
            _ = try? JSONReader.value(of: body)
        }
        return max(5 * released, 2 * own)
    }()

    @Test(
        "a loop or the writer for long, whatever it asks",
        .enabled(if: !TestDatabase.isOnServer, TestDatabase.needsFile), arguments: ItemOperation.all)
    func doors(_ operation: ItemOperation) async throws {
        for (row, body) in ItemDoors.requests(of: operation).enumerated() {
            // The least of some tries, since others disturb. Each begins anew: a change finds nothing to do at a second try.
            var (held, writer) = (Double.infinity, Double.infinity)
            for _ in 0..<10 where held >= Self.heldMilliseconds || writer >= 10 * Self.heldMilliseconds {
                let folder = TemporaryFolder()
                let asking = Asking(try await ItemDoors.tables(for: operation, in: folder))
                defer { withExtendedLifetime(folder) {} }
                let before = try await asking.writerMilliseconds()
                held = min(held, await asking.held(operation, body))
                writer = min(writer, try await asking.writerMilliseconds() - before)
            }
            #expect(held < Self.heldMilliseconds, "\(operation.rawValue) \(row) holds a loop for \(held) ms")
            #expect(
                writer < 10 * Self.heldMilliseconds, "\(operation.rawValue) \(row) holds the writer for \(writer) ms")
        }
    }

    @Test(
        "the loop together with others of its turn",
        .enabled(if: !TestDatabase.isOnServer, TestDatabase.needsFile))
    func turns() async throws {
        let asking = Asking(try TestTables())
        try await ItemDoors.fill(asking.tables)
        let body =
            #"{"TableName": "Things", "Key": {\#(ItemDoors.key("0"))}, "ProjectionExpression": "t"}"#
        let call = ItemCall(target: "DynamoDB_20120810.GetItem", body: Array(body.utf8))
        func isAnsweredAtOnce() -> Bool {
            if case .now = asking.tables.service.reply(to: call, on: asking.shard) { true } else { false }
        }
        asking.shard.endTurn()
        #expect(isAnsweredAtOnce())
        // A few fit into a turn, and no more.
        let count = (0..<40).count { _ in isAnsweredAtOnce() }
        #expect(count < 20)
        #expect(!isAnsweredAtOnce())
        asking.shard.endTurn()
        #expect(isAnsweredAtOnce())
    }

    @Test("what is decided beside the writer, and answers as ever")
    func decisions() async throws {
        // A busy machine may need longer for it than a call has: that bound has a test of its own.
        let tables = try TestTables(decisionMilliseconds: 600_000)
        // More than the writer has steps for, many times over, and a second at most in a build with checks.
        let tests = 20
        try await ItemDoors.fill(tables)
        let condition = ItemDoors.condition("ConditionExpression", tests: tests)
        let refusal = await tables.refusal(
            "UpdateItem",
            #"{"TableName": "Things", "Key": {\#(ItemDoors.key("0"))}, "UpdateExpression": "SET n = :n", \#(condition)}"#
        )
        #expect(refusal.hasPrefix("ConditionalCheckFailedException"))
        let held = ItemDoors.condition("ConditionExpression", isNegated: true, tests: tests)
        let made = try await tables.done(
            "UpdateItem",
            #"{"TableName": "Things", "Key": {\#(ItemDoors.key("0"))}, "UpdateExpression": "SET n = :n", "ReturnValues": "UPDATED_NEW", \#(held)}"#
        )
        #expect(made["Attributes"]?["n"]?["S"] == "aaaaaaaaaaaaaaaab")
        let reasons = await tables.call(
            "TransactWriteItems",
            #"{"TransactItems": [{"ConditionCheck": {"TableName": "Things", "Key": {\#(ItemDoors.key("0"))}, \#(condition)}}, {"Put": {"TableName": "Things", "Item": {\#(ItemDoors.key("x"))}}}]}"#
        )
        #expect(
            reasons.json["CancellationReasons"]?.array?.map { $0["Code"]?.string } == [
                "ConditionalCheckFailed", "None",
            ])
        #expect(
            try await tables.done("GetItem", #"{"TableName": "Things", "Key": {\#(ItemDoors.key("x"))}}"#)["Item"]
                == nil)
    }

    @Test("sizes are checked before conditions")
    func sizes() async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let names = (0..<12).map { "n\($0)" }
        for name in names {
            try await tables.done(
                "PutItem",
                #"{"TableName": "Things", "Item": {\#(ItemDoors.key(name)), "t": {"S": "\#(ItemDoors.text)"}}}"#)
        }
        let checks = names.map {
            #"{"ConditionCheck": {"TableName": "Things", "Key": {\#(ItemDoors.key($0))}, "ConditionExpression": "attribute_not_exists(t)"}}"#
        }
        #expect(
            await tables.refusal("TransactWriteItems", #"{"TransactItems": [\#(checks.joined(separator: ","))]}"#)
                == "ValidationException: Collective size of items to be written cannot exceed 4MB")
    }

    @Test("what takes too long is refused, and nothing is written")
    func tooLong() async throws {
        let tables = try TestTables(decisionMilliseconds: 0)
        try await ItemDoors.fill(tables)
        let refusal = await tables.refusal(
            "PutItem",
            #"{"TableName": "Things", "Item": {\#(ItemDoors.key("0"))}, \#(ItemDoors.condition("ConditionExpression"))}"#
        )
        #expect(refusal.hasPrefix("ValidationException: The conditions and updates of the request take too long"))
    }

    @Test("equal values are equal, however they are compared")
    func equality() throws {
        let values: [ItemValue] = [
            .string("a"), .string("b"), .number(ItemNumber(1)), .number(ItemNumber(2)), .bool(true), .null,
            .binary([1]), .list([.string("a"), .null]), .list([.string("a")]), .map(["a": .null]), .map(["b": .null]),
            .map(["a": .bool(false)]), .strings(["a"]), .strings(["a", "b"]), .numbers([ItemNumber(1)]),
            .binaries([[1], [2]]),
        ]
        for one in values {
            for other in values {
                #expect(try one.isEqual(to: other, within: .unbounded) == (one == other), "\(one) \(other)")
            }
        }
    }
}
