import JSON
import Testing

@testable import UserPool

@Suite("Times of claims")
struct ClaimTimestampTests {
    @Test(
        "a time in the form of the clients is read",
        arguments: [
            ("Thu Jan 1 00:00:00 UTC 1970", 0), ("Sat Nov 7 08:05:09 UTC 2026", 1_794_038_709),
            ("Sun Nov 22 13:31:52 UTC 2026", 1_795_354_312), ("Thu Feb 29 23:59:59 UTC 2024", 1_709_251_199),
            ("Wed Dec 31 23:59:59 UTC 1969", -1), ("Tue Feb 1 00:00:00 UTC 2000", 949_363_200),
            ("Wed Dec 31 00:00:00 UTC 1969", -86_400), ("Fri Dec 31 23:59:59 UTC 9999", 253_402_300_799),
        ] as [(String, Int64)])
    func reads(text: String, seconds: Int64) {
        #expect(ClaimTimestamp(text)?.seconds == seconds)
    }

    @Test("every month and weekday has its name")
    func names() throws {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        for day in stride(from: 0, to: 800, by: 1) {
            let time = Timestamp(seconds: Int64(day) * 86_400).text
            let month = try #require(Int(time.dropFirst(5).prefix(2)))
            let dayOfMonth = try #require(Int(time.dropFirst(8).prefix(2)))
            for (index, weekday) in weekdays.enumerated() {
                let text = "\(weekday) \(names[month - 1]) \(dayOfMonth) 00:00:00 UTC \(time.prefix(4))"
                #expect(ClaimTimestamp(text)?.seconds == (index == day % 7 ? Int64(day) * 86_400 : nil), "\(text)")
            }
        }
    }

    @Test(
        "every other form is refused",
        arguments: [
            "", " ", "Sat Nov 07 08:05:09 UTC 2026", "Sat Nov  7 08:05:09 UTC 2026", "Fri Nov 7 08:05:09 UTC 2026",
            "sat Nov 7 08:05:09 UTC 2026", "Sat nov 7 08:05:09 UTC 2026", "Sat Nov 7 08:05:09 utc 2026",
            "Sat Nov 7 08:05:09 GMT 2026", "Sat Nov 7 08:05:09 2026", "Sat Nov 7 8:05:09 UTC 2026",
            "Sat Nov 7 08:05:60 UTC 2026", "Sat Nov 7 24:00:00 UTC 2026", "Sat Nov 7 08:60:09 UTC 2026",
            "Sat Nov 7 08:05:09 UTC 26", "Sat Nov 7 08:05:09 UTC 02026", "Sat Nov 7 08:05:09 UTC 2026 ",
            " Sat Nov 7 08:05:09 UTC 2026", "Sat Nov 7 08:05:09 UTC 2026\n", "Sat Nov 7 08:05:09 UTC\t2026",
            "Saturday Nov 7 08:05:09 UTC 2026", "Sa. Nov. 7 08:05:09 UTC 2026", "Sam. nov. 7 08:05:09 UTC 2026",
            "Sat Nov -7 08:05:09 UTC 2026", "Sat Nov +7 08:05:09 UTC 2026", "Sat Nov 0 08:05:09 UTC 2026",
            "Sun Feb 29 00:00:00 UTC 2026", "Sun Nov 31 00:00:00 UTC 2026", "Sat Nov  08:05:09 UTC 2026",
            "Sat Nov 7 08.05.09 UTC 2026", "Sat Nov 7 08:05:09Z UTC 2026", "Sat Nov 7 ٠٨:05:09 UTC 2026",
            "Sat Nov 7 08:05:0٩ UTC 2026", "Sat Nov ７ 08:05:09 UTC 2026", "2026-11-07T08:05:09Z", "1794038709",
            "Sat Nov 7 08:05:09 UTC 2026\u{0}", "Sat Nov 107 08:05:09 UTC 2026", "Sat Nov 7 +8:05:09 UTC 2026",
            String(repeating: "Sat ", count: 10_000),
        ])
    func refuses(text: String) {
        #expect(ClaimTimestamp(text) == nil)
    }

    @Test("it is timely within five minutes, before and after")
    func timely() throws {
        let time = try #require(ClaimTimestamp("Sat Nov 7 08:05:09 UTC 2026"))
        for (offset, isTimely) in [(0, true), (300, true), (-300, true), (301, false), (-301, false)] {
            #expect(time.isTimely(at: Timestamp(seconds: time.seconds + Int64(offset), milliseconds: 999)) == isTimely)
        }
    }
}
