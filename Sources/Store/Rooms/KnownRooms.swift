import JSON
import Synchronization

/// The rooms that have tables in an open file: those that had them when it was opened, and those that this process has brought since. Where
/// other processes may bring some, any room may have them.
final class KnownRooms: Sendable {
    private let names: Mutex<Set<ByteText>>

    init(_ found: Set<ByteText> = []) { names = Mutex(found) }

    private let areShared = Atomic<Bool>(false)

    /// Expects other processes to bring tables from here on.
    func expectOthers() { areShared.store(true, ordering: .releasing) }

    func contains(_ room: ByteText) -> Bool {
        areShared.load(ordering: .acquiring) || names.withLock { $0.contains(room) }
    }

    /// True if no room has any.
    var isEmpty: Bool { !areShared.load(ordering: .acquiring) && names.withLock { $0.isEmpty } }

    func add(_ room: ByteText) { names.withLock { _ = $0.insert(room) } }
}
