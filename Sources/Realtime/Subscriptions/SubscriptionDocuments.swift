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

    /// The operation that a request names, with its document; nil when preparing that takes longer than a loop may give to it.
    /// Throws what the client is told.
    mutating func operation(
        of request: OperationRequest
    ) throws(OperationFailure) -> (OperationDefinition, ExecutableDocument)? {
        let text = Array(request.query.utf8)
        if let known = entries[text] { return try Self.operation(request.operationName, of: known) }
        guard text.count <= limits.turnDocumentBytes else { return nil }
        let outcome = Phases.prepare(text, schema: schema, validationLimits: .turn)
        if case .tooComplex = outcome { return nil }
        keep(outcome, of: text)
        return try Self.operation(request.operationName, of: outcome)
    }

    /// The same where the document was prepared beside the loop.
    mutating func operation(
        of request: OperationRequest, _ outcome: Phases.Outcome
    ) throws(OperationFailure) -> (OperationDefinition, ExecutableDocument) {
        let text = Array(request.query.utf8)
        if entries[text] == nil { keep(outcome, of: text) }
        return try Self.operation(request.operationName, of: outcome)
    }

    private static func operation(
        _ name: String?, of outcome: Phases.Outcome
    ) throws(OperationFailure) -> (OperationDefinition, ExecutableDocument) {
        switch outcome {
        case .unparsable:
            throw .unsupported("")
        case .invalid(let errors), .tooComplex(let errors):
            throw OperationFailure(errors)
        case .ready(let document):
            do throws(RequestError) {
                return (try document.operation(named: name), document)
            } catch {
                throw .unsupported("")
            }
        }
    }

    private mutating func keep(_ outcome: Phases.Outcome, of text: [UInt8]) {
        guard text.count <= limits.documentBytes / 4 else { return }
        while !order.isEmpty, order.count >= limits.documents || bytes + text.count > limits.documentBytes {
            let oldest = order.removeFirst()
            entries[oldest] = nil
            bytes -= oldest.count
        }
        entries[text] = outcome
        order.append(text)
        bytes += text.count
    }
}
