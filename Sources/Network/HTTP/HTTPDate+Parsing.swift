import Glibc

extension HTTPDate {
    private static let longDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// Seconds since 1970 of a date in one of the three forms of RFC 9110, section 5.6.7; nil for anything else:
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT
    ///     Sunday, 06-Nov-94 08:49:37 GMT
    ///     Sun Nov  6 08:49:37 1994
    ///
    /// A year of two digits is the last one that is not more than 50 years ahead of now.
    package static func seconds(of text: String, now: Int64) -> Int64? {
        let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true).map(Array.init)
        guard let first = words.first else { return nil }
        if first.last == UInt8(ascii: ",") {
            let day = String(decoding: first.dropLast(), as: UTF8.self)
            guard words.last == Array("GMT".utf8) else { return nil }
            if words.count == 6, days.contains(day) { return seconds(words[1], words[2], words[3], words[4]) }
            let date = words.count == 4 ? words[1].split(separator: UInt8(ascii: "-")).map(Array.init) : []
            guard date.count == 3, longDays.contains(day), date[2].count == 2, let two = number(date[2]) else {
                return nil
            }
            return seconds(date[0], date[1], Array("\(year(two, now: now))".utf8), words[2])
        }
        guard words.count == 5, days.contains(String(decoding: first, as: UTF8.self)) else { return nil }
        return seconds(words[2], words[1], words[4], words[3])
    }

    private static func year(_ two: Int32, now: Int64) -> Int32 {
        var now = time_t(now)
        var parts = tm()
        gmtime_r(&now, &parts)
        let latest = parts.tm_year + 1900 + 50
        let year = latest / 100 * 100 + two
        return year > latest ? year - 100 : year
    }

    private static func seconds(_ day: [UInt8], _ month: [UInt8], _ year: [UInt8], _ clock: [UInt8]) -> Int64? {
        let clock = clock.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { number($0, 2) }
        let month = months.firstIndex { $0.utf8.elementsEqual(month) }
        guard (1...2).contains(day.count), let day = number(day), let month, year.count == 4, let year = number(year),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            year >= 1970, hour < 24, minute < 60, second < 61
        else { return nil }
        var parts = tm()
        parts.tm_year = year - 1900
        parts.tm_mon = Int32(month)
        parts.tm_mday = day
        parts.tm_hour = hour
        parts.tm_min = minute
        // A leap second is the one before it.
        parts.tm_sec = min(second, 59)
        let seconds = timegm(&parts)
        // A day that its month has not got would have become one of the next.
        return parts.tm_mday == day && parts.tm_mon == month ? Int64(seconds) : nil
    }

    private static func number(_ digits: some Collection<UInt8>, _ count: Int? = nil) -> Int32? {
        guard count.map({ $0 == digits.count }) ?? (1...4).contains(digits.count),
            digits.allSatisfy(HTTPCharacters.isDigit)
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
    }
}
