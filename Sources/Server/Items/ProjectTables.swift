import Items
import JSON
import Network
import Synchronization

/// The tables of items that a project has of its own: they are there at the start, when the project has come to have them, and when
/// the data has been put back.
final class ProjectTables: Sendable {
    private let items: ItemService
    private let log: Log
    private let creations: Mutex<[JSONObject]>

    private static let existing = "ResourceInUseException"

    init(_ configuration: Configuration, in items: ItemService, _ log: Log) {
        (self.items, self.log) = (items, log)
        creations = Mutex(configuration.resolvers.tables)
    }

    /// Goes on with the tables of another configuration. Those that it has no more stay, with what is in them.
    func adopt(_ configuration: Configuration) async {
        creations.withLock { $0 = configuration.resolvers.tables }
        await make()
    }

    /// Makes those that are not there yet.
    func make() async {
        let creations = creations.withLock { $0 }
        guard !creations.isEmpty else { return }
        let shard = ItemShard()
        defer { shard.close() }
        for creation in creations {
            do throws(ItemError) { _ = try await items.answer("CreateTable", creation, on: shard) } catch {
                guard !error.type.utf8.elementsEqual(Self.existing.utf8) else { continue }
                log.warning(
                    "the project's table \(creation["TableName"]?.string ?? "") cannot be made: \(error.message)")
            }
        }
    }
}
