import JSON
import TestSupport
import Testing

@testable import Server

@Suite("Timestamps")
struct TimestampTests {
    static let good: [(text: String, seconds: Int64, milliseconds: Int)] = [
        ("1970-01-01T00:00:00Z", 0, 0), ("2027-01-01T00:00:00Z", 1_798_761_600, 0),
        ("2000-02-29T23:59:59.5Z", 951_868_799, 500), ("2024-12-31T23:59:60Z", 1_735_689_600, 0),
        ("1969-12-31T23:59:59.999Z", -1, 999), ("2026-03-01T02:00:00+02:00", 1_772_323_200, 0),
        ("2026-02-28T19:30:00-04:30", 1_772_323_200, 0), ("0000-03-01T00:00:00Z", -62_162_035_200, 0),
        ("9999-12-31T23:59:59.123456Z", 253_402_300_799, 123),
    ]

    @Test("a time in the form of RFC 3339 is read", arguments: good)
    func reads(text: String, seconds: Int64, milliseconds: Int) {
        #expect(Timestamp(text) == Timestamp(seconds: seconds, milliseconds: milliseconds))
    }

    @Test(
        "anything else is not",
        arguments: [
            "", "soon", "2027-01-01", "2027-01-01T00:00:00", "2027-13-01T00:00:00Z", "2027-02-29T00:00:00Z",
            "2100-02-29T00:00:00Z", "2027-04-31T00:00:00Z", "2027-01-00T00:00:00Z", "2027-01-01T24:00:00Z",
            "2027-01-01T00:60:00Z", "2027-01-01T00:00:61Z", "2027-01-01T00:00:00.Z", "2027-01-01T00:00:00+24:00",
            "2027-01-01T00:00:00+0200", "2027-01-01T00:00:00Zx", "27-01-01T00:00:00Z", "٢٠٢٧-01-01T00:00:00Z",
        ])
    func refuses(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(
        "what is written reads back",
        arguments: [0, -1, 951_782_400, 1_798_761_599, -62_167_219_200, 253_402_300_799] as [Int64])
    func writes(seconds: Int64) {
        let time = Timestamp(seconds: seconds, milliseconds: 7)
        var buffer: [UInt8] = []
        time.append(to: &buffer)
        #expect(Timestamp(String(decoding: buffer, as: UTF8.self)) == time)
    }

    @Test("days of four centuries are read as they were written, each day of each month among them")
    func countsDays() {
        var buffer: [UInt8] = []
        // 146,097 days are a cycle; each fifth one of it meets each date of a year.
        for day in stride(from: Int64(-60_000), to: 90_000, by: 5) {
            buffer.removeAll(keepingCapacity: true)
            Timestamp(seconds: day * 86_400 + 1).append(to: &buffer)
            #expect(Timestamp(String(decoding: buffer, as: UTF8.self))?.seconds == day * 86_400 + 1)
        }
    }

    @Test("times that have no such form are written as the nearest that has")
    func clamps() {
        var buffer: [UInt8] = []
        Timestamp(seconds: .max).append(to: &buffer)
        Timestamp(seconds: .min).append(to: &buffer)
        #expect(String(decoding: buffer, as: UTF8.self) == "9999-12-31T23:59:59.000Z0000-01-01T00:00:00.000Z")
    }
}
