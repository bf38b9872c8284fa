import JSON
import Synchronization

/// The rooms that have tables in an open file: those that had them when it was opened, and those that this process has brought since.
final class KnownRooms: Sendable {
    private let names: Mutex<Set<ByteText>>

    init(_ found: Set<ByteText> = []) { names = Mutex(found) }

    func contains(_ room: ByteText) -> Bool { names.withLock { $0.contains(room) } }

    func add(_ room: ByteText) { names.withLock { _ = $0.insert(room) } }
}
