import Testing

@testable import Server

@Suite("Times of life")
struct LifeTimeTests {
    @Test(
        "a number with its unit is a time, and nothing else is",
        arguments: [
            ("90s", 90), ("15m", 900), ("1h", 3_600), ("7d", 604_800), ("3650d", 315_360_000), ("1s", 1), ("007s", 7),
            ("0s", nil), ("3651d", nil), ("", nil), ("s", nil), ("1", nil), ("-1h", nil), ("+1h", nil), ("1.5h", nil),
            ("1w", nil), ("1 h", nil), ("h1", nil), ("9223372036854775807d", nil), ("99999999999999999999s", nil),
            ("١h", nil), ("1é", nil),
        ] as [(String, Int64?)])
    func reads(text: String, seconds: Int64?) {
        #expect(LifeTime.seconds(of: text) == seconds)
    }
}
