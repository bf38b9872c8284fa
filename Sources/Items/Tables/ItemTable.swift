import Store

/// A table as operations see it, whatever it lies in.
///
/// What is read is read from a reader, or within a change; a change goes through the one writer, and is decided within its
/// transaction.
package protocol ItemTable: Sendable {
    var shape: TableShape { get }

    /// Hands the item at a place to the closure, where there is one.
    func find(
        at place: ItemPlace, named key: Item, in rows: some RoomReading,
        _ found: (borrowing ItemRow) throws(ItemFailure) -> Void
    ) throws(ItemFailure)

    /// The record that a change of the item at a place is about; nil: a change touches more than the table's own rows.
    func changeKey(at place: ItemPlace) -> ChangeKey?

    /// Says that the item at a place is asked for soon within a change, and whether this is the table still.
    func expect(at place: ItemPlace, in session: WriteSession)

    /// Goes through the items of a stretch, all of each, until the closure says false.
    func items(
        of plan: PagePlan, in rows: some RoomReading, _ each: (borrowing ItemRow) throws(ItemFailure) -> Bool
    ) throws(ItemFailure)

    /// Whether an item may be another one in the table than was written: one with versions has them raised.
    var changesWhatIsWritten: Bool { get }

    /// Refuses to go on when the table is another one by now.
    func check(in session: WriteSession) throws(ItemFailure)

    /// Puts an item in the place of another one, or of none, or takes it out. What streams have to tell is taken down with it.
    func replace(
        _ old: Item?, by new: Item?, at place: ItemPlace, in session: WriteSession, now: Int64, byExpiry: Bool
    ) throws(ItemFailure)
}

extension ItemTable {
    package var changesWhatIsWritten: Bool { false }

    package func changeKey(at place: ItemPlace) -> ChangeKey? { nil }

    package func expect(at place: ItemPlace, in session: WriteSession) {}

    /// The item at a place.
    func item(
        at place: ItemPlace, named key: Item, in rows: some RoomReading, within budget: CallBudget = .unbounded
    ) throws(ItemFailure) -> Item? {
        var item: Item?
        try find(at: place, named: key, in: rows) { row throws(ItemFailure) in item = try row.item(within: budget) }
        return item
    }
}
