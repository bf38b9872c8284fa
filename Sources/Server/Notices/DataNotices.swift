import Blueprint
import JSON
import Store
import Threads

/// Says at a start which stored values the schema does not allow: clients would get null and an error for them.
///
/// It is found out beside the server, which serves meanwhile, and given up where it takes long.
struct DataNotices {
    private let work: WorkAside<Void>

    /// A start looks for so long.
    private static let millisecondsMax: Int64 = 1_000

    init(_ store: Store, _ blueprint: Blueprint, _ log: Log) {
        work = WorkAside {
            do throws(StoreError) {
                let reader = try store.reader()
                reader.deadline = Timestamp.monotonicMilliseconds + Self.millisecondsMax
                for misfit in try reader.misfits(with: blueprint, in: store.layout) {
                    log.warning(Self.text(of: misfit))
                }
            } catch {
                // Nothing depends on it: a query that meets such a value says so itself.
            }
        }
    }

    /// Waits for the end: the database can be closed only when nobody reads.
    func finish() { work.value }

    static func text(of misfit: DataMisfit) -> String {
        let records = Counted.text(misfit.recordCount, "record")
        let verb = misfit.recordCount == 1 ? "has" : "have"
        return switch misfit.kind {
        case .missing: "\(misfit.model).\(misfit.field) is required, and \(records) \(verb) no value for it"
        case .unknown: "\(misfit.model).\(misfit.field): \(records) \(verb) a value that its enum has not"
        }
    }
}
