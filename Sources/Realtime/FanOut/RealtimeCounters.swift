import Synchronization

/// What one loop counts about its subscriptions.
///
/// Hot path: only the loop's thread writes, so that a counter is read, increased and stored without the cost of an atomic
/// addition; the atomics are there for the thread that scrapes.
package final class RealtimeCounters: @unchecked Sendable {
    // Safe to share: the memory is atomics, allocated once and never moved.

    package enum Counter: Int, CaseIterable, Sendable {
        case connectionsOpened, connectionsClosed
        case subscriptionsStarted, subscriptionsEnded
        /// Handshakes and operations that were not let in.
        case denials
        case events, evaluations
        /// Events written, each for all who select the same.
        case payloads
        case deliveries
        /// Events that were larger than a subscriber may get.
        case oversizeEvents
        /// Clients that were too slow.
        case slowCloses
    }

    private let slots: UnsafeMutablePointer<Atomic<UInt64>>

    init() {
        slots = .allocate(capacity: Counter.allCases.count)
        for counter in Counter.allCases { (slots + counter.rawValue).initialize(to: Atomic(0)) }
    }

    deinit {
        slots.deinitialize(count: Counter.allCases.count)
        slots.deallocate()
    }

    @inline(__always)
    func add(_ amount: UInt64, to counter: Counter) {
        let value = slots[counter.rawValue].load(ordering: .relaxed)
        slots[counter.rawValue].store(value &+ amount, ordering: .relaxed)
    }

    package func value(_ counter: Counter) -> UInt64 { slots[counter.rawValue].load(ordering: .relaxed) }
}
