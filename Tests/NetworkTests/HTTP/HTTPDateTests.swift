import Testing

@testable import Network

@Suite("Dates of HTTP")
struct HTTPDateTests {
    private static let now: Int64 = 1_795_000_000

    @Test(
        "are read in each of the three forms",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Friday, 20-Nov-26 00:00:00 GMT", 1_795_132_800),
            ("Thursday, 01-Jan-76 00:00:00 GMT", 3_345_062_400), ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
        ] as [(String, Int64)])
    func areRead(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(of: text, now: Self.now) == seconds)
    }

    @Test(
        "are nothing in any other",
        arguments: [
            "", "GMT", ",", "Sun,", "0", "784111777", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT x", "Son, 06 Nov 1994 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 19994 08:49:37 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT",
            "Sun Nov 6 08:49:37", "Sun Nov 31 08:49:37 1994", "Sun Nov  6 08:49:37 94", "\u{661}",
        ])
    func areNothing(text: String) {
        #expect(HTTPDate.seconds(of: text, now: Self.now) == nil)
    }

    @Test("are read as they are written", arguments: [0, 1, 951_868_799, 1_795_000_000, 253_402_300_799])
    func areReadAsWritten(seconds: Int) {
        #expect(HTTPDate.seconds(of: HTTPDate.text(of: seconds), now: Self.now) == Int64(seconds))
    }
}
