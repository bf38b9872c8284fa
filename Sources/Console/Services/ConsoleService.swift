import JSON

/// The services of the app beside its API: what of each a person may call here. The calls are those of the service itself.
package enum ConsoleService: String, Sendable, CaseIterable {
    case queues
    case workflows
    case events
    case tables

    /// The calls that only read.
    var readings: [String] {
        switch self {
        case .queues: ["ListQueues", "GetQueueAttributes"]
        case .workflows:
            ["ListStateMachines", "DescribeStateMachine", "ListExecutions", "DescribeExecution", "GetExecutionHistory"]
        case .events: ["ListEventBuses", "ListRules", "ListTargetsByRule"]
        case .tables: ["ListTables", "DescribeTable", "Scan"]
        }
    }

    /// The calls that change something: the audit log has them.
    var changes: [String] {
        switch self {
        case .queues: ["SendMessage", "PurgeQueue"]
        case .workflows: ["StartExecution", "StopExecution"]
        case .events: ["PutEvents"]
        case .tables: []
        }
    }

    /// The member of a call that says what it is about, for the audit log.
    var target: String {
        switch self {
        case .queues: "QueueUrl"
        case .workflows: "stateMachineArn"
        case .events: "Entries"
        case .tables: "TableName"
        }
    }
}
