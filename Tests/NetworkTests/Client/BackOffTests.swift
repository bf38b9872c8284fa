import Testing

@testable import Network

@Suite("Waits between tries")
struct BackOffTests {
    @Test(
        "double with each try, up to the longest",
        arguments: [
            (-1, 1_000), (0, 1_000), (1, 2_000), (5, 32_000), (6, 60_000), (63, 60_000), (.max, 60_000), (.min, 1_000),
        ] as [(Int64, Int64)])
    func delays(tries: Int64, milliseconds: Int64) {
        #expect(BackOff(firstMilliseconds: 1_000, longestMilliseconds: 60_000).delay(after: tries) == milliseconds)
    }

    @Test("never overflow")
    func overflow() {
        #expect(BackOff(firstMilliseconds: .max / 2, longestMilliseconds: .max).delay(after: 40) == .max)
    }
}
