import JSON

/// News for the work of other nodes: it hurries a look that comes in any case, so nothing depends on it.
///
/// Wakes go with the commit of the change that they are about, each once for a transaction.
package enum NodeWake: Hashable, Sendable {
    /// A queue has messages that may be received, or events of a function.
    case queue(ByteText)
    /// The outbox has messages to send.
    case outbox
    /// Functions are to be called with changes of files.
    case files
    /// A table of items was made, changed or deleted.
    case tables
    /// A bus or a rule of events was made, changed or deleted.
    case rules
    /// An execution of a state machine is to begin.
    case executions
    /// A duty is free.
    case duty
    /// A node has joined: others have somebody to wake from now on.
    case joined
    /// Anything: too much has changed to name it, or the news of a while are missing.
    case everything

    /// The form in which nodes announce it. Who has announced it comes first: a node leaves out its own.
    func payload(of node: Int64) -> String {
        let text = "\(node) \(text)"
        return text.utf8.count <= StoreLimits.wakeBytesMax ? text : "\(node) \(Self.everything.text)"
    }

    private var text: String {
        switch self {
        case .queue(let name): "q:\(name.string)"
        case .outbox: "o"
        case .files: "f"
        case .tables: "t"
        case .rules: "r"
        case .executions: "e"
        case .duty: "d"
        case .joined: "j"
        case .everything: "*"
        }
    }

    /// Reads what a node has announced. Nil: this node itself has done so, or it is about events.
    init?(_ payload: String, for node: Int64) {
        guard !payload.isEmpty else { return nil }
        let parts = payload.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
        guard parts.count == 2, let sender = Int64(parts[0]) else {
            self = .everything
            return
        }
        guard sender != node else { return nil }
        switch ByteText(parts[1]) {
        case "o": self = .outbox
        case "f": self = .files
        case "t": self = .tables
        case "r": self = .rules
        case "e": self = .executions
        case "d": self = .duty
        case "j": self = .joined
        case let text:
            guard text.string.utf8.starts(with: "q:".utf8) else {
                self = .everything
                return
            }
            self = .queue(ByteText(Substring(text.string.utf8.dropFirst(2))))
        }
    }
}

extension WriteSession {
    /// Wakes other nodes with the commit of the change that runs. Costs nothing where this process is the only one.
    package func wake(_ wake: @autoclosure () -> NodeWake) { nodes?.wake(wake()) }

    /// The number of this process among the nodes; nil where it is none.
    package var nodeNumber: Int64? { nodes?.number }

    /// The numbers of the nodes that live; none where this process is no node.
    package func livingNodes() throws(StoreError) -> Set<Int64> {
        guard nodes != nil else { return [] }
        return try noting { () throws(StoreError) in try connection.livingNodes() }
    }
}

extension Reader {
    /// The numbers of the nodes that live. Asked by a node.
    package func livingNodes() throws(StoreError) -> Set<Int64> { try connection.livingNodes() }
}

extension Connection {
    fileprivate func livingNodes() throws(StoreError) -> Set<Int64> {
        var numbers: Set<Int64> = []
        try query(NodeRows.living, []) { row throws(StoreError) in
            numbers.insert(row.integer(0))
            return true
        }
        return numbers
    }
}
