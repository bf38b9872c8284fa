/// What a mutation works with: reads that see its own changes and those before it, and changes of records.
package protocol RecordWriting: RecordReading {
    /// When what a mutation does has to end, in milliseconds of the monotonic clock. Then it fails with `.interrupted`, and
    /// whatever it had changed is undone. Whoever sets it lifts it before the mutation ends: the commit has no deadline.
    var deadline: Int64 { get set }

    /// Makes a change, hands the record to the closure, and says whether it was made: it is not when the record
    /// exists, or does not, or does not meet the condition.
    func apply<Failure: RowFailure>(
        _ change: RecordChange, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> Bool

    /// Makes a change, appends the record to the log of its model, and hands it to the closure.
    func apply<Failure: RowFailure>(
        _ versioned: VersionedChange, at clock: ChangeClock, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> VersionedChange.Outcome

    /// Where the event of a change is taken down for other nodes; nil where none lives.
    var sharedEvents: SharedEvents? { get }

    /// One more than the largest number that a field has in any record; 1 where there is none, and nil where there is no
    /// larger one.
    func nextInteger(of field: String, in table: TableLayout) throws(StoreError) -> Int64?
}
