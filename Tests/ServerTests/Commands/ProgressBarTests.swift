import Testing

@testable import Server

@Suite("A progress bar")
struct ProgressBarTests {
    @Test(
        "says how much, how fast and how long still",
        arguments: [
            (0, 0.0 as Double?, 0.0, "[                        ]    0 %  0 lines"),
            (1_234_567, 0.5, 10.0, "[████████████            ]   50 %  1,234,567 lines  123,456/s  10 s left"),
            (100, 1.0, 100.0, "[████████████████████████]  100 %  100 lines  1/s"),
            (1_000, 0.02, 100.0, "[                        ]    2 %  1,000 lines  10/s  1 h 21 min left"),
            (1_000, 0.25, 100.0, "[██████                  ]   25 %  1,000 lines  10/s  5 min left"),
            (999, nil, 1.0, "999 lines  999/s"), (999, 7, 0.1, "[████████████████████████]  100 %  999 lines"),
        ])
    func text(count: Int, part: Double?, seconds: Double, expected: String) {
        #expect(ProgressBar.text(count: count, noun: "lines", part: part, seconds: seconds) == expected)
    }
}
