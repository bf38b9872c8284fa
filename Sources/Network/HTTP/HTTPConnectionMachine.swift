/// The life of a client's HTTP connection: what is expected of the client, what is being answered, and how long either may
/// take. Pure: no socket, no loop, and the time comes with each event.
///
///     idle ─▶ head ─▶ collecting ─▶ running ─▶ answering ─┬─▶ idle
///                         └─ a body that streams ─▶┘      └─▶ ending (the client takes what is left)
///
/// Each event is a method that answers with what is to be done. `deadline` is when `timeIsUp` has something to do next.
/// Requests of a pipeline are answered in order because nothing is parsed while `reading` says that bytes are kept.
struct HTTPConnectionMachine: ~Copyable {
    /// The rules for all connections of a server.
    final class Rules: Sendable {
        let idleMilliseconds: Int
        let headMilliseconds: Int
        let pipelinedBytes: Int
        let body: TransferRate.Bounds
        let answer: TransferRate.Bounds

        init(_ limits: HTTPLimits) {
            idleMilliseconds = limits.idleMilliseconds
            headMilliseconds = limits.headMilliseconds
            pipelinedBytes = limits.pipelinedBytes
            body = TransferRate.Bounds(
                stretchMilliseconds: limits.bodyGraceMilliseconds, bytesPerSecond: limits.bodyBytesPerSecond,
                silenceMilliseconds: limits.bodySilenceMilliseconds)
            answer = TransferRate.Bounds(
                stretchMilliseconds: limits.answerGraceMilliseconds, bytesPerSecond: limits.answerBytesPerSecond,
                silenceMilliseconds: limits.writeStallMilliseconds)
        }
    }

    private enum State {
        /// Nothing has come of a request.
        case idle
        /// A part of a head has come.
        case head
        /// The body comes in; what answers waits for all of it.
        case collecting(Incoming)
        /// The answer is being made; the body may still come in.
        case running(Body, Work)
        /// The answer is written, or is being written, and leaves.
        case answering(Answer, HTTPAnswerWatch?)
        /// Nothing more is read or answered.
        case ending(HTTPAnswerWatch)
        /// The connection is closed, or another protocol's.
        case over
    }

    /// A body that comes.
    private struct Incoming {
        var rate: TransferRate
        /// True if the client waits to be told to send it.
        var awaitsContinue: Bool
        /// True if its reader is behind, and the client has to wait.
        var isHeldUp = false
    }

    private enum Body {
        case coming(Incoming)
        /// It is not acceptable, and whoever reads it has been told.
        case refused
        case complete
    }

    /// The work that makes the answer.
    private enum Work {
        /// Nobody who could be told anything.
        case nobody
        /// A task; one that is only of use while its client is there ends with it.
        case task(endsWithClient: Bool)
    }

    private enum Answer {
        /// It is not with the channel yet, all of it: somebody still writes.
        case written(closes: Bool)
        /// It leaves, and the next request waits for that.
        case leaving
    }

    typealias Outgoing = HTTPAnswerWatch.Outgoing

    private let rules: Rules
    private var state = State.idle
    /// The client sends nothing more.
    private(set) var hasReadAll = false
    /// The server stops: this request is the last one.
    private(set) var isStopping = false

    /// When `timeIsUp` is to be called.
    private(set) var deadline: MonotonicTime

    init(_ rules: Rules, now: MonotonicTime) {
        self.rules = rules
        deadline = now.advanced(byMilliseconds: rules.idleMilliseconds)
    }

    // MARK: Reading

    enum Reading: Equatable {
        case parse
        /// It belongs to the next request: it is kept until this one is answered.
        case keep
        case drop
    }

    /// The use of bytes that come.
    var reading: Reading {
        switch state {
        case .idle, .head, .collecting, .running(.coming, _), .running(.refused, _): .parse
        case .running(.complete, _), .answering: .keep
        case .ending, .over: .drop
        }
    }

    /// True if nothing has come of a request: its first byte is the next one.
    var isIdle: Bool {
        if case .idle = state { return true }
        return false
    }

    /// True if an answer can be written. One that comes when the connection is at its end is not wanted any more.
    var wantsAnswer: Bool {
        if case .running = state { return true }
        return false
    }

    enum KeepAction: Equatable {
        /// The client has to wait.
        case pauseReading
        case nothing
    }

    /// So many bytes of further requests are kept.
    func kept(_ count: Int) -> KeepAction {
        count > rules.pipelinedBytes ? .pauseReading : .nothing
    }

    /// The parts of a head that the connection needs.
    struct Head {
        var framing: HTTPBodyFraming
        var expectsContinue = false
        /// True if bytes of the body came with it.
        var hasBodyBegun = false

        /// True if the client waits for leave to send a body of no bytes. It gets that at once: some clients take an answer without it for
        /// a refusal, and with it the answers that come after it on the connection.
        var waitsForNothing: Bool { expectsContinue && framing == .length(0) }
    }

    enum CollectAction: Equatable {
        /// Tell the client, which waits for that, that it may send the body.
        case sendContinue
        case nothing
    }

    /// A head has come, and its answer waits for the whole body.
    mutating func collects(_ head: Head) -> CollectAction {
        var incoming = begin(head)
        let action = incoming.awaitsContinue ? CollectAction.sendContinue : .nothing
        incoming.awaitsContinue = false
        state = .collecting(incoming)
        return action
    }

    /// A head has come, and a task answers it, which reads the body meanwhile.
    mutating func streams(_ head: Head) {
        state = .running(.coming(begin(head)), .nobody)
    }

    enum KnownAnswerAction: Equatable {
        /// Read the body and drop it, so that the connection can be used on; then answer.
        case collect
        case respond
    }

    /// A head has come whose answer is known already. A long body ends with the connection.
    mutating func answersAtOnce(_ head: Head) -> KnownAnswerAction {
        let incoming = begin(head)
        if case .length(1...rules.pipelinedBytes) = head.framing, !incoming.awaitsContinue {
            state = .collecting(incoming)
            return .collect
        }
        let hasNone = head.framing == .none || head.framing == .length(0)
        state = .running(hasNone ? .complete : .coming(incoming), .nobody)
        return .respond
    }

    enum UpgradeAction: Equatable {
        /// Write the 101 answer and hand the channel over.
        case takeOver
        case refuse(HTTPParseError)
    }

    /// A head has come that changes the protocol.
    mutating func upgrades(_ head: Head) -> UpgradeAction {
        guard head.framing == .none else {
            return .refuse(.malformed("a request to change the protocol has no body"))
        }
        deadline = .never
        state = .over
        return .takeOver
    }

    private mutating func begin(_ head: Head) -> Incoming {
        deadline = .never
        return Incoming(
            rate: TransferRate(rules.body),
            awaitsContinue: head.expectsContinue && head.framing != .none && !head.hasBodyBegun
                && !head.waitsForNothing)
    }

    /// A piece of the body has come.
    mutating func receivedBody(_ count: Int, now: MonotonicTime) {
        changeIncoming { incoming in
            incoming.rate.moved(count, at: now)
            incoming.awaitsContinue = false
        }
    }

    /// Enough of the body waits for its reader. The client is not asked for more, and has all the time.
    mutating func bodyIsFull() -> KeepAction {
        guard case .running(.coming, _) = state else { return .nothing }
        changeIncoming { $0.isHeldUp = true }
        deadline = .never
        return .pauseReading
    }

    enum RoomAction: Equatable {
        case resumeReading
        case nothing
    }

    /// Its reader has caught up.
    mutating func bodyHasRoom(now: MonotonicTime) -> RoomAction {
        guard case .running(.coming, _) = state else { return .nothing }
        changeIncoming { $0.isHeldUp = false }
        watchBody(now: now)
        return .resumeReading
    }

    /// Its reader waits for it.
    mutating func bodyIsWanted() -> CollectAction {
        var awaited = false
        changeIncoming { incoming in
            awaited = incoming.awaitsContinue
            incoming.awaitsContinue = false
        }
        return awaited ? .sendContinue : .nothing
    }

    private mutating func watchBody(now: MonotonicTime) {
        guard deadline == .never else { return }
        var next = deadline
        changeIncoming { if !$0.isHeldUp { next = $0.rate.begin(at: now) } }
        deadline = next
    }

    private mutating func changeIncoming(_ change: (inout Incoming) -> Void) {
        switch state {
        case .collecting(var incoming):
            change(&incoming)
            state = .collecting(incoming)
        case .running(.coming(var incoming), let work):
            change(&incoming)
            state = .running(.coming(incoming), work)
        default:
            break
        }
    }

    enum EndAction: Equatable {
        /// Answer: the body that was collected is whole.
        case answerCollected
        /// Tell the body's reader that this is all.
        case endBody
        case nothing
    }

    /// The request is complete.
    mutating func receivedEnd() -> EndAction {
        switch state {
        case .collecting:
            deadline = .never
            state = .running(.complete, .nobody)
            return .answerCollected
        case .running(_, let work):
            deadline = .never
            state = .running(.complete, work)
            return .endBody
        // One that was answered at its head is over already, and the client has its time for the next.
        case .idle, .head, .answering, .ending, .over:
            return .nothing
        }
    }

    enum BytesAction: Equatable {
        /// A request has begun, and its head is not complete.
        case beginRequest
        /// Nobody will ask for anything: end the connection.
        case end
        case nothing
    }

    /// All that has come is parsed. Sets the deadline for what is expected next of the client.
    mutating func receivedAll(
        isBetweenRequests: Bool, outgoing: @autoclosure () -> Outgoing, now: MonotonicTime
    ) -> BytesAction {
        switch state {
        case .idle where !isBetweenRequests:
            state = .head
            deadline = now.advanced(byMilliseconds: rules.headMilliseconds)
            return .beginRequest
        case .idle where isStopping || hasReadAll:
            end(outgoing(), now: now)
            return .end
        case .collecting, .running(.coming, _):
            watchBody(now: now)
            return .nothing
        default:
            return .nothing
        }
    }

    // MARK: Failing

    enum FailAction: Equatable {
        /// Answer with the error. The connection ends, since nobody knows where the next request would begin.
        case answer
        /// A task makes the answer: it learns of the error from the body that it reads. No more of that is read.
        case tellReader
        /// There is nobody to tell.
        case close
    }

    /// Notes that the bytes are not acceptable.
    mutating func failed() -> FailAction {
        switch state {
        case .idle, .head, .collecting, .running(_, .nobody):
            state = .running(.refused, .nobody)
            return .answer
        case .running(_, let work):
            state = .running(.refused, work)
            deadline = .never
            return .tellReader
        case .answering, .ending, .over:
            return .close
        }
    }

    // MARK: Answering

    enum TaskAction: Equatable {
        /// Its client has gone already, and nobody else wants what it makes.
        case cancel
        case nothing
    }

    /// A task makes the answer.
    mutating func taskBegins(endsWithClient: Bool) -> TaskAction {
        if case .running(let body, _) = state { state = .running(body, .task(endsWithClient: endsWithClient)) }
        return endsWithClient && hasReadAll ? .cancel : .nothing
    }

    /// The task has made it. The answer comes next.
    mutating func taskEnded() {
        if case .running(let body, .task) = state { state = .running(body, .nobody) }
    }

    enum AnswerAction: Equatable {
        /// Write the head of the answer, which says whether the connection goes on behind it.
        case write(closes: Bool)
        case nothing
    }

    /// There is an answer. `closes` is whether it asks for the end of the connection, for itself or for its request.
    mutating func answerBegins(closes: Bool) -> AnswerAction {
        guard case .running(let body, _) = state else { return .nothing }
        var isLast = closes || isStopping || hasReadAll
        if case .complete = body {} else { isLast = true }
        state = .answering(.written(closes: isLast), nil)
        return .write(closes: isLast)
    }

    enum WrittenAction: Equatable {
        case takeNextRequest
        /// The next request waits until this answer has left.
        case wait
        /// End the connection when all has left. A client that is still sending would lose the answer if it were closed
        /// at once.
        case end(isPeerSending: Bool)
    }

    /// The answer is with the channel. One that is not complete ends the connection: only that tells the client.
    ///
    /// `hasRoom` is whether another may be written behind it: answers that a client does not read must not pile up.
    mutating func answerEnds(
        isComplete: Bool, hasRoom: Bool, outgoing: @autoclosure () -> Outgoing, now: MonotonicTime
    ) -> WrittenAction {
        guard case .answering(.written(let closes), _) = state else { return .wait }
        if closes || !isComplete {
            end(outgoing(), now: now)
            return .end(isPeerSending: isComplete && !hasReadAll)
        }
        if hasRoom {
            becomeIdle(now: now)
            return .takeNextRequest
        }
        state = .answering(.leaving, watch(outgoing(), now: now))
        return .wait
    }

    enum FlushAction: Equatable {
        case takeNextRequest
        case nothing
    }

    /// All that was written has left.
    mutating func flushed(now: MonotonicTime) -> FlushAction {
        guard case .answering(.leaving, _) = state else { return .nothing }
        becomeIdle(now: now)
        return .takeNextRequest
    }

    enum WroteAction: Equatable {
        /// The deadline is a new one.
        case watch
        case nothing
    }

    /// Some of what was written has left, perhaps of a stream that waited for its writer.
    mutating func wrote(outgoing: @autoclosure () -> Outgoing, now: MonotonicTime) -> WroteAction {
        guard deadline == .never, case .answering(let answer, _) = state else { return .nothing }
        state = .answering(answer, watch(outgoing(), now: now))
        return .watch
    }

    private mutating func becomeIdle(now: MonotonicTime) {
        state = .idle
        deadline = now.advanced(byMilliseconds: rules.idleMilliseconds)
    }

    /// Begins to look at how the client takes what is written.
    private mutating func watch(_ outgoing: Outgoing, now: MonotonicTime) -> HTTPAnswerWatch {
        let watch = HTTPAnswerWatch(rules.answer, outgoing, now: now)
        deadline = watch.deadline
        return watch
    }

    // MARK: Time

    enum TimeAction: Equatable {
        case wait
        case refuse(HTTPParseError)
        case close
    }

    /// The deadline has come.
    mutating func timeIsUp(outgoing: @autoclosure () -> Outgoing, now: MonotonicTime) -> TimeAction {
        deadline = .never
        switch state {
        case .idle:
            return .close
        case .head:
            return .refuse(HTTPParseError(.requestTimeout, "the request's head took too long"))
        case .collecting, .running(.coming, _):
            var next: MonotonicTime?
            changeIncoming { next = $0.rate.check(at: now) }
            guard let next else {
                return .refuse(HTTPParseError(.requestTimeout, "the request's body came too slowly"))
            }
            deadline = next
            return .wait
        case .answering(let answer, let watch):
            guard let next = look(at: watch, outgoing(), now: now) else { return .close }
            state = .answering(answer, next)
            return .wait
        case .ending(let watch):
            guard let next = look(at: watch, outgoing(), now: now) else { return .close }
            state = .ending(next)
            return .wait
        case .running, .over:
            return .wait
        }
    }

    /// Looks at how the client takes the answer; nil when it is too slow.
    private mutating func look(
        at watch: HTTPAnswerWatch?, _ outgoing: Outgoing, now: MonotonicTime
    ) -> HTTPAnswerWatch? {
        guard var watch else { return self.watch(outgoing, now: now) }
        guard watch.isQuickEnough(outgoing, now: now) else { return nil }
        deadline = watch.deadline
        return watch
    }

    // MARK: Ending

    enum ReadAllAction: Equatable {
        /// Nothing is being asked for: end the connection.
        case end
        /// The request will never be complete: give it up and close.
        case abandon
        /// Tell the body's reader.
        case endBody
        /// Nobody waits for the answer.
        case cancelTask
        case nothing
    }

    /// The client sends nothing more; it may still read.
    mutating func readAll(outgoing: @autoclosure () -> Outgoing, now: MonotonicTime) -> ReadAllAction {
        hasReadAll = true
        switch state {
        case .idle, .head:
            end(outgoing(), now: now)
            return .end
        case .collecting:
            return .abandon
        case .running(.coming, _), .running(.refused, _):
            return .endBody
        case .running(.complete, .task(endsWithClient: true)):
            return .cancelTask
        case .running, .answering, .ending, .over:
            return .nothing
        }
    }

    enum StopAction: Equatable {
        /// Read what has come already: a request that is there is still answered. Then `stopped` is asked.
        case read
        case nothing
    }

    /// The server stops: what runs is answered to its end.
    mutating func stop() -> StopAction {
        isStopping = true
        switch state {
        case .idle, .head: return .read
        default: return .nothing
        }
    }

    enum StoppedAction: Equatable {
        case end
        case refuse(HTTPParseError)
        case nothing
    }

    /// Notes that all bytes are read that came before the server began to stop.
    mutating func stopped(outgoing: @autoclosure () -> Outgoing, now: MonotonicTime) -> StoppedAction {
        switch state {
        case .idle:
            end(outgoing(), now: now)
            return .end
        case .head:
            return .refuse(HTTPParseError(.serviceUnavailable, "the server stops"))
        default:
            return .nothing
        }
    }

    /// The connection is gone.
    mutating func closed() {
        state = .over
        deadline = .never
    }

    /// The connection ends when the client has all that was written, for which it has no more time than for any answer.
    private mutating func end(_ outgoing: Outgoing, now: MonotonicTime) {
        state = .ending(watch(outgoing, now: now))
    }
}
