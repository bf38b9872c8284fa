/// The states of a runtime in Lambda's Runtime API: pure.
///
///     started ─next─▶ ready ─work─▶ running ─answer─▶ answered ─next─▶ ready
///        └─error of the start─▶ start failed
///
/// An answer names its call, and that is looked at before the state is. What is refused changes nothing.
struct RuntimeMachine {
    enum State: Equatable {
        case started, ready, startFailed
        case running(String)
        case answered(String)

        /// Its name in Lambda.
        var name: String {
            switch self {
            case .started: "Started"
            case .ready: "Ready"
            case .running: "Running"
            case .answered: "RuntimeResponseSentState"
            case .startFailed: "InitError"
            }
        }
    }

    private(set) var state = State.started

    enum NextAction: Equatable {
        /// Hold the request until there is work. `ends` is the call that is over by this.
        case wait(ends: String?)
        case refuse(RuntimeRefusal)
    }

    /// It asks for work.
    mutating func next() -> NextAction {
        switch state {
        case .started, .ready:
            state = .ready
            return .wait(ends: nil)
        case .answered(let id):
            state = .ready
            return .wait(ends: id)
        case .running, .startFailed:
            return .refuse(.state(from: state.name, to: "Ready"))
        }
    }

    /// Gives it a call; false: it has not asked for one.
    mutating func begin(_ id: String) -> Bool {
        guard state == .ready else { return false }
        state = .running(id)
        return true
    }

    /// Returns whether it may answer that call: asked before its words are read, and again when they are.
    func refusal(ofAnswerTo id: String) -> RuntimeRefusal? {
        switch state {
        case .running(let current) where current == id: nil
        default: .requestID
        }
    }

    /// It has answered a call.
    mutating func answer(_ id: String) -> RuntimeRefusal? {
        if let refusal = refusal(ofAnswerTo: id) { return refusal }
        state = .answered(id)
        return nil
    }

    /// It says that its start has failed.
    mutating func failStart() -> RuntimeRefusal? {
        guard state == .started else { return .state(from: state.name, to: "InitError") }
        state = .startFailed
        return nil
    }
}

/// Why a runtime is refused, in Lambda's words.
enum RuntimeRefusal: Equatable {
    case requestID
    case state(from: String, to: String)
    case responseMode
    case truncated
    case tooLarge(bytesMax: Int)
    case foreign

    var status: Int {
        switch self {
        case .requestID, .responseMode, .truncated: 400
        case .state, .foreign: 403
        case .tooLarge: 413
        }
    }

    var type: String {
        switch self {
        case .requestID: "InvalidRequestID"
        case .state: "InvalidStateTransition"
        case .responseMode: "InvalidFunctionResponseMode"
        case .truncated: "TruncatedHTTPRequest"
        case .tooLarge: "RequestEntityTooLarge"
        case .foreign: "Forbidden"
        }
    }

    var message: String {
        switch self {
        case .requestID: "Invalid request ID"
        case .state(let from, let to):
            "State transition from \(from) to \(to) failed for runtime. Error: State transition is not allowed"
        case .responseMode: "Invalid function response mode"
        case .truncated: "HTTP request detected as truncated"
        case .tooLarge(let bytesMax): "Exceeded maximum allowed payload size (\(bytesMax) bytes)."
        case .foreign: "Only the runtime of the function is served here"
        }
    }
}
