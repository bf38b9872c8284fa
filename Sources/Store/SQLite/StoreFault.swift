import JSON

/// The meaning of an error of the database for whoever has made a call. Each service has words of its own for it: those of the error speak of
/// files and hosts, and are for the log.
package enum StoreFault: Sendable {
    /// Nothing is wrong with the call: it may be made again.
    case unavailable
    /// The same, once less waits.
    case busy
    /// A value of the call can neither be kept nor looked for, and why.
    case value(String)
    case failed

    package init(of error: any Error) {
        guard let error = error as? StoreError else {
            self = .failed
            return
        }
        self.init(error)
    }

    package init(_ error: StoreError) {
        switch error.kind {
        case .away, .interrupted, .stopped, .locked: self = .unavailable
        case .overloaded, .tooManyChanges: self = .busy
        case .invalidValue, .tooLarge: self = .value(error.told)
        case .diskFull, .readOnly, .cannotOpen, .corrupt, .inputOutput, .exists, .migrationRefused, .unknownFormat,
            .invalidArgument, .unsupported, .unexpected:
            self = .failed
        }
    }
}

extension StoreFault: Equatable {
    package static func == (left: StoreFault, right: StoreFault) -> Bool {
        switch (left, right) {
        case (.unavailable, .unavailable), (.busy, .busy), (.failed, .failed): true
        case (.value(let left), .value(let right)): left == right
        default: false
        }
    }
}
