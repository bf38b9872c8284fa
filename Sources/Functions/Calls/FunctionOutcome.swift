/// The outcome of a call.
package enum FunctionOutcome: Sendable, Equatable {
    /// The handler's result.
    case result([UInt8])
    /// The error object of the function, or of what runs it.
    case failed([UInt8])
    case refused(FunctionRefusal)
    /// Whoever called waits no longer. The function may still run.
    case givenUp
}

/// Why a function was not called.
package enum FunctionRefusal: Error, Sendable, Equatable {
    case notThere(String)
    case tooLarge(bytesMax: Int)
    /// As many calls wait as may.
    case tooMany
    /// Its process cannot be started; with what is to be done.
    case cannotStart(String)
    case stopping

    package var message: String {
        switch self {
        case .notThere(let name): "there is no function \(name)"
        case .tooLarge(let bytesMax): "the event has more than \(bytesMax) bytes"
        case .tooMany: "too many calls of the function wait for their turn"
        case .cannotStart(let reason): reason
        case .stopping: "the server stops"
        }
    }
}
