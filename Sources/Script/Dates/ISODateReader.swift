/// Reads the date form of the language (ECMAScript 2023, 21.4.1.32): `2026`, `2026-11`, `2026-11-22`, `+002026-…`, each perhaps
/// with `T18:12`, `:43`, `.123` and `Z` or `+01:00`. A date alone is one of UTC, with a time it is local unless it says more.
struct ISODateReader {
    private var rest: UnsafeBufferPointer<UInt16>.SubSequence

    /// nil when the text has another form.
    static func moment(_ text: UnsafeBufferPointer<UInt16>) -> DateParsing.Moment? {
        var reader = ISODateReader(rest: text[...])
        return reader.read()
    }

    /// The numbers of the date that a text of another form begins with, and what follows them: `2026-11-22 18:12`.
    static func prefix(
        _ text: UnsafeBufferPointer<UInt16>
    ) -> (numbers: [Int], rest: UnsafeBufferPointer<UInt16>.SubSequence) {
        var reader = ISODateReader(rest: text[...])
        guard let year = reader.year(), CodePoints.decimalDigit(reader.rest.first ?? 0) == nil else {
            return ([], text[...])
        }
        var numbers = [year]
        for range in [1...12, 1...31] {
            guard reader.take("-") else { break }
            let afterHyphen = reader.rest
            guard let number = reader.number(2), range.contains(number),
                CodePoints.decimalDigit(reader.rest.first ?? 0) == nil
            else {
                reader.rest = afterHyphen
                break
            }
            numbers.append(number)
        }
        return (numbers, reader.rest)
    }

    private mutating func read() -> DateParsing.Moment? {
        guard let year = year() else { return nil }
        var moment = DateParsing.Moment(year: year)
        if take("-") {
            guard let month = number(2), (1...12).contains(month) else { return nil }
            moment.month = month
            if take("-") {
                guard let day = number(2), (1...31).contains(day) else { return nil }
                moment.day = day
            }
        }
        if rest.isEmpty {
            moment.offset = 0
            return moment
        }
        guard take("T") || take("t"), let hour = number(2), hour <= 24, take(":"), let minute = number(2), minute < 60
        else {
            return nil
        }
        moment.hour = hour
        moment.minute = minute
        if take(":") {
            guard let second = number(2), second < 60 else { return nil }
            moment.second = second
            if take(".") {
                guard let millisecond = fraction() else { return nil }
                moment.millisecond = millisecond
            }
        }
        // The day may end with its 24th hour, but go no further.
        guard hour < 24 || (minute == 0 && moment.second == 0 && moment.millisecond == 0) else { return nil }
        if take("Z") || take("z") {
            moment.offset = 0
        } else if let sign = rest.first, sign == UInt16(ascii: "+") || sign == UInt16(ascii: "-") {
            rest.removeFirst()
            guard let hours = number(2), hours < 24, take(":"), let minutes = number(2), minutes < 60 else {
                return nil
            }
            moment.offset = (hours * 60 + minutes) * (sign == UInt16(ascii: "-") ? -60 : 60)
        }
        return rest.isEmpty ? moment : nil
    }

    private mutating func year() -> Int? {
        if take("+") { return number(6) }
        if take("-") {
            // There is no year -0.
            guard let year = number(6), year != 0 else { return nil }
            return -year
        }
        return number(4)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let unit = rest.first, let digit = CodePoints.decimalDigit(unit) else { return nil }
            value = value * 10 + digit
            rest.removeFirst()
        }
        return value
    }

    /// Milliseconds; digits behind the third are read and forgotten.
    private mutating func fraction() -> Double? {
        var value = 0
        var count = 0
        while let unit = rest.first, let digit = CodePoints.decimalDigit(unit) {
            if count < 3 { value = value * 10 + digit }
            count += 1
            rest.removeFirst()
        }
        guard count > 0 else { return nil }
        return Double(count == 1 ? value * 100 : count == 2 ? value * 10 : value)
    }
}
