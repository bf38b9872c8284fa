import GraphQL

/// The documents that the subscribers of a loop have sent last, parsed and validated. An app's clients all send the same.
struct SubscriptionDocuments {
    private let schema: Schema
    private let limits: RealtimeLimits
    private var entries: [[UInt8]: Entry] = [:]
    /// From the oldest to the newest.
    private var order: [[UInt8]] = []
    private var bytes = 0

    /// An operation with its document. What is made of a long one is made beside the loop.
    typealias Operation = (definition: OperationDefinition, document: ExecutableDocument, isLong: Bool)

    private struct Entry {
        let outcome: Phases.Outcome
        let isLong: Bool
    }

    init(schema: Schema, limits: RealtimeLimits) {
        self.schema = schema
        self.limits = limits
    }

    var count: Int { entries.count }

    /// The operation that a request names, with its document; nil when preparing that takes longer than a loop may give to it.
    /// Throws what the client is told.
    mutating func operation(of request: OperationRequest) throws(OperationFailure) -> Operation? {
        let text = Array(request.query.utf8)
        if let known = entries[text] { return try Self.operation(request.operationName, of: known) }
        guard text.count <= limits.turnDocumentBytes else { return nil }
        let outcome = Phases.prepare(text, schema: schema, validationLimits: .turn)
        if case .tooComplex = outcome { return nil }
        let entry = Entry(outcome: outcome, isLong: false)
        keep(entry, of: text)
        return try Self.operation(request.operationName, of: entry)
    }

    /// The same where the document was prepared beside the loop.
    mutating func operation(
        of request: OperationRequest, _ outcome: Phases.Outcome
    ) throws(OperationFailure) -> Operation {
        let text = Array(request.query.utf8)
        let entry = Entry(outcome: outcome, isLong: true)
        if entries[text] == nil { keep(entry, of: text) }
        return try Self.operation(request.operationName, of: entry)
    }

    private static func operation(_ name: String?, of entry: Entry) throws(OperationFailure) -> Operation {
        switch entry.outcome {
        case .unparsable:
            throw .unsupported("")
        case .invalid(let errors), .tooComplex(let errors):
            throw OperationFailure(errors)
        case .ready(let document):
            do throws(RequestError) {
                return (try document.operation(named: name), document, entry.isLong)
            } catch {
                throw .unsupported("")
            }
        }
    }

    private mutating func keep(_ entry: Entry, of text: [UInt8]) {
        guard text.count <= limits.documentBytes / 4 else { return }
        while !order.isEmpty, order.count >= limits.documents || bytes + text.count > limits.documentBytes {
            let oldest = order.removeFirst()
            entries[oldest] = nil
            bytes -= oldest.count
        }
        entries[text] = entry
        order.append(text)
        bytes += text.count
    }
}
