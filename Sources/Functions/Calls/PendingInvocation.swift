import Crypto
import JSON
import Network

/// One call of a function, from the queue to its answer. It belongs to the loop of the functions.
final class PendingInvocation {
    let id: String
    let payload: [UInt8]
    let clientContext: String?
    /// The outcome that stands as soon as the process is done.
    var outcome: FunctionOutcome?
    private(set) var tail: [UInt8] = []
    private var reply: ((FunctionOutcome) -> Void)?

    init(_ payload: [UInt8], clientContext: String?, id: String, reply: @escaping (FunctionOutcome) -> Void) {
        // Runtimes cannot read nothing.
        self.payload = payload.isEmpty ? Array("{}".utf8) : payload
        self.clientContext = clientContext
        self.id = id
        self.reply = reply
    }

    /// True if nobody waits for it any more.
    var isAnswered: Bool { reply == nil }

    /// Answers the caller. Only the first answer counts.
    func finish(_ outcome: FunctionOutcome) {
        let reply = reply
        self.reply = nil
        reply?(outcome)
    }

    /// Keeps the last of what the function has written.
    func note(line: String) {
        tail += Array(line.utf8) + [UInt8(ascii: "\n")]
        if tail.count > RuntimeLimits.tailBytesMax { tail.removeFirst(tail.count - RuntimeLimits.tailBytesMax) }
    }

}
