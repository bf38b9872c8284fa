import JSON

/// Whom tasks ask, for a room that knows none of them.
package protocol WorkflowServices: AnyObject, Sendable {
    /// Asks, and waits for the answer. It may be asked the same twice: what a process was asking when it ended is asked again.
    ///
    /// - Parameter submitted: is called with the execution for whose end the task waits, once that is begun.
    func answer(
        to call: FlowCall, submitted: @escaping @Sendable (JSONValue) -> Void
    ) async -> Result<JSONValue, FlowFault>

    /// The files of the app, for distributed maps; nil: there are none.
    var buckets: (any WorkflowBuckets)? { get }
}

extension WorkflowServices {
    package var buckets: (any WorkflowBuckets)? { nil }
}

/// The buckets that distributed maps read and write.
package protocol WorkflowBuckets: AnyObject, Sendable {
    func read(_ bucket: String, _ key: String, bytesMax: Int) async throws(FlowFault) -> [UInt8]
    /// Objects as S3 lists them for a `Map`.
    func list(_ bucket: String, _ prefix: String, max: Int) async throws(FlowFault) -> [JSONValue]
    func write(_ bytes: [UInt8], _ bucket: String, _ key: String, type: String) async throws(FlowFault)
}

/// What somebody is told who waits for the end of an execution.
package struct ExecutionEnd: Sendable {
    package let execution: StoredExecution
    package let arn: String
}
