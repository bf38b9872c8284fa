import Synchronization

/// The counters of one event loop.
///
/// Hot path: only the loop's thread writes, so that a counter is read, increased and stored without the cost of an
/// atomic addition; the atomics are there for the thread that scrapes. Each loop has memory of its own, so that
/// loops don't slow each other down by counting.
///
/// Unchecked: the memory is atomics, allocated once and never moved.
package final class LoopMetrics: @unchecked Sendable {
    /// The counters that are not for a route.
    enum Counter: Int, CaseIterable {
        case connectionsOpened
        case connectionsClosed
        case webSocketsOpened
        case webSocketsClosed
        case bytesReceived
        case bytesSent
        case lagNanosecondsMax
    }

    private static let statusSlots = Metrics.statuses.count + 1
    private static let bucketSlots = Metrics.durationBounds.count + 1
    /// Answers by status, then the histogram's buckets, then the sum of the durations.
    private static let slotsPerRoute = statusSlots + bucketSlots + 1
    /// From status minus 100 to its slot.
    private static let slotOfStatus: [UInt8] = (100..<600).map { status in
        UInt8(truncatingIfNeeded: Metrics.statuses.firstIndex(of: status) ?? Metrics.statuses.count)
    }

    private let routes: Int
    private let count: Int
    private let slots: UnsafeMutablePointer<Atomic<UInt64>>

    /// The counts of GraphQL.
    let operations: OperationCounters

    init(routes: Int, operations: Int) {
        self.routes = routes
        self.operations = OperationCounters(operations: operations)
        count = Counter.allCases.count + routes * Self.slotsPerRoute
        slots = .allocate(capacity: count)
        for slot in 0..<count { (slots + slot).initialize(to: Atomic(0)) }
    }

    deinit {
        slots.deinitialize(count: count)
        slots.deallocate()
    }

    /// A request was answered.
    ///
    /// - Parameter route: the place of the route's name in `Metrics.routes`; any other number counts as `other`.
    package func requestEnded(route: Int, status: Int, nanoseconds: UInt64) {
        let base = self.base(ofRoute: route)
        let isKnown = (100..<600).contains(status)
        add(1, toSlot: base + (isKnown ? Int(Self.slotOfStatus[status - 100]) : Metrics.statuses.count))
        let microseconds = nanoseconds / 1_000
        var bucket = 0
        while bucket < Metrics.durationBounds.count, microseconds > Metrics.durationBounds[bucket] { bucket += 1 }
        add(1, toSlot: base + Self.statusSlots + bucket)
        add(nanoseconds, toSlot: base + Self.statusSlots + Self.bucketSlots)
    }

    package func connectionOpened() { add(1, to: .connectionsOpened) }
    package func connectionClosed() { add(1, to: .connectionsClosed) }
    package func webSocketOpened() { add(1, to: .webSocketsOpened) }
    package func webSocketClosed() { add(1, to: .webSocketsClosed) }
    package func received(bytes: Int) { add(UInt64(clamping: bytes), to: .bytesReceived) }
    package func sent(bytes: Int) { add(UInt64(clamping: bytes), to: .bytesSent) }

    /// How long something that was due had to wait for the loop.
    package func lagged(nanoseconds: UInt64) {
        let slot = slots + Counter.lagNanosecondsMax.rawValue
        if nanoseconds > slot.pointee.load(ordering: .relaxed) {
            slot.pointee.store(nanoseconds, ordering: .relaxed)
        }
    }

    // MARK: Reading, on any thread

    func value(_ counter: Counter) -> UInt64 {
        slots[counter.rawValue].load(ordering: .relaxed)
    }

    /// The longest lag since this was asked last.
    func takeLag() -> UInt64 {
        slots[Counter.lagNanosecondsMax.rawValue].exchange(0, ordering: .relaxed)
    }

    /// Answers of a route by the places of `Metrics.statuses`, the last for all others.
    func answers(ofRoute route: Int) -> [UInt64] {
        values(base(ofRoute: route), count: Self.statusSlots)
    }

    /// Durations of a route by the places of `Metrics.durationBounds`, the last for all longer ones.
    func durations(ofRoute route: Int) -> [UInt64] {
        values(base(ofRoute: route) + Self.statusSlots, count: Self.bucketSlots)
    }

    func nanoseconds(ofRoute route: Int) -> UInt64 {
        slots[base(ofRoute: route) + Self.statusSlots + Self.bucketSlots].load(ordering: .relaxed)
    }

    private func values(_ start: Int, count: Int) -> [UInt64] {
        (start..<start + count).map { slots[$0].load(ordering: .relaxed) }
    }

    private func base(ofRoute route: Int) -> Int {
        let known = (0..<routes).contains(route) ? route : routes - 1
        return Counter.allCases.count + known * Self.slotsPerRoute
    }

    private func add(_ amount: UInt64, to counter: Counter) {
        add(amount, toSlot: counter.rawValue)
    }

    @inline(__always)
    private func add(_ amount: UInt64, toSlot slot: Int) {
        let value = slots[slot].load(ordering: .relaxed)
        slots[slot].store(value &+ amount, ordering: .relaxed)
    }
}
