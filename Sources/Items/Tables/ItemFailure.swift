import Store

/// What an operation ends with where it does not end well.
package enum ItemFailure: Error, Sendable {
    /// What its caller is told.
    case refused(ItemError)
    /// What went wrong with the database is no caller's business.
    case store(StoreError)
    /// A table is another one by now than the operation began with: it is begun anew.
    case outdated
    /// What a change looks at is too much for the writer: it is decided beside it, and then made.
    case undecided
}

extension ItemFailure: RowFailure {
    package init(_ error: StoreError) { self = .store(error) }

    package var ofStore: StoreError? { if case .store(let error) = self { error } else { nil } }
}

/// Lets a refusal be what an operation ends with.
func refusing<Answer>(_ body: () throws(ItemError) -> Answer) throws(ItemFailure) -> Answer {
    do throws(ItemError) { return try body() } catch { throw .refused(error) }
}

/// Lets an error of the database be what an operation ends with.
func storing<Answer>(_ body: () throws(StoreError) -> Answer) throws(ItemFailure) -> Answer {
    do throws(StoreError) { return try body() } catch { throw .store(error) }
}

extension WriteSession {
    @discardableResult
    func changing(_ statement: RoomStatement, _ values: [StoredValue] = []) throws(ItemFailure) -> Int {
        do throws(StoreError) { return try change(statement, values) } catch { throw .store(error) }
    }

    /// The same for a change that goes ahead.
    func changingAhead(_ statement: RoomStatement, _ values: [StoredValue] = []) throws(ItemFailure) {
        try storing { () throws(StoreError) in try changeAhead(statement, values) }
    }

    /// The number of the row that was put in last.
    func lastNumber() throws(ItemFailure) -> Int64 {
        try storing { () throws(StoreError) in try lastRowNumber }
    }
}
