import JSON
import Synchronization

/// The watchers of queues: one waiter is called for each new message, and permanent watchers for all of them.
package final class QueueWatchers: Sendable {
    struct Token: Sendable {
        fileprivate let queue: ByteText
        fileprivate let number: Int
    }

    private struct Watcher: Sendable {
        let number: Int
        let wake: @Sendable () -> Void
    }

    private struct State: Sendable {
        var waiting: [ByteText: [Watcher]] = [:]
        var standing: [ByteText: [Watcher]] = [:]
        var count = 0
        var last = 0

        mutating func add(
            _ wake: @escaping @Sendable () -> Void, at queue: String,
            to list: WritableKeyPath<State, [ByteText: [Watcher]]>
        ) -> Token {
            last += 1
            let token = Token(queue: ByteText(queue), number: last)
            self[keyPath: list][token.queue, default: []].append(Watcher(number: last, wake: wake))
            return token
        }

        /// Returns whether it was there still.
        mutating func remove(_ token: Token, from list: WritableKeyPath<State, [ByteText: [Watcher]]>) -> Bool {
            guard let place = self[keyPath: list][token.queue]?.firstIndex(where: { $0.number == token.number }) else {
                return false
            }
            self[keyPath: list][token.queue]?.remove(at: place)
            if self[keyPath: list][token.queue]?.isEmpty == true { self[keyPath: list][token.queue] = nil }
            return true
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Nil: too many wait already.
    func wait(for queue: String, _ wake: @escaping @Sendable () -> Void) -> Token? {
        state.withLock { state in
            guard state.count < QueueLimits.waitingMax else { return nil }
            state.count += 1
            return state.add(wake, at: queue, to: \.waiting)
        }
    }

    func end(_ token: Token) {
        state.withLock { state in
            if state.remove(token, from: \.waiting) { state.count -= 1 }
        }
    }

    /// Has somebody told whenever there is something new, until they leave.
    func stand(at queue: String, _ wake: @escaping @Sendable () -> Void) -> Token {
        state.withLock { $0.add(wake, at: queue, to: \.standing) }
    }

    func leave(_ token: Token) {
        state.withLock { _ = $0.remove(token, from: \.standing) }
    }

    /// Says that a queue has new messages. From any thread.
    ///
    /// - Parameter count: how many.
    package func tell(_ queue: String, count: Int = 1) {
        let told = state.withLock { state -> [Watcher] in
            let standing = state.standing[queue] ?? []
            guard let waiting = state.waiting[queue], count > 0 else { return standing }
            // Who was told goes behind the others, who get what comes next.
            let first = waiting.prefix(count)
            state.waiting[queue] = Array(waiting.dropFirst(first.count)) + first
            return standing + first
        }
        for watcher in told { watcher.wake() }
    }

    func tellAll() {
        let all = state.withLock { state in
            (Array(state.waiting.values) + Array(state.standing.values)).flatMap { $0 }
        }
        for watcher in all { watcher.wake() }
    }
}
