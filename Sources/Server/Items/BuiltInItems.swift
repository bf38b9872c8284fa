import Access
import Items
import Store

/// The tables of items that are built in. Nothing of them is made before somebody makes the first one.
enum BuiltInItems {
    static func open(over store: Store, region: String, _ log: Log) -> ItemService {
        ItemService(
            ItemSettings(region: region, accountID: IAMPrincipal.exampleAccountID), over: store,
            report: { log.warning("items: \($0)") })
    }
}
