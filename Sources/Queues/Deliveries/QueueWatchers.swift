import JSON
import Synchronization

/// Who is told that a queue may have a message: those who wait for one, of whom one is told for each, and those who are always told.
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
    }

    private let state = Mutex(State())

    package init() {}

    /// Nil: too many wait already.
    func wait(for queue: String, _ wake: @escaping @Sendable () -> Void) -> Token? {
        state.withLock { state in
            guard state.count < QueueLimits.waitingMax else { return nil }
            state.count += 1
            state.last += 1
            let token = Token(queue: ByteText(queue), number: state.last)
            state.waiting[token.queue, default: []].append(Watcher(number: token.number, wake: wake))
            return token
        }
    }

    func end(_ token: Token) {
        state.withLock { state in
            guard let place = state.waiting[token.queue]?.firstIndex(where: { $0.number == token.number }) else {
                return
            }
            state.count -= 1
            state.waiting[token.queue]?.remove(at: place)
            if state.waiting[token.queue]?.isEmpty == true { state.waiting[token.queue] = nil }
        }
    }

    /// Has somebody told whenever there is something new, until they leave.
    func stand(at queue: String, _ wake: @escaping @Sendable () -> Void) -> Token {
        state.withLock { state in
            state.last += 1
            let token = Token(queue: ByteText(queue), number: state.last)
            state.standing[token.queue, default: []].append(Watcher(number: token.number, wake: wake))
            return token
        }
    }

    func leave(_ token: Token) {
        state.withLock { state in
            state.standing[token.queue]?.removeAll { $0.number == token.number }
            if state.standing[token.queue]?.isEmpty == true { state.standing[token.queue] = nil }
        }
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
