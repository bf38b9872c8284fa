/// A time as signatures have it: `20260101T120000Z`.
package enum SignatureTime {
    /// Seconds since 1970; nil when the text has another form or is no time.
    package static func seconds(of text: String) -> Int64? { seconds(of: Array(text.utf8)) }

    static func seconds(of bytes: [UInt8]) -> Int64? {
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
            let year = number(bytes[0..<4]), let month = number(bytes[4..<6]), let day = number(bytes[6..<8]),
            let hour = number(bytes[9..<11]), let minute = number(bytes[11..<13]),
            let second = number(bytes[13..<15]), year >= 1970, (1...12).contains(month), (1...31).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        return days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        digits.reduce(Int64?(0)) { value, digit in
            guard let value, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            return value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
    }

    /// Days since 1970 of a date, counting years from March so that the leap day is the last one.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthOfShifted = (month + 9) % 12
        let dayOfYear = (153 * monthOfShifted + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
