import JSON

/// The parameters of a call, read by kinds.
struct WorkflowInput: Sendable {
    let value: JSONValue

    func text(_ name: String) throws(WorkflowError) -> String? {
        guard let value = value[name], !value.isNull else { return nil }
        guard let text = value.string else { throw .invalid("'\(name)' is a text, found \(value.kind)") }
        return text
    }

    func demanded(_ name: String) throws(WorkflowError) -> String {
        guard let text = try text(name) else { throw .missing(name) }
        return text
    }

    func flag(_ name: String) -> Bool? { value[name]?.bool }

    /// How many a page has.
    func page() throws(WorkflowError) -> Int64 {
        guard let value = value["maxResults"], !value.isNull else { return WorkflowLimits.usualPage }
        guard let count = value.integer, (0...WorkflowLimits.pageMax).contains(count) else {
            throw .invalid(
                "1 validation error detected: Value at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to \(WorkflowLimits.pageMax)"
            )
        }
        return count == 0 ? WorkflowLimits.usualPage : count
    }

    /// The number that an earlier page has given.
    func next() throws(WorkflowError) -> Int64? {
        guard let text = try text("nextToken") else { return nil }
        guard let number = Int64(text), number >= 0 else { throw .nextToken }
        return number
    }

    /// The token of a task.
    func task() throws(WorkflowError) -> FlowToken {
        let text = try demanded("taskToken")
        guard text.utf8.count <= WorkflowLimits.tokenBytesMax, let token = FlowToken(text) else { throw .token }
        return token
    }
}
