import JSON
import Network
import Outbox
import Synchronization
import UserPool

/// The messages to people that the pool and functions have written, sent or not.
final class TestOutbox: Sendable {
    private let pool: UserPool?
    private let outbox: Outbox
    private let waiting = Mutex(State())

    private struct State {
        var last = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        /// How often there was something new.
        var news = 0
    }

    init(_ pool: UserPool?, _ outbox: Outbox) {
        self.pool = pool
        self.outbox = outbox
        pool?.tellOfMessages { [weak self] in self?.wake() }
        outbox.tellOfMessages { [weak self] in self?.wake() }
    }

    /// The messages to somebody, or to all. Where there are none, it waits for one.
    func messages(to recipient: String?, waitMilliseconds: Int64, on loop: EventLoop) async throws(ErrorAnswer)
        -> JSONValue
    {
        let end = MonotonicTime.now.advanced(byMilliseconds: Int(waitMilliseconds))
        while true {
            let news = waiting.withLock { $0.news }
            let messages: [SentMessage]
            do { messages = try await newest(to: recipient) } catch {
                throw .test("The messages cannot be read: \(error).", status: 503)
            }
            guard messages.isEmpty, MonotonicTime.now < end else {
                return ["messages": .array(messages.map(Self.json))]
            }
            try await wait(since: news, until: end, on: loop)
        }
    }

    private func newest(to recipient: String?) async throws -> [SentMessage] {
        let max = TestControlLimits.messagesMax
        let ofPool = try await pool?.newestMessages(to: recipient, max: max).map { SentMessage($0) } ?? []
        let ofFunctions = try await outbox.newestMessages(to: recipient, max: max).map { SentMessage($0) }
        return (ofPool + ofFunctions).sorted { $0.created < $1.created }.suffix(max)
    }

    func removeAll() async throws(ErrorAnswer) -> Int {
        do { return try await (pool?.removeMessages() ?? 0) + outbox.removeMessages() } catch {
            throw .test("The messages cannot be removed: \(error).", status: 503)
        }
    }

    private func wait(since news: Int, until end: MonotonicTime, on loop: EventLoop) async throws(ErrorAnswer) {
        let number = waiting.withLock { state -> Int? in
            guard state.waiters.count < TestControlLimits.waitsMax else { return nil }
            state.last += 1
            return state.last
        }
        guard let number else {
            throw .test("\(TestControlLimits.waitsMax) requests wait for messages already.", status: 503)
        }
        let timer = loop.schedule(at: end) { [weak self] in self?.end(number) }
        await withCheckedContinuation { continuation in
            let isOver = waiting.withLock { state in
                guard state.news == news, MonotonicTime.now < end else { return true }
                state.waiters[number] = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
        loop.cancel(timer)
    }

    private func end(_ number: Int) {
        waiting.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }

    private func wake() {
        let waiters = waiting.withLock { state in
            state.news += 1
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    private static func json(_ message: SentMessage) -> JSONValue {
        func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
        return [
            "id": .integer(message.number), "medium": .string(message.medium), "to": .string(message.address),
            "from": text(message.sender),
            "user": .string(message.user), "kind": .string(message.kind), "subject": .string(message.subject),
            "text": .string(message.body), "html": text(message.html), "code": text(message.code),
            "createdAt": .string(message.time), "state": .string(message.state),
        ]
    }
}
