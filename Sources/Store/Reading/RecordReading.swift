/// Where records are read from: a loop's own connection, or the writer's while it runs a mutation.
///
/// What the closures throw ends the walk over their rows and comes out as it is.
package protocol RecordReading: AnyObject {
    /// True if the time of the operation is over. For what it does beside asking the database.
    var isOver: Bool { get }
    /// True if this run lacks an answer, so that its body runs again. Nobody sees what comes of this run, which only looks for the other answers.
    var isLacking: Bool { get }

    /// Hands the record of a key to the closure, and says whether there is one. A key with a null has none.
    func get<Failure: RowFailure>(
        _ lookup: KeyLookup, key: [StoredValue], row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> Bool

    /// Hands each record of a page to the closure, in its order, until it answers that it wants no more: then the page ends
    /// behind that record.
    func listWhile<Failure: RowFailure>(
        _ list: PreparedList, row: (borrowing Row) throws(Failure) -> Bool
    ) throws(Failure) -> ListQuery.Page

    /// The same for a page of a search.
    func search<Failure: RowFailure>(
        _ search: TextSearch, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> TextSearch.Page

    /// How many records a filter describes.
    func count(of table: TableLayout, where filter: Predicate) throws(StoreError) -> Int

    /// What an aggregate comes to.
    func aggregate(
        _ aggregate: SearchAggregate, of table: TableLayout, where filter: Predicate
    ) throws(StoreError) -> SearchAggregate.Outcome

    /// Behind which position of a log the changes since a moment stand; nil when some of them were removed.
    func position(in log: ChangeLog, since moment: Int64) throws(StoreError) -> ListQuery.Position?

    /// Returns whether everything behind a position of a log is still there. A log that began anew has nothing of before.
    func holds(_ log: ChangeLog, behind position: SyncPosition) throws(StoreError) -> Bool
}

extension RecordReading {
    /// Hands each record of a page to the closure, in its order.
    package func list<Failure: RowFailure>(
        _ list: PreparedList, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> ListQuery.Page {
        try listWhile(
            list,
            row: { found throws(Failure) in
                try row(found)
                return true
            })
    }

    package func list<Failure: RowFailure>(
        _ query: ListQuery, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> ListQuery.Page {
        let prepared = try failing(as: Failure.self) { () throws(StoreError) in try query.prepared() }
        return try list(prepared, row: row)
    }
}
