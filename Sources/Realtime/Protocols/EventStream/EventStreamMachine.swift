import JSON

/// GraphQL over server-sent events, one operation a response: what is written in answer to what happens.
///
///     accepted ──▶ a comment ──▶ next … next ──▶ complete
///
/// Errors are results too: a `next` with them, then `complete`. A stream that the server has to end, because it stops or
/// because a proof ends, has no `complete`: its client takes that for the end of the subscription, and never comes back.
struct EventStreamMachine: ~Copyable {
    private enum Phase {
        case streaming, over
    }

    private var phase = Phase.streaming

    init() {}

    var isOver: Bool { phase == .over }

    /// A result to write; nothing when it is over.
    func next(_ response: [UInt8]) -> [UInt8]? {
        isOver ? nil : Self.event("next", response)
    }

    /// The one result of a query or mutation.
    mutating func answered(_ response: [UInt8]) -> [UInt8]? {
        guard !isOver else { return nil }
        phase = .over
        return Self.event("next", response) + Self.complete
    }

    /// The app's own code has ended the subscription.
    mutating func completed() -> [UInt8]? {
        guard !isOver else { return nil }
        phase = .over
        return Self.complete
    }

    /// It could not begin, or has to end.
    mutating func failed(_ failure: OperationFailure) -> [UInt8]? {
        answered(Self.response(to: failure))
    }

    /// The server has to end it.
    mutating func cut() { phase = .over }

    /// The first bytes of every stream, behind its head: some browsers give a page nothing before there is a byte.
    static let beginning = comment

    func keepAlive() -> [UInt8]? { isOver ? nil : Self.comment }

    private static let comment = Array(":\n\n".utf8)

    /// One event. JSON has no line breaks, so that data is one line.
    static func event(_ name: String, _ data: [UInt8]) -> [UInt8] {
        var bytes = Array("event: \(name)\ndata: ".utf8)
        bytes.append(contentsOf: data)
        bytes.append(contentsOf: "\n\n".utf8)
        return bytes
    }

    private static let complete = Array("event: complete\ndata:\n\n".utf8)

    private static func response(to failure: OperationFailure) -> [UInt8] {
        JSONWriter.bytes(of: ["errors": failure.list])
    }
}
