/// Events that wait for their loop, in their order, and the gaps between them: where events may be missing, all subscriptions end.
///
///     event, event, gap, event ─▶ both events, the end of all subscriptions, the last event
struct WaitingEvents<Event> {
    private var events: [Event] = []
    /// Behind how many of the events each gap is.
    private var gaps: [Int] = []

    var isEmpty: Bool { events.isEmpty }

    mutating func append(_ more: [Event]) { events += more }

    /// Two gaps without an event between them are one.
    mutating func addGap() {
        if gaps.last != events.count { gaps.append(events.count) }
    }

    /// Hands everything out in its order.
    func handOut(_ deliver: ([Event]) -> Void, atGap interrupt: () -> Void) {
        guard !gaps.isEmpty else { return deliver(events) }
        var begin = 0
        for end in gaps {
            deliver(Array(events[begin..<end]))
            interrupt()
            begin = end
        }
        deliver(Array(events[begin...]))
    }
}
