import JSON
import Synchronization

/// The rooms that have tables in an open file: those that had them when it was opened, and those that this process has brought since.
final class KnownRooms: Sendable {
    private let names: Mutex<Set<ByteText>>

    init(_ found: Set<ByteText> = []) { names = Mutex(found) }

    func contains(_ room: StaticString) -> Bool { names.withLock { $0.contains(ByteText("\(room)")) } }

    func add(_ room: StaticString) { names.withLock { _ = $0.insert(ByteText("\(room)")) } }
}
