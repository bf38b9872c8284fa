import Cloud
import JSON
import Store

/// Why a call of the workflows is refused, in the words of Step Functions.
package typealias WorkflowError = CloudError

extension CloudError {
    /// Of the database: its words are for the log.
    init(_ error: any Error) {
        self =
            switch StoreFault(of: error) {
            case .unavailable: .away
            case .busy: .busy
            case .value(let fault): .invalid("Invalid value. \(fault).")
            case .failed: .failed(because: "the data of workflows: \(error)")
            }
    }

    static func invalid(_ message: String) -> WorkflowError { WorkflowError("ValidationException", message) }

    static func arn(_ text: String) -> WorkflowError { WorkflowError("InvalidArn", "Invalid Arn: '\(text)'") }

    static func name(_ text: String) -> WorkflowError { WorkflowError("InvalidName", "Invalid Name: '\(text)'") }

    static func noMachine(_ arn: String) -> WorkflowError {
        WorkflowError("StateMachineDoesNotExist", "State Machine Does Not Exist: '\(arn)'")
    }

    static func noExecution(_ arn: String) -> WorkflowError {
        WorkflowError("ExecutionDoesNotExist", "Execution Does Not Exist: '\(arn)'")
    }

    static func executionExists(_ arn: String) -> WorkflowError {
        WorkflowError("ExecutionAlreadyExists", "Execution Already Exists: '\(arn)'")
    }

    static func input(_ reason: String) -> WorkflowError {
        WorkflowError("InvalidExecutionInput", "Invalid State Machine Execution Input: '\(reason)'")
    }

    static func output(_ reason: String) -> WorkflowError {
        WorkflowError("InvalidOutput", "Invalid Output: '\(reason)'")
    }

    static let token = WorkflowError("InvalidToken", "Invalid Token: 'Invalid token'")
    static let nextToken = WorkflowError("InvalidToken", "Invalid Token: 'The nextToken is none of this list'")

    static let taskGone = WorkflowError(
        "TaskTimedOut", "Task Timed Out: 'Provided task does not exist anymore'")

    static let unsupportedType = WorkflowError(
        "StateMachineTypeNotSupported", "This operation is not supported by this type of state machine")

    private static let noRoom = "ExecutionLimitExceeded"

    static func tooMany(_ capacity: WorkflowCapacity) -> WorkflowError {
        WorkflowError(
            noRoom, "\(capacity.runningMax) executions are under way, which is the most that this server has.")
    }

    static func tooMuch(_ capacity: WorkflowCapacity) -> WorkflowError {
        WorkflowError(
            noRoom,
            "All executions together keep \(capacity.bytesMax) bytes, which is the most that this server keeps: those that have ended "
                + "go with time.")
    }

    static func tooManyWait(_ capacity: WorkflowCapacity) -> WorkflowError {
        WorkflowError(
            noRoom, "\(capacity.waitersMax) wait for the end of an execution, which is the most that this server takes."
        )
    }

    /// Another node runs the executions, and does not answer; or none does for a moment.
    package static let noRunner = WorkflowError(
        "ServiceUnavailable", "No server runs the executions just now. Call again.", status: 503)

    /// Another node has taken the place of the one that runs the executions.
    static let replaced = WorkflowError("ServiceUnavailable", "Another server runs the executions.", status: 503)

    static let notRunning = WorkflowError(
        "InternalFailure", "The server is not ready yet, or about to stop.", status: 500)
}

/// Names of executions and of machines.
enum WorkflowName {
    private static let charactersMax = 80
    private static let forbidden = Set("<>{}[]?*\"#%\\^|~`$&,;:/".unicodeScalars)

    static func isName(_ text: String) -> Bool {
        let letters = text.unicodeScalars
        return (1...charactersMax).contains(letters.count)
            && letters.allSatisfy {
                !forbidden.contains($0) && $0.value > 0x20 && !(0x7F...0x9F).contains($0.value)
                    && !$0.properties.isWhitespace
            }
    }
}

extension WorkflowError {
    private static let failure = "ExecutionFailed"

    /// An execution that a task has waited for has not come to a good end.
    ///
    /// - Parameter told: what is told of it.
    package init(failed told: String) { self.init(Self.failure, told) }

    /// Whether there may be room for it later.
    package var isOfRoom: Bool { type == Self.noRoom }

    package var isOfExecution: Bool { type == Self.failure }
}
