import JSON
import Network
import Synchronization

/// A warning that clients can cause as often as they like, and that is logged from time to time only.
final class RareWarning: Sendable {
    /// How long it is silent after it was logged.
    static let pauseMilliseconds = 60_000

    private let text: String
    private let log: Log
    private let state = Mutex((next: MonotonicTime(nanoseconds: 0), silent: 0))

    init(_ text: String, _ log: Log) {
        (self.text, self.log) = (text, log)
    }

    /// Logs it, with how often it was not since the last time, or counts it.
    func warn(at now: MonotonicTime = .now) {
        let silent: Int? = state.withLock { state in
            guard now >= state.next else {
                state.silent += 1
                return nil
            }
            defer { state = (now.advanced(byMilliseconds: Self.pauseMilliseconds), 0) }
            return state.silent
        }
        guard let silent else { return }
        if silent == 0 { log.warning(text) } else { log.warning(text, ["alsoSince": .integer(Int64(silent))]) }
    }
}
