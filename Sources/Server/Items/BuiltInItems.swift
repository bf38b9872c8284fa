import Access
import Blueprint
import Engine
import Items
import JSON
import Network
import Project
import Store

/// The tables of items that are built in. Nothing of them is made before somebody makes the first one.
enum BuiltInItems {
    static func open(over store: Store, region: String, _ log: Log) -> ItemService {
        ItemService(
            ItemSettings(region: region, accountID: IAMPrincipal.exampleAccountID), over: store,
            report: { log.warning("items: \($0)") })
    }

    /// The tables of the models that an engine serves, by the names that functions know.
    ///
    /// - Parameters:
    ///   - streamed: the models of whose changes functions are told.
    ///   - expiries: the fields that say when a record is to go.
    static func models(
        of engine: Engine, streamed: Set<ByteText>, _ expiries: [ModelExpiry]
    ) -> [any ItemTable] {
        engine.blueprint.models.compactMap { model in
            guard let table = engine.store.layout.table(of: model) else { return nil }
            return ModelTable(
                table, of: model.name, named: TableName.of(model.name), clock: engine.store.changeClock,
                isStreamed: streamed.contains(model.name),
                expiry: expiries.first { $0.model.utf8.elementsEqual(model.name.utf8) }?.field)
        }
    }
}

extension ItemShard: EndOfTurnHandler {
    package func turnEnded() { endTurn() }
}
