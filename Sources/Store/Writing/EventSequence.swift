import Synchronization

/// The numbers of events, in the order of the commits that they tell of.
package final class EventSequence: Sendable {
    private let last = Atomic<UInt64>(0)

    /// The number of one more event.
    package func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
