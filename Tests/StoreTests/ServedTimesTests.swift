import Testing

@testable import Store

@Suite("The times in which a database was served")
struct ServedTimesTests {
    @Test("have no moment of a time in between, and each of its ends")
    func gaps() {
        var times = ServedTimes()
        #expect(times.contains(5))
        times.addGap(from: 10, to: 20, keepingSince: 0)
        times.addGap(from: 30, to: 40, keepingSince: 0)
        for (moment, isServed) in [
            (5, true), (10, true), (11, false), (19, false), (20, true), (25, true), (35, false), (41, true),
        ] {
            #expect(times.contains(Int64(moment)) == isServed, "\(moment)")
        }
        #expect(ServedTimes(text: times.text) == times)
        // A clock that went back leaves none; nobody comes back from before the logs.
        times.addGap(from: 60, to: 50, keepingSince: 20)
        #expect(times.gaps.map(\.begin) == [30])
        for text in ["", "{}", "[1]", "[[1]]", #"[["a",2]]"#] { #expect(ServedTimes(text: text) == nil, "\(text)") }
    }

    @Test("are bounded: of too many the oldest become one, which covers what was between")
    func bound() {
        var times = ServedTimes()
        for number in 0..<Int64(ServedTimes.gapsMax + 10) {
            times.addGap(from: number * 10, to: number * 10 + 5, keepingSince: -1)
        }
        #expect(times.gaps.count == ServedTimes.gapsMax)
        #expect(!times.contains(7) && !times.contains(52) && times.contains(Int64(ServedTimes.gapsMax + 9) * 10 + 7))
    }
}
