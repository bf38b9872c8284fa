import JSON
import Network
import Synchronization

/// How the server did over the last hour: a point every few seconds, taken as long as somebody has the console open, and a while
/// longer. Nobody pays for it before.
final class ServerHistory: Sendable {
    private struct Point: Sendable {
        let at: Int64
        let sample: ServerSample
        let json: JSONValue
    }

    private struct State {
        var points: [Point] = []
        var isRunning = false
        var lastAsked = MonotonicTime.now
        var since: Int64?
    }

    private let state = Mutex(State())
    /// How long nobody may ask before it ends.
    private static let silenceMilliseconds = 600_000

    /// Begins, or goes on.
    func keep(of host: any ConsoleHost, on loop: EventLoop) {
        let begins = state.withLock { state -> Bool in
            state.lastAsked = .now
            guard !state.isRunning else { return false }
            state.isRunning = true
            state.points = []
            state.since = Timestamp.now.millisecondsSince1970
            return true
        }
        if begins { step(host, loop) }
    }

    private func step(_ host: any ConsoleHost, _ loop: EventLoop) {
        let goesOn = state.withLock { state -> Bool in
            let silence = MonotonicTime.now.nanoseconds(since: state.lastAsked) / 1_000_000
            guard silence < UInt64(Self.silenceMilliseconds) else {
                (state.isRunning, state.points, state.since) = (false, [], nil)
                return false
            }
            return true
        }
        guard goesOn else { return }
        Task(executorPreference: loop) { [weak self] in
            let sample = await host.sample()
            self?.take(sample)
        }
        let next = loop.now.advanced(byMilliseconds: ConsoleLimits.historyStepSeconds * 1_000)
        _ = loop.schedule(at: next) { [weak self] in self?.step(host, loop) }
    }

    private func take(_ sample: ServerSample) {
        let now = Timestamp.now.millisecondsSince1970
        state.withLock { state in
            guard state.isRunning else { return }
            let json = Self.json(sample, now, since: state.points.last.map { ($0.sample, $0.at) })
            state.points.append(Point(at: now, sample: sample, json: json))
            let surplus = state.points.count - ConsoleLimits.historyPointsMax
            if surplus > 0 { state.points.removeFirst(surplus) }
        }
    }

    private static func json(
        _ sample: ServerSample, _ now: Int64, since last: (sample: ServerSample, at: Int64)?
    ) -> JSONValue {
        var members = JSONObject([("at", .moment(now))])
        let seconds = last.map { max(0.001, Double(now - $0.at) / 1_000) }
        func rate(_ now: UInt64, _ before: UInt64?) -> JSONValue {
            guard let seconds, let before else { return .null }
            return .double((Double(now &- before) / seconds * 10).rounded() / 10)
        }
        members["requestsPerSecond"] = rate(sample.requests, last?.sample.requests)
        members["errorsPerSecond"] = rate(sample.errors, last?.sample.errors)
        members["p50"] = quantile(0.5, sample, last?.sample)
        members["p99"] = quantile(0.99, sample, last?.sample)
        members["subscribers"] = .count(sample.subscribers)
        members["connections"] = .count(sample.connections)
        members["residentBytes"] = sample.residentBytes.map { JSONValue.integer($0) } ?? .null
        members["databaseBytes"] = sample.databaseBytes.map { JSONValue.integer($0) } ?? .null
        return .object(members)
    }

    /// How long requests took since the last sample, in milliseconds, as far as the histogram tells: the bound of its part.
    private static func quantile(_ share: Double, _ sample: ServerSample, _ last: ServerSample?) -> JSONValue {
        guard let last, last.durations.count == sample.durations.count else { return .null }
        let counts = zip(sample.durations, last.durations).map { ($0.boundMicroseconds, $0.count &- $1.count) }
        let all = counts.reduce(0) { $0 + $1.1 }
        guard all > 0 else { return .null }
        var sum: UInt64 = 0
        for (bound, count) in counts {
            sum += count
            if Double(sum) >= Double(all) * share { return .double(Double(bound) / 1_000) }
        }
        return .null
    }

    var json: JSONValue {
        state.withLock { state in
            [
                "stepSeconds": .count(ConsoleLimits.historyStepSeconds), "points": .array(state.points.map(\.json)),
                "sampledSince": .moment(state.since),
            ]
        }
    }

    /// The rates of the last point, and who subscribes now.
    func rates(of host: any ConsoleHost) async -> JSONValue {
        let last = state.withLock { $0.points.last?.json }
        return [
            "requestsPerSecond": last?["requestsPerSecond"] ?? .null, "subscribers": last?["subscribers"] ?? .null,
        ]
    }
}
