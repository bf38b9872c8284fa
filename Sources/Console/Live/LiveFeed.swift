import Access
import Engine
import JSON
import Network
import Realtime
import Synchronization

/// What happens while somebody looks: requests with their stories, events with who got them, in a ring that is bounded and goes
/// when nobody looks any more. While nobody does, a request passes one look at a flag, and where no other machine reaches the
/// server its outline is kept.
package final class LiveFeed: Sendable {
    /// Something that is kept, with what it takes.
    struct Kept: Sendable {
        let head: StoryJSON.Head
        let story: OperationStory?
        let bytes: Int
    }

    /// An event that was handed out: what all loops together say of it.
    struct KeptEvent: Sendable {
        let event: SeenEvent
        let id: Int64
        let at: Int64
        var deliveries: [EventSighting.Delivery] = []
        var sent = 0
        var unsent = 0
    }

    /// An event that one subscription was looked at for.
    struct HeardEvent: Sendable {
        let kept: KeptEvent
        let heard: OperationStory.Heard
    }

    /// A request that is under way.
    struct Open: Sendable {
        let story: OperationStory
        /// What it was refused with before anything was run.
        var refusal: [UInt8] = []
    }

    private struct State {
        var listeners: [ObjectIdentifier: LiveListener] = [:]
        var kept: [Kept] = []
        var bytes = 0
        var open: [RequestIdentifier: Open] = [:]
        var events: [UInt64: KeptEvent] = [:]
        var eventOrder: [UInt64] = []
        var epoch = ""
        /// How long what is here is kept when nobody listens.
        var keptUntil = MonotonicTime(nanoseconds: 0)

        /// Puts the end off, and says when it is.
        mutating func keep(for milliseconds: Int, from now: MonotonicTime) -> MonotonicTime {
            keptUntil = max(keptUntil, now.advanced(byMilliseconds: milliseconds))
            return keptUntil
        }

        /// The request that an event came of, among the newest.
        func request(of sequence: UInt64) -> Int64? {
            kept.last { $0.story?.events.contains(sequence) ?? false }?.head.id
        }

        mutating func begin() {
            if epoch.isEmpty { epoch = String(UInt32.random(in: .min ... .max), radix: 36) }
        }

        mutating func append(_ new: [Kept]) {
            kept += new
            bytes += new.reduce(0) { $0 + $1.bytes }
            var surplus = 0
            while kept.count - surplus > ConsoleLimits.storiesMax || bytes > ConsoleLimits.ringBytesMax,
                surplus < kept.count
            {
                bytes -= kept[surplus].bytes
                surplus += 1
            }
            kept.removeFirst(surplus)
        }
    }

    private let flag = Atomic(false)
    private let numbers = Atomic<Int64>(1_000)
    private let state = Mutex(State())

    /// Whether the newest requests are kept when nobody looks any more, without their stories.
    private let keepsHeads: Bool

    /// - Parameter hasNodes: numbers begin where those of no other node do: a page may ask any node for the story of a request.
    package init(keepsHeads: Bool = false, hasNodes: Bool = false) {
        self.keepsHeads = keepsHeads
        // Scripts have whole numbers up to 2^53.
        if hasNodes { numbers.store(Int64.random(in: 1..<1 << 20) << 32, ordering: .relaxed) }
    }

    /// Hot path: whether anybody looks.
    package var isWanted: Bool { flag.load(ordering: .relaxed) }

    func number() -> Int64 { numbers.add(1, ordering: .relaxed).newValue }

    // MARK: Requests

    /// Begins to note a request; nil: too many are under way.
    package func begin(
        _ identifier: RequestIdentifier, _ body: [UInt8], by caller: Identity?, trace: DecisionTrace?
    ) -> OperationStory? {
        let story = OperationStory(of: body, by: caller, trace: trace)
        return state.withLock { state in
            guard state.open.count < ConsoleLimits.storiesMax else { return nil }
            state.open[identifier] = Open(story: story)
            return story
        }
    }

    /// A request was refused before anything was run: the body of its answer says why.
    package func refused(_ identifier: RequestIdentifier, with answer: [UInt8]) {
        state.withLock { $0.open[identifier]?.refusal = answer }
    }

    /// Forgets a request that is under way: something else tells its story.
    package func giveUp(_ identifier: RequestIdentifier) { _ = ended(identifier) }

    /// A request has ended; the answer is its story, where it was noted.
    func ended(_ identifier: RequestIdentifier) -> Open? {
        state.withLock { $0.open.removeValue(forKey: identifier) }
    }

    /// Keeps a story, and tells those who look.
    func add(_ head: StoryJSON.Head, _ story: OperationStory?) {
        guard isWanted else { return }
        let kept = Kept(head: head, story: story, bytes: Self.bytes(of: story))
        tell("request", id: head.id, .object(StoryJSON.head(head, story))) { state in
            state.append([kept])
        }
    }

    /// Takes the requests from the time before somebody looked, the oldest first.
    func adopt(_ heads: [StoryJSON.Head]) {
        guard !heads.isEmpty else { return }
        let kept = heads.map { head in
            var head = head
            head.id = number()
            return Kept(head: head, story: nil, bytes: Self.headBytes)
        }
        state.withLock { state in
            state.begin()
            state.append(kept)
        }
    }

    private static func bytes(of story: OperationStory?) -> Int {
        guard let story else { return Self.headBytes }
        return headBytes + story.body.count + story.statements.statements.reduce(0) { $0 + $1.sql.utf8.count }
    }

    /// What is counted for a story beside its texts.
    private static let headBytes = 1_024

    /// A story, with the events that it became; for a subscription those that it was looked at for.
    func kept(_ id: Int64) -> (kept: Kept, events: [KeptEvent], heard: [HeardEvent])? {
        state.withLock { state in
            guard let kept = state.kept.last(where: { $0.head.id == id }) else { return nil }
            let heard = (kept.story?.heard ?? []).compactMap { heard in
                state.events[heard.sequence].map { HeardEvent(kept: $0, heard: heard) }
            }
            return (kept, (kept.story?.events ?? []).compactMap { state.events[$0] }, heard)
        }
    }

    /// An event, with the story of the request that it came of, where that is kept.
    func event(_ id: Int64) -> (event: KeptEvent, request: Int64?)? {
        state.withLock { state in
            guard let event = state.events.values.first(where: { $0.id == id }) else { return nil }
            return (event, state.request(of: event.event.sequence))
        }
    }

    /// The newest stories and events behind one that is known, newest first.
    func recent(_ limit: Int, after id: Int64 = 0) -> (stories: [Kept], events: [KeptEvent], epoch: String) {
        state.withLock { state in
            let stories = state.kept.suffix(limit).filter { $0.head.id > id }.reversed()
            let events = state.eventOrder.suffix(limit).compactMap { state.events[$0] }.filter { $0.id > id }.reversed()
            return (Array(stories), Array(events), state.epoch)
        }
    }

    // MARK: Events

    /// What a loop says of an event.
    func saw(_ sighting: EventSighting) {
        let event = sighting.event
        let known = state.withLock { state -> KeptEvent in
            var known =
                state.events[event.sequence]
                ?? KeptEvent(event: event, id: number(), at: Timestamp.now.millisecondsSince1970)
            known.sent += sighting.sentCount
            known.unsent += sighting.unsentCount
            known.deliveries += sighting.deliveries.prefix(max(0, ConsoleLimits.deliveriesMax - known.deliveries.count))
            if state.events.updateValue(known, forKey: event.sequence) == nil {
                state.eventOrder.append(event.sequence)
            }
            if state.eventOrder.count > ConsoleLimits.storiesMax {
                state.events.removeValue(forKey: state.eventOrder.removeFirst())
            }
            return known
        }
        tell("event", id: known.id, EventJSON.head(known)) { _ in }
    }

    // MARK: Those who look

    /// Somebody begins to look; nil: too many do.
    func enter() -> LiveListener? {
        let listener = LiveListener()
        return state.withLock { state in
            guard state.listeners.count < ConsoleLimits.listenersMax else { return nil }
            state.listeners[ObjectIdentifier(listener)] = listener
            state.begin()
            flag.store(true, ordering: .relaxed)
            return listener
        }
    }

    /// Somebody looks no more. The answer is when to `forget`, where they were the last.
    func leave(_ listener: LiveListener, at now: MonotonicTime) -> MonotonicTime? {
        listener.end()
        return state.withLock { state in
            guard state.listeners.removeValue(forKey: ObjectIdentifier(listener)) != nil, state.listeners.isEmpty else {
                return nil
            }
            return state.keep(for: ConsoleLimits.forgetMilliseconds, from: now)
        }
    }

    /// Somebody looks for a moment, and may come back. The answer is when to `forget`.
    func glance(at now: MonotonicTime) -> MonotonicTime {
        state.withLock { state in
            state.begin()
            flag.store(true, ordering: .relaxed)
            return state.keep(for: ConsoleLimits.glanceMilliseconds, from: now)
        }
    }

    /// Gives everything back, unless somebody has come since. True: nobody looks any more.
    func forget(at now: MonotonicTime) -> Bool {
        state.withLock { state in
            guard state.listeners.isEmpty, state.keptUntil <= now, isWanted else { return false }
            let (heads, epoch) = (keepsHeads ? Array(state.kept.suffix(ConsoleLimits.outlinesMax)) : [], state.epoch)
            state = State()
            if !heads.isEmpty {
                state.epoch = epoch
                state.append(heads.map { Kept(head: $0.head, story: nil, bytes: Self.headBytes) })
            }
            flag.store(false, ordering: .relaxed)
            return true
        }
    }

    /// Empties the ring.
    func clear() {
        state.withLock { state in
            (state.kept, state.bytes, state.events, state.eventOrder) = ([], 0, [:], [])
            state.epoch = String(UInt32.random(in: .min ... .max), radix: 36)
        }
    }

    /// What a listener is told first: the ring as it is, as far as they have not seen it.
    func greeting(after id: Int64?) -> [UInt8] {
        let (kept, epoch) = state.withLock { ($0.kept, $0.epoch) }
        var bytes = Array(":\n\n".utf8)
        bytes += Self.frame(
            "hello",
            id: nil,
            [
                "id": .integer(kept.last?.head.id ?? numbers.load(ordering: .relaxed)), "epoch": .string(epoch),
                "kept": .count(ConsoleLimits.storiesMax),
            ])
        for kept in kept where kept.head.id > id ?? 0 {
            bytes += Self.frame("request", id: kept.head.id, .object(StoryJSON.head(kept.head, kept.story)))
        }
        return bytes
    }

    private func tell(_ name: String, id: Int64, _ data: JSONValue, _ change: (inout State) -> Void) {
        let frame = Self.frame(name, id: id, data)
        let listeners = state.withLock { state in
            change(&state)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.push(frame) }
    }

    /// An event of a stream. JSON has no line breaks.
    static func frame(_ name: String, id: Int64?, _ data: JSONValue) -> [UInt8] {
        var bytes = Array("event: \(name)\n".utf8)
        if let id { bytes += Array("id: \(id)\n".utf8) }
        bytes += Array("data: ".utf8)
        JSONWriter.write(data, to: &bytes)
        bytes += Array("\n\n".utf8)
        return bytes
    }
}
