import JSON
import Synchronization

/// The rooms that have tables in an open file: those that had them when it was opened, and those that this process has brought since.
final class KnownRooms: Sendable {
    private let names: Mutex<Set<ByteText>>

    /// True for a store on a server.
    private let isOnServer: Bool

    init(_ found: Set<ByteText> = [], isOnServer: Bool = false) {
        names = Mutex(found)
        self.isOnServer = isOnServer
    }

    /// Returns whether the tables of a room can be made there.
    func mayBring(_ room: ByteText) -> Bool { !isOnServer || Self.onServers.contains(room) }

    /// The rooms whose tables a store on a server can have.
    private static let onServers: Set<ByteText> = []
    func contains(_ room: ByteText) -> Bool { names.withLock { $0.contains(room) } }

    func add(_ room: ByteText) { names.withLock { _ = $0.insert(room) } }
}
