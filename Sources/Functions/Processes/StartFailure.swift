/// Why a process has not come as far as to ask for its first event.
enum StartFailure: Equatable {
    /// In the words of the runtime.
    case told([UInt8])
    case ended(ProcessEnding)
    case timedOut
    /// There was no process; with what is to be done.
    case impossible(String)

    /// The outcome of a call that waited for the start.
    func outcome(for id: String, of function: FunctionSettings) -> FunctionOutcome {
        switch self {
        case .told(let error): .failed(error)
        case .ended(let ending): .failed(FunctionFailure.ended(id, ending))
        case .timedOut:
            .failed(FunctionFailure.timedOut(id, seconds: RuntimeLimits.startMilliseconds / 1_000))
        case .impossible(let reason): .refused(.cannotStart(reason))
        }
    }

    /// The sentence for the log.
    var sentence: String {
        switch self {
        case .told: "its start has failed"
        case .ended(let ending): "its start has failed: \(ending.sentence)"
        case .timedOut: "it did not ask for an event within \(RuntimeLimits.startMilliseconds / 1_000) seconds"
        case .impossible(let reason): reason
        }
    }
}
