import TestSupport
import Testing

@testable import Script

/// Time values, their texts and the reading of dates, without the object `Date`.
struct DateTests {
    @Test(
        "a text that is a date is read",
        arguments: [
            ("2026-11-22", 1795305600000), ("2026-11", 1793491200000), ("2026", 1767225600000),
            ("2026-11-22T18:12", 1795371120000), ("2026-11-22T18:12:43Z", 1795371163000),
            ("2026-11-22T18:12:43.5+01:00", 1795367563500), ("2026-11-22T18:12:43.123456Z", 1795371163123),
            ("+002026-11-22T00:00Z", 1795305600000), ("-000001-01-01", -62198755200000),
            ("-000000-01-01", .nan), ("2026-13-01", .nan), ("2026-11-22T24:00Z", 1795392000000),
            ("2026-11-22T24:01Z", .nan), ("2026-11-22T25:00Z", .nan),
            ("2026-11-22 18:12:43", 1795371163000), ("2026-1-2", 1767312000000),
            ("Sun Nov 22 2026 18:12:43 GMT+0000 (Coordinated Universal Time)", 1795371163000),
            ("Sun, 22 Nov 2026 18:12:43 GMT", 1795371163000), ("Sun, 22 Nov 2026 18:12:43 +0100", 1795367563000),
            ("22 November 2026 18:12 EST", 1795389120000),
            ("11/22/2026, 6:12:43 PM", 1795371163000), ("Nov 22, 2026", 1795305600000), ("11/22/26", 1795305600000),
            ("12:00 AM 1/1/2000", 946684800000), ("13:00 PM 1/1/2000", .nan),
            ("(x) 1 Jan 2000 (y (z))", 946684800000), ("hello", .nan), ("", .nan), ("2000-01-01 foo", .nan),
            ("1/1/2000 24:00", 946771200000), ("275760-09-14", .nan), ("2026-11-22-", .nan),
        ] as [(String, Double)])
    func parses(_ text: String, _ time: Double) {
        let read = DateParsing.time(Array(text.utf16), in: .utc)
        #expect(read == time || read.isNaN && time.isNaN, "\(text): \(read)")
    }

    @Test("a time is printed in every form")
    func prints() {
        let time = 1795371163045.0
        #expect(TimeText.full(time, in: .utc) == "Sun Nov 22 2026 18:12:43 GMT+0000 (Coordinated Universal Time)")
        #expect(TimeText.date(time, in: .utc) == "Sun Nov 22 2026")
        #expect(TimeText.time(time, in: .utc) == "18:12:43 GMT+0000 (Coordinated Universal Time)")
        #expect(TimeText.utc(time) == "Sun, 22 Nov 2026 18:12:43 GMT")
        #expect(TimeText.iso(time) == "2026-11-22T18:12:43.045Z")
        #expect(TimeText.locale(time, in: .utc) == "11/22/2026, 6:12:43 PM")
        #expect(TimeText.localeTime(0, in: .utc) == "12:00:00 AM")
        #expect(TimeText.iso(-62198755200000) == "-000001-01-01T00:00:00.000Z")
        #expect(TimeText.iso(8.64e15) == "+275760-09-13T00:00:00.000Z")
        #expect(TimeText.utc(-62198755200000) == "Fri, 01 Jan -0001 00:00:00 GMT")
        #expect(TimeText.full(.nan, in: .utc) == "Invalid Date" && TimeText.iso(.nan) == nil)
    }

    @Test("days and their fields are each other's inverse from the first day to the last")
    func fields() {
        var random = SeededRandom(test: "DateTests")
        for time in [-8.64e15, 8.64e15, 0, -1, 951782400000]
            + (0..<500).map({ _ in Double.random(in: -8.64e15...8.64e15, using: &random).rounded() })
        {
            let fields = DateMath.fields(time)
            let day = DateMath.makeDay(Double(fields.year), Double(fields.month), Double(fields.day))
            let within = DateMath.makeTime(
                Double(fields.hour), Double(fields.minute), Double(fields.second), Double(fields.millisecond))
            #expect(DateMath.makeDate(day, within) == time)
        }
        #expect(DateMath.fields(0).weekday == 4 && DateMath.fields(-86_400_000).weekday == 3)
    }

    @Test("no number breaks the arithmetic of times")
    func extremes() {
        for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 8.64e15 + 1] {
            #expect(DateMath.timeClip(value).isNaN)
            _ = DateMath.fields(value)
            _ = DateMath.makeDay(value, value, value)
            _ = DateMath.makeTime(value, value, value, value)
            _ = LocalTime.system.utc(fromLocal: value)
            _ = LocalTime.system.offset(at: value)
            _ = TimeText.full(value, in: .system)
        }
        #expect(DateMath.makeDay(1970, 12, 1) == 365 && DateMath.makeDay(1970, -1, 31) == -1)
        #expect(DateMath.makeFullYear(99) == 1999 && DateMath.makeFullYear(100) == 100)
        #expect(DateMath.timeClip(-0.5).sign == .plus)
    }
}
