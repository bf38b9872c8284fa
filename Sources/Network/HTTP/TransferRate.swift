/// Watches that bytes come, or go, at the least rate that is accepted.
///
/// The rate is asked for in each stretch of time and not on average, so that who was quick once cannot be silent for long;
/// and nothing at all for a while is too slow whatever the rate.
struct TransferRate {
    /// The least rate.
    struct Bounds {
        let stretchMilliseconds: Int
        let bytesPerSecond: Int
        let silenceMilliseconds: Int

        /// The fewest bytes of a stretch.
        var bytesMin: Int {
            let (product, isHuge) = stretchMilliseconds.multipliedReportingOverflow(by: bytesPerSecond)
            return isHuge ? .max : product / 1000
        }
    }

    private let bounds: Bounds
    private var began: MonotonicTime?
    private var lastMoved = MonotonicTime(nanoseconds: 0)
    private var bytes = 0

    init(_ bounds: Bounds) {
        self.bounds = bounds
    }

    /// Starts to count, anew for each body and each time that the other side has made it wait. Answers when to check.
    mutating func begin(at now: MonotonicTime) -> MonotonicTime {
        began = now
        lastMoved = now
        bytes = 0
        return nextCheck(from: now)
    }

    mutating func moved(_ count: Int, at now: MonotonicTime) {
        guard count > 0 else { return }
        bytes += count
        lastMoved = now
    }

    /// When to check again, or nil when it is too slow.
    mutating func check(at now: MonotonicTime) -> MonotonicTime? {
        guard let began, now < lastMoved.advanced(byMilliseconds: bounds.silenceMilliseconds) else { return nil }
        guard now >= began.advanced(byMilliseconds: bounds.stretchMilliseconds) else { return nextCheck(from: began) }
        guard bytes >= bounds.bytesMin else { return nil }
        self.began = now
        bytes = 0
        return nextCheck(from: now)
    }

    private func nextCheck(from began: MonotonicTime) -> MonotonicTime {
        min(
            lastMoved.advanced(byMilliseconds: bounds.silenceMilliseconds),
            began.advanced(byMilliseconds: bounds.stretchMilliseconds))
    }
}
