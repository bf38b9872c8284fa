import JSON
import Testing
import Threads

@testable import Resolvers

@Suite("Times: util.time")
struct TimeFunctionTests {
    static let rows = LibraryRow.table(
        "util.time.",
        [
            ("nowISO8601", "[]", #""2018-02-06T19:01:35.758Z""#), ("nowEpochSeconds", "[]", "1517943695"),
            ("nowEpochMilliSeconds", "[]", "1517943695758"),
            ("nowFormatted", #"["yyyy-MM-dd HH:mm:ssZ"]"#, #""2018-02-06 19:01:35+0000""#),
            ("nowFormatted", #"["YYYY-MM-dd HH:mm:ss","-05:00"]"#, #""2018-02-06 14:01:35""#),
            ("parseISO8601ToEpochMilliSeconds", #"["2018-02-01T17:21:05.180+08:00"]"#, "1517476865180"),
            ("parseISO8601ToEpochMilliSeconds", #"["2018-02-01T17:21+08:00"]"#, "1517476860000"),
            ("parseISO8601ToEpochMilliSeconds", #"["2018-02-01T17:21Z"]"#, "1517505660000"),
            (
                "parseFormattedToEpochMilliSeconds", #"["2018-02-02 01:19:22+0800","yyyy-MM-dd HH:mm:ssZ"]"#,
                "1517505562000"
            ),
            (
                "parseFormattedToEpochMilliSeconds", #"["2018-02-02 01:19:22","yyyy-MM-dd HH:mm:ss","+08:00"]"#,
                "1517505562000"
            ),
            // What the text says goes before the zone beside it.
            (
                "parseFormattedToEpochMilliSeconds", #"["2018-02-02 01:19:22+0800","yyyy-MM-dd HH:mm:ssZ","-11:00"]"#,
                "1517505562000"
            ),
            ("epochMilliSecondsToSeconds", "[1517943695758]", "1517943695"),
            ("epochMilliSecondsToSeconds", "[-1]", "-1"),
            ("epochMilliSecondsToISO8601", "[1517943695758]", #""2018-02-06T19:01:35.758Z""#),
            ("epochMilliSecondsToISO8601", "[-1]", #""1969-12-31T23:59:59.999Z""#),
            (
                "epochMilliSecondsToFormatted", #"[1517943695758,"yyyy-MM-dd HH:mm:ssZ"]"#,
                #""2018-02-06 19:01:35+0000""#
            ),
            (
                "epochMilliSecondsToFormatted", #"[1517943695758,"yyyy-MM-dd HH:mm:ssZ","+08:00"]"#,
                #""2018-02-07 03:01:35+0800""#
            ),
        ])

    @Test("a function of times", arguments: rows)
    func function(row: LibraryRow) throws {
        try LibraryCalls.check(row)
    }

    /// A pattern, a zone, and how it shows Tuesday, the 6th of February 2018, 19:01:35.758 in UTC.
    static let shown: [(String, String, String)] = [
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "UTC", "2018-02-06T19:01:35.758Z"),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "+05:30", "2018-02-07T00:31:35.758+05:30"),
        ("yy M d H m s S SS SSSSSS", "UTC", "18 2 6 19 1 35 7 75 758000"),
        ("E, EEE, EEEE, EEEEE, e, ee, c", "UTC", "Tue, Tue, Tuesday, T, 3, 03, 3"),
        ("MMM, MMMM, MMMMM, LLL", "UTC", "Feb, February, F, Feb"), ("h:mm a, hh, K, kk", "UTC", "7:01 PM, 07, 7, 19"),
        ("h a K k", "+05:30", "12 AM 0 24"), ("D DDD Q QQ QQQ QQQQ", "UTC", "37 037 1 01 Q1 1st quarter"),
        ("w ww W YYYY", "UTC", "6 06 2 2018"), ("G GGGG GGGGG u", "UTC", "AD Anno Domini A 2018"),
        ("A n N", "UTC", "68495758 758000000 68495758000000"),
        ("X XX XXX x xx xxx", "UTC", "Z Z Z +00 +0000 +00:00"),
        ("X XX XXX x xx xxx", "-03:30", "-0330 -0330 -03:30 -0330 -0330 -03:30"),
        ("X x O OOOO Z ZZZZ ZZZZZ", "+08:00", "+08 +08 GMT+8 GMT+08:00 +0800 GMT+08:00 +08:00"),
        ("O Z ZZZZ ZZZZZ", "UTC", "GMT +0000 GMT Z"),
        ("VV z", "UTC", "UTC UTC"), ("VV", "+8", "+08:00"), ("VV", "GMT+2", "GMT+02:00"),
        ("'it''s' '' yyyy", "UTC", "it's ' 2018"), ("yyyy-MM-dd[XXX]", "UTC", "2018-02-06Z"),
        ("ppppd|pH", "UTC", "   6|19"),
        ("yyy yyyyy", "UTC", "2018 02018"), ("dd/MM/yyyy, HH.mm", "UTC", "06/02/2018, 19.01"),
    ]

    @Test("a pattern shows a time", arguments: shown)
    func show(pattern: String, zone: String, text: String) throws {
        var calls = LibraryCalls()
        let value = try calls.run(
            "util.time.epochMilliSecondsToFormatted", [1_517_943_695_758, .string(pattern), .string(zone)])
        #expect(value == .string(text))
    }

    /// A text, its pattern, a zone, and the time as RFC 3339 has it; nil: it is none.
    static let read: [(String, String, String, String?)] = [
        ("2018-02-06T19:01:35.758Z", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "UTC", "2018-02-06T19:01:35.758Z"),
        ("06.02.18 7:01 PM", "dd.MM.yy h:mm a", "UTC", "2018-02-06T19:01:00Z"),
        ("6 Feb 2018 12:05 AM", "d MMM yyyy hh:mm a", "UTC", "2018-02-06T00:05:00Z"),
        ("Tuesday, February 6 2018", "EEEE, MMMM d yyyy", "+01:00", "2018-02-05T23:00:00Z"),
        ("20180206190135", "yyyyMMddHHmmss", "UTC", "2018-02-06T19:01:35Z"),
        ("2018037", "yyyyDDD", "UTC", "2018-02-06T00:00:00Z"),
        ("2018-02-06", "yyyy-MM-dd[ HH:mm]", "UTC", "2018-02-06T00:00:00Z"),
        ("2018-02-06 05:06", "yyyy-MM-dd[ HH:mm]", "UTC", "2018-02-06T05:06:00Z"),
        ("2018-02-06+01:00", "yyyy-MM-dd[XXX]", "UTC", "2018-02-05T23:00:00Z"),
        ("2018-02-06 GMT+2", "yyyy-MM-dd VV", "UTC", "2018-02-05T22:00:00Z"),
        // The last day of a month stands for those beyond it.
        ("2018-02-31", "yyyy-MM-dd", "UTC", "2018-02-28T00:00:00Z"), ("2018-02-32", "yyyy-MM-dd", "UTC", nil),
        ("2018-13-01", "yyyy-MM-dd", "UTC", nil), ("2018-2-6", "yyyy-MM-dd", "UTC", nil),
        ("2018-2-6", "yyyy-M-d", "UTC", "2018-02-06T00:00:00Z"),
        ("2018-02-06x", "yyyy-MM-dd", "UTC", nil), ("", "yyyy", "UTC", nil), ("19:01", "HH:mm", "UTC", nil),
        ("2018-02-06 24:00", "yyyy-MM-dd HH:mm", "UTC", nil),
        ("99999999999999999999", "yyyy", "UTC", nil), ("999999999999999", "y", "UTC", nil),
    ]

    @Test("a text is read by a pattern", arguments: read)
    func parse(text: String, pattern: String, zone: String, time: String?) throws {
        let arguments: [JSONValue] = [.string(text), .string(pattern), .string(zone)]
        guard let time else {
            let error = try LibraryCalls.refusal(
                "util.time.parseFormattedToEpochMilliSeconds", JSONWriter.text(of: .array(arguments)))
            #expect(error?.isFault == true)
            return
        }
        var calls = LibraryCalls()
        let value = try calls.run("util.time.parseFormattedToEpochMilliSeconds", arguments)
        #expect(value == .integer(try #require(Timestamp(time)).millisecondsSince1970))
    }

    @Test(
        "what is no pattern, no zone or no time is refused",
        arguments: [
            ("nowFormatted", #"["b"]"#, "the letter 'b'"), ("nowFormatted", #"["'x"]"#, "ends within quotes"),
            ("nowFormatted", #"["]"]"#, "a ] without a ["), ("nowFormatted", #"["{"]"#, "reserved"),
            ("nowFormatted", #"["V"]"#, "'V' 1 times"), ("nowFormatted", #"["HHH"]"#, "'H' 3 times"),
            ("nowFormatted", #"["yyyy","Mars/Base"]"#, "no time zone 'Mars/Base'"),
            ("nowFormatted", #"["yyyy","../../etc/passwd"]"#, "no time zone"),
            ("nowFormatted", #"["yyyy","+19:00"]"#, "no time zone"),
            ("nowFormatted", "[]", "expects a string as argument 1"),
            ("nowFormatted", "[\"\(String(repeating: "-", count: 1_001))\"]", "at most 1000 bytes"),
            ("nowFormatted", "[\"\(String(repeating: "[", count: 12))\"]", "too many brackets"),
            ("parseISO8601ToEpochMilliSeconds", #"["yesterday"]"#, "is no time such as"),
            ("parseISO8601ToEpochMilliSeconds", #"["2018-02-01T17:2é"]"#, "is no time such as"),
            ("parseISO8601ToEpochMilliSeconds", #"["2018-02-01T17:21"]"#, "is no time such as"),
        ])
    func refused(name: String, arguments: String, message: String) throws {
        let error = try LibraryCalls.refusal("util.time." + name, arguments)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "nothing")")
    }

    /// A moment, a zone, and how `yyyy-MM-dd HH:mm Z z` shows it.
    static let zones: [(String, String, String)] = [
        ("2018-02-06T19:01:35Z", "Australia/Perth", "2018-02-07 03:01 +0800 AWST"),
        ("2018-02-06T19:01:35Z", "Europe/Berlin", "2018-02-06 20:01 +0100 CET"),
        ("2018-07-06T19:01:35Z", "Europe/Berlin", "2018-07-06 21:01 +0200 CEST"),
        ("2050-07-06T19:01:35Z", "America/New_York", "2050-07-06 15:01 -0400 EDT"),
    ]

    @Test("zones have the hours and names of their countries", arguments: zones)
    func zone(moment: String, zone: String, text: String) throws {
        // Some systems have no zones.
        guard TimeZoneRules(named: zone) != nil else { return }
        var calls = LibraryCalls()
        let milliseconds = try #require(Timestamp(moment)).millisecondsSince1970
        let value = try calls.run(
            "util.time.epochMilliSecondsToFormatted",
            [.integer(milliseconds), "yyyy-MM-dd HH:mm Z z", .string(zone)])
        #expect(value == .string(text))
        let read = try calls.run(
            "util.time.parseFormattedToEpochMilliSeconds",
            [.string(String(text.prefix(16))), "yyyy-MM-dd HH:mm", .string(zone)])
        #expect(read == .integer(milliseconds / 60_000 * 60_000))
    }

    @Test("more zones than are kept are read again")
    func manyZones() throws {
        for hour in 0..<(LibraryLimits.timeZonesMax + 10) {
            let name = "Etc/GMT\(hour % 12 == 0 ? "" : "-\(hour % 12)")"
            guard TimeZoneRules(named: name) != nil else { return }
            #expect(TimeZoneName(name)?.offset(at: 0) == hour % 12 * 3_600)
        }
    }
}
