import Blueprint
import JSON
import Store

/// Says at a start, and when the schema has been edited, which stored values the schema does not allow: clients get null and an error for
/// them, and DataStore leaves such records out.
///
/// It is found out beside the server, by threads that give way to it, and given up where it takes long.
enum DataNotices {
    /// It is looked for so long.
    private static let millisecondsMax: Int64 = 10_000

    /// Begins to look. The database ends it when it is closed.
    static func begin(_ store: Store, _ blueprint: Blueprint, _ log: Log) {
        let end = Timestamp.monotonicMilliseconds + millisecondsMax
        store.readersAside.begin(until: end) { [layout = store.layout] reader in
            do throws(StoreError) {
                for misfit in try reader.get().misfits(with: blueprint, in: layout) {
                    log.warning(text(of: misfit))
                }
            } catch {
                // Nothing depends on it: a query that meets such a value says so itself.
            }
        }
    }

    static func text(of misfit: DataMisfit) -> String {
        let records = Counted.text(misfit.recordCount, "record")
        let verb = misfit.recordCount == 1 ? "has" : "have"
        return switch misfit.kind {
        case .missing:
            "\(misfit.model).\(misfit.field) is required, and \(records) \(verb) no value for it: who selects it gets null in "
                + "place of the record, and DataStore leaves the record out. Give it a value, or make the field optional"
        case .unknown: "\(misfit.model).\(misfit.field): \(records) \(verb) a value that its enum has not"
        }
    }
}
