import GraphQL

/// The documents that the subscribers of a loop have sent last, parsed and validated. An app's clients all send the same.
struct SubscriptionDocuments {
    private let schema: Schema
    private let limits: RealtimeLimits
    private var entries: [[UInt8]: Phases.Outcome] = [:]
    /// From the oldest to the newest.
    private var order: [[UInt8]] = []
    private var bytes = 0

    init(schema: Schema, limits: RealtimeLimits) {
        self.schema = schema
        self.limits = limits
    }

    var count: Int { entries.count }

    /// The operation that a request names, with its document. Throws what the client is told.
    mutating func operation(
        of request: OperationRequest
    ) throws(OperationFailure) -> (OperationDefinition, ExecutableDocument) {
        switch outcome(of: Array(request.query.utf8)) {
        case .unparsable:
            throw .unsupported("")
        case .invalid(let errors):
            throw OperationFailure(errors)
        case .ready(let document):
            do throws(RequestError) {
                return (try document.operation(named: request.operationName), document)
            } catch {
                throw .unsupported("")
            }
        }
    }

    private mutating func outcome(of text: [UInt8]) -> Phases.Outcome {
        if let known = entries[text] { return known }
        let outcome = Phases.prepare(text, schema: schema)
        guard text.count <= limits.documentBytes / 4 else { return outcome }
        while !order.isEmpty, order.count >= limits.documents || bytes + text.count > limits.documentBytes {
            let oldest = order.removeFirst()
            entries[oldest] = nil
            bytes -= oldest.count
        }
        entries[text] = outcome
        order.append(text)
        bytes += text.count
        return outcome
    }
}
