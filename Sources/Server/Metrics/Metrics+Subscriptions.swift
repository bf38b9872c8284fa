import Realtime

extension Metrics {
    /// The counts of subscriptions. Open WebSockets stand elsewhere.
    func writeSubscriptions(_ count: (RealtimeCounters.Counter) -> UInt64, to text: inout MetricsText) {
        // Read one after the other: a moment's difference can be below zero.
        let ended = count(.subscriptionsEnded)
        let started = count(.subscriptionsStarted)
        write(
            "homeport_subscriptions", .gauge, "Open subscriptions.", started > ended ? started - ended : 0, to: &text)
        let counters: [(name: String, help: String, counter: RealtimeCounters.Counter)] = [
            ("subscriptions_total", "Subscriptions started.", .subscriptionsStarted),
            ("subscription_denials_total", "Handshakes and operations not let in.", .denials),
            ("subscription_events_total", "Events handed to loops that have subscribers.", .events),
            ("subscription_payloads_total", "Events written, each for all who select the same.", .payloads),
            ("subscription_deliveries_total", "Events sent to subscribers.", .deliveries),
            ("subscription_oversize_events_total", "Events too large to be sent.", .oversizeEvents),
            ("subscription_slow_closes_total", "Clients closed because they were too slow.", .slowCloses),
        ]
        for (name, help, counter) in counters {
            write("homeport_\(name)", .counter, help, count(counter), to: &text)
        }
    }
}
