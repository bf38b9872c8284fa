import Store

extension FileError: RowFailure {
    /// What goes wrong with the database is no caller's business.
    package init(_ error: StoreError) {
        self =
            switch StoreFault(error) {
            case .unavailable: .serviceUnavailable
            case .busy: .slowDown
            case .value(let fault): .invalidArgument("\(fault).")
            case .failed: error.kind == .diskFull ? .diskFull : .internalError
            }
        reason = error.message
        storeError = error
    }

    package var ofStore: StoreError? { storeError }
}

/// Lets an error of the database be one of the files.
func storing<Answer>(_ body: () throws(StoreError) -> Answer) throws(FileError) -> Answer {
    do throws(StoreError) { return try body() } catch { throw FileError(error) }
}
