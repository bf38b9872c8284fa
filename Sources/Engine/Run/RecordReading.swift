import Store

/// Where records are read from: a loop's own connection, or the writer's while it runs a mutation.
protocol RecordReading: AnyObject {
    /// Whether the time of the operation is over.
    var isOver: Bool { get }

    func get(
        _ lookup: KeyLookup, key: [StoredValue], row: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool

    func list(
        _ list: PreparedList, row: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) -> ListQuery.Page
}

extension Reader: RecordReading {}
extension WriteSession: RecordReading {}
