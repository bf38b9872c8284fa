/// What a walk over rows may end with: an error of the database, or one of whoever looks at the rows.
package protocol RowFailure: Error {
    init(_ error: StoreError)
    /// The error of the database, where it is one.
    var ofStore: StoreError? { get }
}

extension StoreError: RowFailure {
    package init(_ error: StoreError) { self = error }

    package var ofStore: StoreError? { self }
}

/// Lets an error of the database be what a walk over rows ends with.
func failing<Failure: RowFailure, Answer>(
    as _: Failure.Type, _ body: () throws(StoreError) -> Answer
) throws(Failure) -> Answer {
    do throws(StoreError) { return try body() } catch { throw Failure(error) }
}
