import Store

/// Why a value is not there: it goes through the rows of the database as it is.
///
/// Hot path: no larger than a word, since every function on the way to a value may end with one.
enum RunError: Error {
    /// A field has none, and says why: null stands in its place, and what is beside it goes on.
    indirect case field(FieldFailure)
    indirect case store(StoreError)
    /// Nothing more is done for the root field, and perhaps for all that follow.
    case end(End)

    /// What ends more than a field.
    enum End {
        case timeIsOver
        case responseTooLarge
        case tooManyReads
    }

    /// True if it is more than a field's.
    var isOfOperation: Bool {
        switch self {
        case .field: false
        case .store(let error): error.kind == .interrupted
        case .end: true
        }
    }
}

extension RunError: RowFailure {
    init(_ error: StoreError) { self = .store(error) }

    var ofStore: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}

/// Lets what is wrong with the arguments of a field be its failure.
func ofField<Value>(_ body: () throws(FieldFailure) -> Value) throws(RunError) -> Value {
    do throws(FieldFailure) { return try body() } catch { throw .field(error) }
}

/// Lets what goes wrong with the database be the end of a run.
func ofStore<Value>(_ body: () throws(StoreError) -> Value) throws(RunError) -> Value {
    do throws(StoreError) { return try body() } catch { throw .store(error) }
}
