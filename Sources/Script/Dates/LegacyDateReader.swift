/// Reads the dates that are not in the form of the language, by V8's rules: what `toString` and `toUTCString` print, RFC 2822,
/// `11/22/2026 6:12 PM`, `Nov 22, 2026`, `22 November 2026 18:12 +0100` and their like.
///
/// Words in front of the first number and texts in parentheses say nothing. Up to three numbers are a date; a number before a
/// colon begins a time of the day; a sign behind a time or behind `UTC` begins an offset.
struct LegacyDateReader {
    private enum Token: Equatable {
        case number(Int, length: Int)
        case month(Int)
        case halfDay(hours: Int)
        case zone(hours: Int)
        case word
        case symbol(UInt16)
        case space
        case end
    }

    private var rest: UnsafeBufferPointer<UInt16>.SubSequence
    private var next: Token = .end

    private var dayNumbers: [Int] = []
    private var month: Int?
    private var timeNumbers: [Int] = []
    private var halfDay: Int?
    private var offsetSign = 0
    private var offsetHour: Int?
    private var offsetMinute: Int?

    init(_ text: UnsafeBufferPointer<UInt16>) {
        (dayNumbers, rest) = ISODateReader.prefix(text)
        next = scan()
    }

    /// nil when the text is no date.
    mutating func moment() -> DateParsing.Moment? {
        var hasNumber = !dayNumbers.isEmpty
        while next != .end {
            let token = take()
            switch token {
            case .number(let number, let length):
                hasNumber = true
                guard read(number: number, length: length) else { return nil }
            case .halfDay(let hours) where !timeNumbers.isEmpty: halfDay = hours
            case .month(let number):
                month = number
                skip("-")
            case .zone(let hours) where hasNumber:
                offsetSign = hours < 0 ? -1 : 1
                offsetHour = abs(hours)
                offsetMinute = 0
            case .halfDay, .zone, .word:
                if hasNumber { return nil }
                if case .number = next { return nil }
            case .symbol(UInt16(ascii: "+")), .symbol(UInt16(ascii: "-")):
                if isUTC || !timeNumbers.isEmpty {
                    hasNumber = true
                    guard readOffset(token == .symbol(UInt16(ascii: "-")) ? -1 : 1) else { return nil }
                } else if hasNumber {
                    return nil
                }
            case .symbol(UInt16(ascii: ")")): if hasNumber { return nil }
            case .symbol(UInt16(ascii: "(")): skipParentheses()
            case .symbol, .space, .end: break
            }
        }
        return result()
    }

    // MARK: Parts

    private var isUTC: Bool { offsetHour == 0 && offsetMinute == 0 }

    /// Returns whether a number goes on with the time of the day that has begun.
    private func continuesTime(_ number: Int) -> Bool {
        switch timeNumbers.count {
        case 1, 2: number < 60
        case 3: number < 1000
        default: false
        }
    }

    private mutating func read(number: Int, length: Int) -> Bool {
        if skip(":") {
            if skip(":") {
                guard timeNumbers.isEmpty else { return false }
                timeNumbers = [number, 0]
                return true
            }
            guard timeNumbers.count < 4 else { return false }
            timeNumbers.append(number)
            skip(".")
            return true
        }
        if next == .symbol(UInt16(ascii: ".")), continuesTime(number) {
            _ = take()
            timeNumbers.append(number)
            guard case .number(let fraction, let length) = take(), timeNumbers.count < 4 else { return false }
            finishTime(with: milliseconds(fraction, length: length))
            return true
        }
        skip(".")
        if offsetHour != nil, offsetMinute == nil, number < 60 {
            offsetMinute = number
            return true
        }
        if continuesTime(number) {
            finishTime(with: number)
            switch next {
            case .end, .space, .zone(hours: 0), .symbol(UInt16(ascii: "+")), .symbol(UInt16(ascii: "-")): return true
            default: return false
            }
        }
        guard dayNumbers.count < 3 else { return false }
        dayNumbers.append(number)
        skip("-")
        return true
    }

    private mutating func finishTime(with number: Int) {
        timeNumbers.append(number)
        while timeNumbers.count < 4 { timeNumbers.append(0) }
    }

    private func milliseconds(_ number: Int, length: Int) -> Int {
        var number = number
        switch length {
        case 1: return number * 100
        case 2: return number * 10
        default:
            for _ in 0..<min(max(length - 3, 0), 6) { number /= 10 }
            return number
        }
    }

    private mutating func readOffset(_ sign: Int) -> Bool {
        offsetSign = sign
        var number = 0
        var length = 0
        if case .number(let value, let count) = next {
            _ = take()
            number = value
            length = count
        }
        if next == .symbol(UInt16(ascii: ":")) {
            offsetHour = number
            offsetMinute = nil
        } else if length == 1 || length == 2 {
            offsetHour = number
            offsetMinute = 0
        } else if length == 3 || length == 4 {
            offsetHour = number / 100
            offsetMinute = number % 100
        } else {
            return false
        }
        return true
    }

    private func result() -> DateParsing.Moment? {
        guard let first = dayNumbers.first else { return nil }
        let numbers = dayNumbers + Array(repeating: 1, count: 3 - dayNumbers.count)
        let isDay = (1...31).contains(first)
        var moment = DateParsing.Moment(year: 0)
        if let month {
            moment.month = month
            (moment.day, moment.year) = isDay ? (first, numbers[1]) : (numbers[1], first)
        } else if isDay {
            (moment.month, moment.day, moment.year) = (first, numbers[1], numbers[2])
        } else {
            (moment.year, moment.month, moment.day) = (first, numbers[1], numbers[2])
        }
        if (0..<50).contains(moment.year) {
            moment.year += 2000
        } else if (50..<100).contains(moment.year) {
            moment.year += 1900
        }
        guard (1...12).contains(moment.month), (1...31).contains(moment.day) else { return nil }
        let time = timeNumbers + Array(repeating: 0, count: 4 - timeNumbers.count)
        (moment.hour, moment.minute, moment.second, moment.millisecond) = (time[0], time[1], time[2], Double(time[3]))
        if let halfDay {
            guard (0...12).contains(moment.hour) else { return nil }
            moment.hour = moment.hour % 12 + halfDay
        }
        let isInDay = moment.hour < 24 && moment.minute < 60 && moment.second < 60 && time[3] < 1000
        guard isInDay || (moment.hour == 24 && time.dropFirst().allSatisfy { $0 == 0 }) else { return nil }
        if offsetSign != 0 {
            moment.offset = offsetSign * ((offsetHour ?? 0) * 3600 + (offsetMinute ?? 0) * 60)
        }
        return moment
    }

    // MARK: Tokens

    private mutating func take() -> Token {
        let token = next
        next = scan()
        return token
    }

    @discardableResult
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == .symbol(UInt16(ascii: character)) else { return false }
        next = scan()
        return true
    }

    /// The opening parenthesis is taken; all up to the closing one of the same level goes.
    private mutating func skipParentheses() {
        var depth = 1
        while depth > 0, next != .end {
            switch take() {
            case .symbol(UInt16(ascii: "(")): depth += 1
            case .symbol(UInt16(ascii: ")")): depth -= 1
            default: break
            }
        }
    }

    private mutating func scan() -> Token {
        guard let first = rest.first else { return .end }
        if CodePoints.decimalDigit(first) != nil {
            var value = 0
            var length = 0
            while let unit = rest.first, let digit = CodePoints.decimalDigit(unit) {
                // Beyond nine digits the number is out of every range anyway.
                if value < 100_000_000 { value = value * 10 + digit }
                length += 1
                rest.removeFirst()
            }
            return .number(value, length: length)
        }
        if first >= 0x41 {
            var word: [UInt8] = []
            var length = 0
            while let unit = rest.first, unit >= 0x41 {
                if length < 3 { word.append(unit < 0x80 ? UInt8(truncatingIfNeeded: unit) | 0x20 : 0) }
                length += 1
                rest.removeFirst()
            }
            return keyword(word, length: length)
        }
        rest.removeFirst()
        return CodePoints.isSpace(first) ? .space : .symbol(first)
    }

    private func keyword(_ word: [UInt8], length: Int) -> Token {
        let word = String(decoding: word, as: UTF8.self)
        if let month = TimeText.months.firstIndex(where: { $0.lowercased() == word }) { return .month(month + 1) }
        guard length <= 3 else { return .word }
        return switch word {
        case "am": .halfDay(hours: 0)
        case "pm": .halfDay(hours: 12)
        case "ut", "utc", "z", "gmt": .zone(hours: 0)
        case "est": .zone(hours: -5)
        case "edt": .zone(hours: -4)
        case "cst": .zone(hours: -6)
        case "cdt": .zone(hours: -5)
        case "mst": .zone(hours: -7)
        case "mdt": .zone(hours: -6)
        case "pst": .zone(hours: -8)
        case "pdt": .zone(hours: -7)
        default: .word
        }
    }
}
