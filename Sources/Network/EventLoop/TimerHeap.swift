/// The timers of one event loop: a binary heap ordered by deadline.
///
///              3 s            the next to fire is on top
///            /     \
///         10 s     75 s       a cancelled timer stays in the heap without its action
///        /    \               and is dropped when it comes to the top
///      75 s   75 s
///
/// Cancelled entries are swept when they are more than half, so a loop that sets and cancels a timer for each
/// request keeps a heap as small as its live timers.
struct TimerHeap {
    typealias Action = () -> Void

    private struct Entry {
        let deadline: MonotonicTime
        let identifier: UInt64
    }

    private var entries: [Entry] = []
    private var actions: [UInt64: Action] = [:]
    private var lastIdentifier: UInt64 = 0

    var isEmpty: Bool { actions.isEmpty }
    var count: Int { actions.count }

    /// How many places the heap takes, cancelled timers included.
    var places: Int { entries.count }

    /// The earliest deadline of a live timer.
    var nextDeadline: MonotonicTime? {
        mutating get {
            dropCancelled()
            return entries.first?.deadline
        }
    }

    mutating func schedule(at deadline: MonotonicTime, _ action: @escaping Action) -> TimerToken {
        lastIdentifier &+= 1
        actions[lastIdentifier] = action
        entries.append(Entry(deadline: deadline, identifier: lastIdentifier))
        siftUp(from: entries.count - 1)
        return TimerToken(identifier: lastIdentifier)
    }

    /// Does nothing for a timer that has fired.
    mutating func cancel(_ token: TimerToken) {
        guard actions.removeValue(forKey: token.identifier) != nil else { return }
        if entries.count > 64, entries.count > 2 * actions.count { sweep() }
    }

    /// Takes the action of the earliest timer that is due.
    mutating func popDue(at now: MonotonicTime) -> Action? {
        dropCancelled()
        guard let first = entries.first, first.deadline <= now else { return nil }
        removeFirst()
        return actions.removeValue(forKey: first.identifier)
    }

    private mutating func dropCancelled() {
        while let first = entries.first, actions[first.identifier] == nil { removeFirst() }
    }

    private mutating func sweep() {
        entries.removeAll { actions[$0.identifier] == nil }
        entries.sort { $0.deadline < $1.deadline }
    }

    private mutating func removeFirst() {
        let last = entries.removeLast()
        guard !entries.isEmpty else { return }
        entries[0] = last
        siftDown()
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].deadline < entries[parent].deadline else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].deadline < entries[least].deadline {
                least = child
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}

/// The name of a timer, to cancel it by.
package struct TimerToken: Sendable, Hashable {
    let identifier: UInt64
}
