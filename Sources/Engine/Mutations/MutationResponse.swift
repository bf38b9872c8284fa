import GraphQL

/// Puts the response to a mutation together, field by field.
struct MutationResponse {
    private let plan: OperationPlan
    private var writer: ResponseWriter
    private let start: Int
    private var isFull = false

    init(_ plan: OperationPlan, _ room: ResponseRoom) {
        self.plan = plan
        writer = ResponseWriter(bytesMax: room.bytesMax)
        writer.beginResponse(expecting: Self.bytesUsually)
        start = writer.bytes.count
    }

    /// The room that a response, and the record of a mutation, gets before any of it is written.
    static let bytesUsually = 1_024

    mutating func write(_ field: RootFieldPlan, _ outcome: MutationRun.Outcome) {
        writer.bytes.append(contentsOf: field.key)
        switch outcome {
        case .value(let piece):
            writer.add(piece.writer.errors)
            writer.isNull = writer.isNull || piece.writer.isNull
            writer.bytes.append(contentsOf: piece.writer.bytes)
        case .failed(let failure): fail(field, failure)
        case .conflict: fail(field, .conflictUndecided("Nobody decides about the conflict."))
        }
    }

    /// Of the mutations that were not made because the response is full, the first one says so for all.
    private mutating func fail(_ field: RootFieldPlan, _ failure: FieldFailure) {
        if !failure.isResponseTooLarge || !isFull { writer.add(failure.error(at: field, in: plan)) }
        isFull = isFull || failure.isResponseTooLarge
        if writer.completeFailure(field.type).isBroken { writer.isNull = true }
    }

    /// The response, for a requester. It is whole then, and nothing can be added.
    mutating func whole(for requester: Requester) -> [UInt8] {
        writer.endObject(from: start)
        return writer.takeResponse(for: requester)
    }
}
