/// The number of times that a client may do something: so many at once, and so many a second after that.
struct HTTP2Allowance {
    private let atOnce: Int
    private let perSecond: Int
    private var left: Int
    private var filledAt: UInt64

    init(atOnce: Int, perSecond: Int, nowMilliseconds: UInt64) {
        (self.atOnce, self.perSecond, left, filledAt) = (atOnce, perSecond, atOnce, nowMilliseconds)
    }

    /// Takes one. False when none is left.
    mutating func take(nowMilliseconds now: UInt64) -> Bool {
        if left == 0 { fill(now) }
        guard left > 0 else { return false }
        if left == atOnce { filledAt = now }
        left -= 1
        return true
    }

    /// Gives some back, for something of use that was done.
    mutating func give(_ count: Int) { left = min(atOnce, left + count) }

    private mutating func fill(_ now: UInt64) {
        let elapsed = min(now > filledAt ? now - filledAt : 0, 3_600_000)
        let count = Int(elapsed) * perSecond / 1000
        guard count > 0 else { return }
        left = min(atOnce, left + count)
        filledAt = now
    }
}
