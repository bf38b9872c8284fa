/// Watches that a body comes in at the least rate that is accepted.
struct HTTPBodyRate {
    private let limits: HTTPLimits
    private var began: MonotonicTime?
    private var bytes = 0

    /// How often the rate is looked at once it counts.
    private static let checkMilliseconds = 1000

    init(limits: HTTPLimits) {
        self.limits = limits
    }

    /// Starts to count, anew for each body and each time that its reader has made it wait. Answers when to check.
    mutating func begin(at now: MonotonicTime) -> MonotonicTime {
        began = now
        bytes = 0
        return now.advanced(byMilliseconds: limits.bodyGraceMilliseconds)
    }

    mutating func received(_ count: Int) {
        bytes += count
    }

    /// When to check again, or nil when the body is too slow.
    mutating func check(at now: MonotonicTime) -> MonotonicTime? {
        guard let began else { return nil }
        let seconds = now.nanoseconds(since: began) / 1_000_000_000
        guard UInt64(bytes) >= seconds &* UInt64(limits.bodyBytesPerSecond) else { return nil }
        return now.advanced(byMilliseconds: Self.checkMilliseconds)
    }
}
