import JSON

/// Whom tasks ask, for a room that knows none of them.
package protocol WorkflowServices: AnyObject, Sendable {
    /// Asks, and waits for the answer. It may be asked the same twice: what a process was asking when it ended is asked again.
    func answer(to call: FlowCall) async -> Result<JSONValue, FlowFault>
}

/// What somebody is told who waits for the end of an execution.
package struct ExecutionEnd: Sendable {
    package let execution: StoredExecution
    package let arn: String
}
