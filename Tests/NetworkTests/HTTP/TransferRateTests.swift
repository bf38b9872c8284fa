import Testing

@testable import Network

@Suite("The rate of a transfer")
struct TransferRateTests {
    private static let bounds = TransferRate.Bounds(
        stretchMilliseconds: 10_000, bytesPerSecond: 512, silenceMilliseconds: 4_000)

    private static func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000).advanced(byMilliseconds: milliseconds)
    }

    /// What has moved when, in milliseconds, and when it is found to be too slow; nil: not before the end.
    static let rows: [(moves: [(Int, Int)], end: Int?)] = [
        ([], 4_000),
        ([(0, 1_000_000)], 4_000),
        ([(3_999, 1)], 7_999),
        // A burst buys neither silence nor a drip.
        ([(0, 1_000_000)] + (1...20).map { ($0 * 1_000, 1) }, 20_000),
        ((1...40).map { ($0 * 1_000, 512) }, nil),
        ((1...40).map { ($0 * 1_000, 511) }, 10_000),
        ((1...40).map { ($0 * 3_000, 1_800) }, nil),
    ]

    @Test("is asked for in each stretch of time, and silence is too slow whatever came before", arguments: rows.indices)
    func isKept(row: Int) {
        let (all, end) = Self.rows[row]
        var rate = TransferRate(Self.bounds)
        var next: MonotonicTime? = rate.begin(at: Self.time(0))
        var moves = all[...]
        var found: Int?
        for millisecond in 0...30_000 where found == nil {
            while let move = moves.first, move.0 <= millisecond {
                rate.moved(move.1, at: Self.time(millisecond))
                moves.removeFirst()
            }
            guard let check = next, Self.time(millisecond) >= check else { continue }
            next = rate.check(at: Self.time(millisecond))
            if let next { #expect(next > Self.time(millisecond)) } else { found = millisecond }
        }
        #expect(found == end)
    }

    @Test("huge bounds do not overflow")
    func overflow() {
        var rate = TransferRate(
            TransferRate.Bounds(stretchMilliseconds: .max, bytesPerSecond: .max, silenceMilliseconds: .max))
        #expect(rate.begin(at: Self.time(0)) == .never)
        #expect(
            TransferRate.Bounds(stretchMilliseconds: .max, bytesPerSecond: 2, silenceMilliseconds: 1).bytesMin == .max)
    }
}
