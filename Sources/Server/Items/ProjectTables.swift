import Blueprint
import Items
import JSON
import Network
import Project
import Synchronization

/// The tables of items that a project has of its own: they are there at the start, when the project has come to have them, and when
/// the data has been put back.
final class ProjectTables: Sendable {
    private let items: ItemService
    private let log: Log
    private let tables: Mutex<[TableResource]>

    private static let existing = "ResourceInUseException"

    init(_ configuration: Configuration, in items: ItemService, _ log: Log) {
        (self.items, self.log) = (items, log)
        let wanted = configuration.resolvers.tables
        tables = Mutex(wanted)
        items.keepStreamNames(of: wanted.map(\.name))
    }

    /// Goes on with the tables of another configuration. Those that it has no more stay, with what is in them.
    func adopt(_ configuration: Configuration) async {
        let wanted = configuration.resolvers.tables
        tables.withLock { $0 = wanted }
        items.keepStreamNames(of: wanted.map(\.name))
        await make()
    }

    /// Makes those that are not there yet, and has the others be as they are said to be by now.
    func make() async {
        let tables = tables.withLock { $0 }
        guard !tables.isEmpty else { return }
        let shard = ItemShard()
        defer { shard.close() }
        for table in tables {
            guard let creation = ProjectDataSource.creation(of: table) else { continue }
            do throws(ItemError) {
                do throws(ItemError) { _ = try await items.answer("CreateTable", creation, on: shard) } catch
                    where error.type.utf8.elementsEqual(Self.existing.utf8)
                {
                    try await change(table.name, to: creation, on: shard)
                }
            } catch {
                log.warning("the project's table \(table.name) cannot be made: \(error.message)")
            }
            guard let attribute = table.expiry else { continue }
            do throws(ItemError) { try await setExpiry(attribute, of: table.name, on: shard) } catch {
                log.warning("items of the project's table \(table.name) do not expire: \(error.message)")
            }
        }
    }

    // MARK: Tables that are there

    /// Gives a table the indexes and the stream that it has come to have. What cannot be changed, as with DynamoDB, is told; what it has
    /// beside that stays.
    private func change(_ name: String, to wanted: JSONObject, on shard: ItemShard) async throws(ItemError) {
        let answer = try await items.answer(
            "DescribeTable", JSONObject([("TableName", .string(name))]), on: shard)
        guard let present = answer["Table"]?.object else { return }
        func keep(_ what: String) {
            log.warning(
                "the project's table \(name) stays as it was made, with \(what): delete it (DeleteTable) to have it made anew"
            )
        }
        if present["KeySchema"] != wanted["KeySchema"] { return keep("another key") }
        for index in wanted["LocalSecondaryIndexes"]?.array ?? []
        where !Self.has(index, in: present["LocalSecondaryIndexes"], isExact: true) {
            keep("no such local index as \(index["IndexName"]?.string ?? "")")
        }
        for index in wanted["GlobalSecondaryIndexes"]?.array ?? []
        where !Self.has(index, in: present["GlobalSecondaryIndexes"], isExact: true) {
            guard !Self.has(index, in: present["GlobalSecondaryIndexes"], isExact: false) else {
                keep("another index \(index["IndexName"]?.string ?? "")")
                continue
            }
            try await update(
                name,
                [
                    ("AttributeDefinitions", wanted["AttributeDefinitions"] ?? []),
                    ("GlobalSecondaryIndexUpdates", [["Create": index]]),
                ], on: shard)
        }
        guard let stream = wanted["StreamSpecification"], stream != present["StreamSpecification"] else { return }
        if present["StreamSpecification"]?["StreamEnabled"] == true {
            try await update(name, [("StreamSpecification", ["StreamEnabled": false])], on: shard)
        }
        try await update(name, [("StreamSpecification", stream)], on: shard)
    }

    private func update(
        _ name: String, _ change: [(String, JSONValue)], on shard: ItemShard
    ) async throws(ItemError) {
        _ = try await items.answer(
            "UpdateTable", JSONObject([("TableName", .string(name))] + change), on: shard)
    }

    /// Returns whether there is an index of the same name.
    ///
    /// - Parameter isExact: with the same key, and the same of each item.
    private static func has(_ index: JSONValue, in present: JSONValue?, isExact: Bool) -> Bool {
        (present?.array ?? []).contains { other in
            other["IndexName"] == index["IndexName"]
                && (!isExact || other["KeySchema"] == index["KeySchema"] && other["Projection"] == index["Projection"])
        }
    }

    private func setExpiry(_ attribute: String, of name: String, on shard: ItemShard) async throws(ItemError) {
        func set(_ attribute: JSONValue, isEnabled: Bool) async throws(ItemError) {
            _ = try await items.answer(
                "UpdateTimeToLive",
                JSONObject([
                    ("TableName", .string(name)),
                    ("TimeToLiveSpecification", ["Enabled": .bool(isEnabled), "AttributeName": attribute]),
                ]), on: shard)
        }
        let answer = try await items.answer(
            "DescribeTimeToLive", JSONObject([("TableName", .string(name))]), on: shard)
        let present = answer["TimeToLiveDescription"]?["AttributeName"]
        guard present != .string(attribute) else { return }
        if let present { try await set(present, isEnabled: false) }
        try await set(.string(attribute), isEnabled: true)
    }
}
