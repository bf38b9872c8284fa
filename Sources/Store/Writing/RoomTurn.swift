/// The rooms whose tables a change touches, out of all that share the database.
///
/// Only the holder of a room's turn changes its tables, until the commit. In a file the one writer has all turns: they order nothing there, and
/// are only compared when a change brings the tables of a room. On a server each is a row that the nodes lock.
/// Most changes touch one room. A change that touches two takes their turns in the order below.
package struct RoomTurn: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The records of the schema's models, with their logs.
    package static let models = RoomTurn(rawValue: 1 << 0)
    package static let items = RoomTurn(rawValue: 1 << 1)
    package static let queues = RoomTurn(rawValue: 1 << 2)
    package static let workflows = RoomTurn(rawValue: 1 << 3)
    package static let users = RoomTurn(rawValue: 1 << 4)
    package static let files = RoomTurn(rawValue: 1 << 5)
    package static let outbox = RoomTurn(rawValue: 1 << 6)
    /// How far the functions have come that hear of changes of models.
    package static let streams = RoomTurn(rawValue: 1 << 7)
    package static let console = RoomTurn(rawValue: 1 << 8)
    /// Parameters, schedules, rules of events, and the notes about the folder of the database.
    package static let settings = RoomTurn(rawValue: 1 << 9)
    /// Which tables there are.
    package static let schema = RoomTurn(rawValue: 1 << 10)

    /// For a change of everything, such as going back to a copy.
    package static let all = RoomTurn(rawValue: (1 << 11) - 1)
}

/// The record that a change belongs to. Changes with different keys may be made together where the writer gathers their questions; two with the
/// same key never are, whichever they are of. A change without a key is made by itself, behind those before it.
package struct ChangeKey: Hashable, Sendable {
    /// The same on every node. Two records that share it only wait for each other.
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    package init(of table: TableLayout) { add(table.name.utf8) }

    /// One of a room's own, to which parts are added.
    package init() {}

    /// Adds a part of the record's key.
    package mutating func add(_ part: some Sequence<UInt8>) {
        for byte in part { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // Between two parts.
        hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
}
