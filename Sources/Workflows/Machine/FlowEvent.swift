import JSON

/// Something that has happened in an execution, as its history tells it.
package struct FlowEvent: Sendable {
    let number: Int
    let previous: Int
    let type: String
    let milliseconds: Int64
    /// The member with its details, and those.
    let details: (name: String, value: JSONObject)?
}

/// What a task is asked.
package struct FlowCall: Sendable {
    package let execution: Int64
    package let executionARN: String
    package let machineARN: String
    let branch: Int
    let attempt: Int
    package let resource: FlowResource
    package let input: JSONValue
    /// By which somebody else may end the task; nil: nobody may.
    package let token: String?
    /// The same for the same attempt, also where it is asked again: an execution that it starts is the same one.
    package let name: String
    /// What is left of the time that the definition gives it; nil: as much as it takes.
    package let timeoutMilliseconds: Int64?
    /// The run of a distributed `Map`; nil: a task is asked.
    let run: FlowMapRun?
}

/// What somebody says of a task by its token.
enum FlowReport: Sendable {
    case succeeded(JSONValue)
    case failed(FlowFault)
    case alive
}

/// What has become of an execution.
package enum FlowStatus: String, Sendable, CaseIterable {
    case running = "RUNNING"
    case succeeded = "SUCCEEDED"
    case failed = "FAILED"
    case timedOut = "TIMED_OUT"
    case aborted = "ABORTED"
}

/// Who an execution is, for all of its life.
package struct FlowIdentity: Sendable {
    let number: Int64
    let arn: String
    let name: String
    let machineARN: String
    let machineName: String
    let roleARN: String
    let input: JSONValue
    let startedMilliseconds: Int64
    let isExpress: Bool
    /// The input as whoever began the execution wrote it; nil: as it is written here.
    var inputText: String?
}

/// What an execution has become since it was written last, and what is to be done when that is on the disk.
struct FlowChanges: Sendable {
    var branches: Set<Int> = []
    var results: [(parent: Int, place: Int, output: JSONValue)] = []
    /// Branches whose results are in no use any more.
    var joined: Set<Int> = []
    var events: [FlowEvent] = []
    /// How long the data are that states were told and gave.
    var bytes: Int64 = 0
    var calls: [FlowCall] = []

    /// Calls that nobody waits for any more.
    var cancelled: [(branch: Int, attempt: Int)] = []
}
