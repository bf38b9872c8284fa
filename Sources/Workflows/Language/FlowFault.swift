import JSON

/// Why a state does not come to its end: an error by its name, which rules of the definition look at, and a cause for people.
package struct FlowFault: Error, Sendable, Equatable {
    package let error: String
    package let cause: String
    /// Whether it is that of a heartbeat that has not come: it has the name of another, and rules by its own are met too.
    private var isHeartbeat = false
    /// The field whose expression has failed.
    var location: String?
    /// True if the state is not said yet in which the machine itself has failed.
    private(set) var isUnplaced = false

    package init(_ error: String, _ cause: String) {
        self.error = Self.cut(Self.kept(error), WorkflowLimits.errorBytesMax)
        self.cause = Self.cut(Self.kept(cause), WorkflowLimits.causeBytesMax)
    }

    package static func == (left: FlowFault, right: FlowFault) -> Bool {
        left.error == right.error && left.cause == right.cause
    }

    static let runtimeName = "States.Runtime"
    static let dataName = "States.DataLimitExceeded"
    static let timeoutName = "States.Timeout"
    private static let heartbeatName = "States.HeartbeatTimeout"
    static let allName = "States.ALL"
    static let taskFailedName = "States.TaskFailed"

    static let heartbeat: FlowFault = {
        var fault = FlowFault(timeoutName, "")
        fault.isHeartbeat = true
        return fault
    }()

    static func runtime(_ cause: String) -> FlowFault {
        var fault = FlowFault(runtimeName, cause)
        fault.isUnplaced = true
        return fault
    }

    static func intrinsic(_ cause: String) -> FlowFault { FlowFault("States.IntrinsicFailure", cause) }

    /// Of a state, or of the resource of its task.
    static func tooLarge(of name: String) -> FlowFault {
        FlowFault(
            dataName,
            "The state/task '\(name)' returned a result with a size exceeding the maximum number of bytes service limit."
        )
    }

    static func tooLarge(_ what: String) -> FlowFault {
        FlowFault(
            dataName,
            "\(what) has more than the maximum number of bytes service limit of \(WorkflowLimits.dataBytesMax), or is nested deeper than "
                + "\(WorkflowLimits.dataNestingMax) levels.")
    }

    /// Whether a rule for those errors is one for this.
    func isMet(by names: [String]) -> Bool {
        names.contains { name in
            if name == error { return error != Self.runtimeName }
            switch name {
            case Self.allName: return error != Self.runtimeName && error != Self.dataName
            case Self.taskFailedName:
                return ![Self.timeoutName, Self.heartbeatName, Self.runtimeName, Self.dataName].contains(error)
            case Self.heartbeatName: return isHeartbeat
            // Somebody may have said it by this name: it is a kind of the other.
            case Self.timeoutName: return error == Self.heartbeatName
            default: return false
            }
        }
    }

    /// What a state gets that catches it. A failure that is reported without a name has neither.
    var output: JSONValue {
        guard error.isEmpty else { return ["Error": .string(error), "Cause": .string(cause)] }
        return ["Error": .null, "Cause": cause.isEmpty ? .null : .string(cause)]
    }

    /// Without U+0000, which a database on a server cannot keep: the execution could never be written.
    private static func kept(_ text: String) -> String {
        text.utf8.contains(0) ? text.replacing(bytesOf: "\0", with: "\u{FFFD}") : text
    }

    private static func cut(_ text: String, _ bytesMax: Int) -> String {
        guard text.utf8.count > bytesMax else { return text }
        // A letter that would be cut in two goes as a whole.
        return String(decoding: text.utf8.prefix(bytesMax - 3), as: UTF8.self)
    }
}

/// Why a definition is refused, and at which place of it.
package struct FlowRefusal: Error, Sendable {
    package let message: String
    /// `/States/Pay/Retry[0]`
    package let place: String

    init(_ message: String, at place: String) { (self.message, self.place) = (message, place) }

    /// In the words of the service.
    package var text: String { "\(message) at \(place.isEmpty ? "/" : place)" }
}
