import Store

/// A table as operations see it, whatever it lies in.
///
/// What is read is read from a reader, or within a change; a change goes through the one writer, and is decided within its
/// transaction.
package protocol ItemTable: Sendable {
    var shape: TableShape { get }

    /// The item at a place.
    func item(at place: ItemPlace, named key: Item, in rows: some RoomReading) throws(ItemFailure) -> Item?

    /// Goes through the items of a stretch, all of each, until the closure says false.
    func items(
        of plan: PagePlan, in rows: some RoomReading, _ each: (Item) throws(ItemFailure) -> Bool
    ) throws(ItemFailure)

    /// Refuses to go on when the table is another one by now.
    func check(in session: WriteSession) throws(ItemFailure)

    /// Puts an item in the place of another one, or of none, or takes it out. What streams have to tell is taken down with it.
    func replace(
        _ old: Item?, by new: Item?, at place: ItemPlace, in session: WriteSession, now: Int64, byExpiry: Bool
    ) throws(ItemFailure)
}
