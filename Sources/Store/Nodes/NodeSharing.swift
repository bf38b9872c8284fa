/// The events of a transaction for the subscribers of all nodes, in the order of its changes. It belongs to the writer's thread.
package final class SharedEvents {
    private(set) var contents: [[UInt8]] = []

    var count: Int { contents.count }

    /// Adds the event of the change that runs. It goes with the change where that is undone.
    package func add(_ content: [UInt8]) { contents.append(content) }

    func undo(to count: Int) { contents.removeLast(max(0, contents.count - count)) }
}

/// The writer's side of several nodes: the events of a group go into its transaction, under the numbers of the models' turn.
///
///     turn taken ── do others live? ── changes, with their events ── others' events that are missing, own rows ── commit ── line
///
/// It belongs to the writer's thread.
final class NodeSharing {
    private let nodes: Nodes
    /// Set within a transaction that has the models' turn while other nodes live.
    private(set) var events: SharedEvents?
    /// The number of the last event when the turn was taken.
    private var last: Int64 = 0
    /// The number of the last event that was handed out before that.
    private var handedBefore: Int64?
    /// Those of others which the line does not have, then the transaction's own.
    private var rows: [EventRow] = []
    private var wakes: Set<NodeWake> = []
    /// The connection whose server has what was handed out (`Connection.openings`).
    private var checkedOpening: Int64 = 0

    init(_ nodes: Nodes) { self.nodes = nodes }

    var number: Int64 { nodes.number }

    /// Wakes other nodes with the commit. One that has joined just now finds it by itself.
    func wake(_ wake: NodeWake) {
        guard nodes.areOthersThere, !wakes.contains(.everything) else { return }
        if wakes.count < StoreLimits.wakesMax { wakes.insert(wake) } else { wakes = [.everything] }
    }

    /// Called before the turns of a transaction are taken.
    func prepare() { handedBefore = nodes.line.last }

    /// Begins a transaction whose turns are held, or were: a session that was ended meanwhile holds none, and others can commit.
    func begin(_ turns: ServerTurns, on connection: borrowing Connection) throws(StoreError) {
        wakes = []
        events = nil
        rows = []
        guard let models = turns.models else { return }
        self.last = models.sequence
        // What was handed out before the turn was asked for was committed by then.
        let wentBack = handedBefore.map { $0 > last } ?? false
        if wentBack || checkedOpening != connection.openings {
            try nodes.checkLine(on: connection)
            checkedOpening = connection.openings
        }
        if try nodes.hasOthers(at: models.joinings, on: connection) {
            events = SharedEvents()
        } else {
            nodes.line.hold()
        }
    }

    /// Writes the wakes and the events, as the last of a transaction: all but the reading of others' goes out with the commit.
    func write(on connection: borrowing Connection) throws(StoreError) {
        for wake in wakes {
            try connection.runAhead(NodeRows.waking, [.text(nodes.channel), .text(wake.payload(of: number))])
        }
        guard let events, events.count > 0 else { return }
        rows = []
        var handed = nodes.line.last ?? last
        while handed < last {
            let others = try NodeRows.events(behind: handed, on: connection)
            guard let end = others.last?.number else { break }
            rows += others
            handed = end
        }
        var next = last
        var rest = events.contents[...]
        while !rest.isEmpty {
            guard next < .max else { throw StoreError(.unexpected, "there is no number left for an event") }
            next += 1
            var bytes = 0
            let piece = rest.prefix { content in
                defer { bytes += content.count }
                return bytes < StoreLimits.eventRowBytes
            }
            rest = rest.dropFirst(piece.count)
            let row = EventRow(next, of: piece)
            rows.append(row)
            try connection.runAhead(
                NodeRows.insertion, [.integer(next), .integer(nodes.number), .blob(row.bytes)])
        }
        try connection.runAhead(NodeRows.numbering, [.integer(next)])
        try connection.runAhead(NodeRows.announcement, [.text(nodes.channel)])
    }

    /// Writes the mark of the transaction where no other node overwrites it: the turn's own says nothing once another node has had the turn.
    func keep(_ mark: Int64, on connection: borrowing Connection) throws(StoreError) {
        try connection.runAhead(NodeRows.marking, [.integer(nodes.number), .integer(mark)])
        nodes.noteCommit(mark)
    }

    /// Returns whether the last commit of this process has this mark. Asked while the turn of that commit is held: nobody can still make it.
    func isMade(_ mark: Int64, on connection: borrowing Connection) throws(StoreError) -> Bool {
        try connection.value(NodeRows.marked, [.integer(nodes.number), .integer(mark)]) == .integer(1)
    }

    /// Hands out the events of a transaction that is committed.
    func publish() {
        nodes.noteCommitted()
        guard events != nil else { return }
        events = nil
        nodes.line.receive(rows, isOwn: true)
        rows = []
    }
}

extension WriteSession {
    /// The events of the group under way, where other nodes have to hear of it; nil where this process is the only one.
    package var sharedEvents: SharedEvents? { nodes?.events }
}
