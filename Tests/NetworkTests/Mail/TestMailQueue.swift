import Network
import Synchronization

/// A queue of mails in memory, which tells what is written into it.
final class TestMailQueue: MailQueue {
    enum Fate: Equatable, Sendable {
        case sent(Int64)
        case failed(Int64, MailRetry, words: String)
    }

    struct Failure: Error {}

    private struct Waiting {
        var mail: QueuedMail
        var due: Int64
    }

    private struct State {
        var waiting: [Int64: Waiting] = [:]
        var failuresOfDue = 0
        var failuresOfFates = 0
        var asked = 0
    }

    private let state = Mutex(State())
    private let signal: AsyncStream<Fate>.Continuation
    /// What is written, in order.
    let fates: AsyncStream<Fate>
    let isKnownToBeEmpty: Bool

    init(isKnownToBeEmpty: Bool = false) {
        self.isKnownToBeEmpty = isKnownToBeEmpty
        (fates, signal) = AsyncStream<Fate>.makeStream()
    }

    func add(
        _ id: Int64, at time: Int64, to: String = "user@example.com", subject: String = "Your code",
        created: Int64? = nil, expires: Int64? = nil
    ) {
        let mail = QueuedMail(
            id: id, to: to, subject: subject, text: "It is 123456.", tries: 0, created: created ?? time,
            expires: expires)
        state.withLock { $0.waiting[id] = Waiting(mail: mail, due: time) }
    }

    /// How often it fails from now on, before it works again.
    func fail(due: Int = 0, fates: Int = 0) {
        state.withLock { ($0.failuresOfDue, $0.failuresOfFates) = (due, fates) }
    }

    /// How many mails wait.
    var count: Int { state.withLock { $0.waiting.count } }
    /// How often it was asked for mails.
    var asked: Int { state.withLock { $0.asked } }

    func due(at now: Int64, max: Int) async throws -> [QueuedMail] {
        try state.withLock { state in
            state.asked += 1
            if state.failuresOfDue > 0 {
                state.failuresOfDue -= 1
                throw Failure()
            }
            let due = state.waiting.values.filter { $0.due <= now }
            return due.sorted { ($0.due, $0.mail.id) < ($1.due, $1.mail.id) }.prefix(max).map(\.mail)
        }
    }

    func nextDue() async throws -> Int64? { state.withLock { $0.waiting.values.map(\.due).min() } }

    func sent(_ id: Int64) async throws {
        try failIfAsked()
        state.withLock { $0.waiting[id] = nil }
        signal.yield(.sent(id))
    }

    func failed(_ id: Int64, _ retry: MailRetry, words: String) async throws {
        try failIfAsked()
        state.withLock { state in
            guard let waiting = state.waiting.removeValue(forKey: id), case .at(let time) = retry else { return }
            let mail = waiting.mail
            let next = QueuedMail(
                id: id, to: mail.to, subject: mail.subject, text: mail.text, tries: mail.tries + 1,
                created: mail.created,
                expires: mail.expires)
            state.waiting[id] = Waiting(mail: next, due: time)
        }
        signal.yield(.failed(id, retry, words: words))
    }

    private func failIfAsked() throws {
        try state.withLock { state in
            guard state.failuresOfFates > 0 else { return }
            state.failuresOfFates -= 1
            throw Failure()
        }
    }
}

/// A clock that a test moves.
final class TestMailClock: MailClock {
    private struct State {
        var now: Int64
        var alarms: [Int: (time: Int64, loop: EventLoop, action: @Sendable () -> Void)] = [:]
        var last = 0
    }

    private let state: Mutex<State>
    private let signal: AsyncStream<Int64>.Continuation
    /// After how long each alarm is to come that is set.
    let alarms: AsyncStream<Int64>

    init(at now: Int64) {
        state = Mutex(State(now: now))
        (alarms, signal) = AsyncStream<Int64>.makeStream()
    }

    var milliseconds: Int64 { state.withLock { $0.now } }

    func alarm(
        after milliseconds: Int64, on loop: EventLoop, _ action: @escaping @Sendable () -> Void
    ) -> () -> Void {
        let number = state.withLock { state in
            state.last += 1
            state.alarms[state.last] = (state.now + milliseconds, loop, action)
            return state.last
        }
        signal.yield(milliseconds)
        return { self.state.withLock { $0.alarms[number] = nil } }
    }

    func advance(by milliseconds: Int64) {
        let due = state.withLock { state in
            state.now += milliseconds
            let due = state.alarms.filter { $0.value.time <= state.now }
            for number in due.keys { state.alarms[number] = nil }
            return Array(due.values)
        }
        for alarm in due { alarm.loop.execute(alarm.action) }
    }
}
