import Cloud
import JSON

/// The members of a call of Step Functions.
extension CallInput {
    /// How many a page has.
    var page: Int64 {
        let count = integer("maxResults") ?? 0
        return count == 0 ? WorkflowLimits.usualPage : count
    }

    /// The number that an earlier page has given.
    func next() throws(WorkflowError) -> Int64? {
        guard let text = text("nextToken") else { return nil }
        guard let number = Int64(text), number >= 0 else { throw .nextToken }
        return number
    }

    /// The token of a task.
    func task() throws(WorkflowError) -> FlowToken {
        let text = demanded("taskToken")
        guard text.utf8.count <= WorkflowLimits.tokenBytesMax, let token = FlowToken(text) else { throw .token }
        return token
    }
}
