import Store

extension ConsoleError {
    /// What a person can do about an error of the database.
    package init(_ error: StoreError) {
        switch error.kind {
        case .invalidArgument, .invalidValue: self = .badRequest(error.message)
        case .tooLarge: self.init(413, "tooLarge", error.message)
        case .interrupted: self.init(503, "busy", "It took too long, and was given up: ask for less.")
        case .stopped: self = .stopping
        default: self.init(503, "busy", error.message)
        }
    }
}
