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

    /// Watchers by their queues.
    private struct Watchers: Sendable {
        var ofQueues: [ByteText: [Watcher]] = [:]

        mutating func add(_ number: Int, at queue: String, _ wake: @escaping @Sendable () -> Void) -> Token {
            let token = Token(queue: ByteText(queue), number: number)
            ofQueues[token.queue, default: []].append(Watcher(number: number, wake: wake))
            return token
        }

        /// Returns whether it was there still.
        mutating func remove(_ token: Token) -> Bool {
            guard let place = ofQueues[token.queue]?.firstIndex(where: { $0.number == token.number }) else {
                return false
            }
            ofQueues[token.queue]?.remove(at: place)
            if ofQueues[token.queue]?.isEmpty == true { ofQueues[token.queue] = nil }
            return true
        }

        var all: [Watcher] { ofQueues.values.flatMap { $0 } }
    }

    private struct State: Sendable {
        var waiting = Watchers()
        var standing = Watchers()
        var count = 0
        private var last = 0

        mutating func nextNumber() -> Int {
            last += 1
            return last
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Nil: too many wait already.
    func wait(for queue: String, _ wake: @escaping @Sendable () -> Void) -> Token? {
        state.withLock { state in
            guard state.count < QueueLimits.waitingMax else { return nil }
            state.count += 1
            return state.waiting.add(state.nextNumber(), at: queue, wake)
        }
    }

    func end(_ token: Token) {
        state.withLock { state in
            if state.waiting.remove(token) { state.count -= 1 }
        }
    }

    /// Has somebody told whenever there is something new, until they leave.
    func stand(at queue: String, _ wake: @escaping @Sendable () -> Void) -> Token {
        state.withLock { $0.standing.add($0.nextNumber(), at: queue, wake) }
    }

    func leave(_ token: Token) {
        state.withLock { _ = $0.standing.remove(token) }
    }

    /// Says that a queue has new messages. From any thread.
    ///
    /// - Parameter count: how many.
    package func tell(_ queue: String, count: Int = 1) {
        let told = state.withLock { state -> [Watcher] in
            let standing = state.standing.ofQueues[queue] ?? []
            guard let waiting = state.waiting.ofQueues[queue], count > 0 else { return standing }
            // Who was told goes behind the others, who get what comes next.
            let first = waiting.prefix(count)
            state.waiting.ofQueues[queue] = Array(waiting.dropFirst(first.count)) + first
            return standing + first
        }
        for watcher in told { watcher.wake() }
    }

    /// The queues that somebody watches.
    var queues: Set<ByteText> { state.withLock { Set($0.waiting.ofQueues.keys).union($0.standing.ofQueues.keys) } }

    /// How many wait for messages.
    var waitingCount: Int { state.withLock { $0.count } }

    func tellAll() {
        let all = state.withLock { $0.waiting.all + $0.standing.all }
        for watcher in all { watcher.wake() }
    }
}
