import Console
import Realtime

extension Metrics {
    /// What is counted of all requests but the console's own, for its charts.
    func sample(_ subscriptions: (RealtimeCounters.Counter) -> UInt64) -> ServerSample {
        var sample = ServerSample()
        var durations = [UInt64](repeating: 0, count: Self.durationBounds.count + 1)
        for route in routes.indices where route != Route.console.rawValue {
            for (place, count) in added({ $0.answers(ofRoute: route) }).enumerated() {
                sample.requests &+= count
                let isError = place >= Self.statuses.count || Self.statuses[place] >= 400
                if isError { sample.errors &+= count }
            }
            for (place, count) in added({ $0.durations(ofRoute: route) }).enumerated() { durations[place] &+= count }
        }
        let bounds = Self.durationBounds + [(Self.durationBounds.last ?? 0) * 2]
        sample.durations = zip(bounds, durations).map { (boundMicroseconds: $0, count: $1) }
        let (started, ended) = (subscriptions(.subscriptionsStarted), subscriptions(.subscriptionsEnded))
        sample.subscribers = Int(clamping: started > ended ? started - ended : 0)
        let opened = loops.reduce(0) { $0 &+ $1.value(.connectionsOpened) }
        let closed = loops.reduce(0) { $0 &+ $1.value(.connectionsClosed) }
        sample.connections = Int(clamping: opened > closed ? opened - closed : 0)
        return sample
    }
}
