import Access
import Engine
import Items
import Store

/// The tables of items that are built in. Nothing of them is made before somebody makes the first one.
enum BuiltInItems {
    static func open(over store: Store, region: String, _ log: Log) -> ItemService {
        ItemService(
            ItemSettings(region: region, accountID: IAMPrincipal.exampleAccountID), over: store,
            report: { log.warning("items: \($0)") })
    }

    /// The tables of the models that an engine serves, by the names that functions know.
    static func models(of engine: Engine) -> [any ItemTable] {
        engine.blueprint.models.compactMap { model in
            guard let table = engine.store.layout.table(of: model) else { return nil }
            return ModelTable(table, of: model.name, named: TableName.of(model.name))
        }
    }
}
