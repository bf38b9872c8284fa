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
        for table in tables.withLock({ $0 }) {
            do throws(ItemError) {
                for part in try await table.keep(in: items) {
                    log.warning(
                        "the project's table \(table.name) stays as it was made, with \(part): delete it (DeleteTable) to have "
                            + "it made anew")
                }
                if !table.hasUsableExpiry {
                    log.warning(
                        "items of the project's table \(table.name) do not expire: the name of an attribute has 1 to 255 bytes"
                    )
                }
            } catch {
                log.warning("the project's table \(table.name) cannot be made: \(error.message)")
            }
        }
    }
}

extension TableResource {
    /// False if no attribute can be called like the one of its expiry.
    var hasUsableExpiry: Bool { expiry.map { (1...255).contains($0.utf8.count) } ?? true }

    /// Has the store of items have the table; gives what of it stays as it was made. A table that is said to be there already is left alone.
    func keep(in items: ItemService) async throws(ItemError) -> [String] {
        guard let partition else { return [] }
        var known: [KeyAttribute] = []
        func attribute(_ part: Part) -> KeyAttribute {
            // What is said first of an attribute holds.
            if let attribute = known.first(where: { $0.name == part.name }) { return attribute }
            known.append(KeyAttribute(part.name, ItemValue.Kind(rawValue: part.type) ?? .string))
            return known[known.count - 1]
        }
        let key = KeySchema(attribute(partition), sort.map(attribute))
        func shapes(isLocal: Bool) -> [IndexShape] {
            indexes.filter { $0.isLocal == isLocal }.map { index in
                let projection: IndexProjection =
                    switch index.projection {
                    case .all: .all
                    case .keysOnly: .keysOnly
                    case .include(let names): .include(names)
                    }
                return IndexShape(
                    index.name, number: 0, KeySchema(attribute(index.partition), index.sort.map(attribute)), projection,
                    isLocal: isLocal)
            }
        }
        var shape = try TableShape(name, key, locals: shapes(isLocal: true), globals: shapes(isLocal: false))
        shape.expiry = hasUsableExpiry ? expiry : nil
        return try await items.keep(shape, streaming: stream.flatMap(StreamView.init(rawValue:)))
    }
}
