import JSON
import Script

/// A picture of a whole number: `#,##0`, `I` for Roman numerals, `a` for letters, `w` for words, `;o` behind it for ordinals.
struct IntegerPicture {
    enum Form { case decimal, letters, roman, words, sequence }
    enum Case { case lower, upper, title }

    private(set) var form = Form.decimal
    private(set) var letters = Case.lower
    private(set) var isOrdinal = false
    private(set) var zero: UInt32 = 0x30
    var mandatoryDigits = 0
    private(set) var optionalDigits = 0
    private(set) var separators: [(position: Int, sign: Unicode.Scalar)] = []
    /// Between how many digits the same sign is; 0: there is no rule.
    private(set) var regularGroup = 0
    /// How many digits are read where another number follows.
    var readWidth: Int?
    private let text: String

    private static let zeros: [UInt32] = [
        0x30, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6,
        0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40,
        0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
    ]

    init(_ picture: String) throws(JSONataError) {
        let parts = picture.parts(separatedBy: ";")
        text = parts.count > 1 ? parts.dropLast().joined(separator: ";") : picture
        if parts.count > 1, let modifier = parts.last { isOrdinal = modifier.hasPrefix("o") }
        switch text {
        case "A", "a": (form, letters) = (.letters, text == "A" ? .upper : .lower)
        case "I", "i": (form, letters) = (.roman, text == "I" ? .upper : .lower)
        case "W", "w", "Ww": (form, letters) = (.words, text == "W" ? .upper : text == "w" ? .lower : .title)
        default: try readDigits()
        }
    }

    private mutating func readDigits() throws(JSONataError) {
        var family: UInt32?
        var position = 0
        for scalar in text.unicodeScalars.reversed() {
            if let zero = Self.zeros.first(where: { scalar.value >= $0 && scalar.value <= $0 + 9 }) {
                guard family == nil || family == zero else { throw JSONataError("D3131") }
                family = zero
                mandatoryDigits += 1
                position += 1
            } else if scalar == "#" {
                optionalDigits += 1
                position += 1
            } else {
                separators.append((position, scalar))
            }
        }
        guard let family else {
            form = .sequence
            return
        }
        zero = family
        if let first = separators.first, separators.allSatisfy({ $0.sign == first.sign }) {
            regularGroup = Self.regular(separators.map(\.position))
        }
    }

    /// Between how many digits separators are, if it is always as many; else 0.
    static func regular(_ positions: [Int]) -> Int {
        guard let first = positions.first else { return 0 }
        func divisor(_ one: Int, _ other: Int) -> Int {
            var (one, other) = (one, other)
            while other != 0 { (one, other) = (other, one % other) }
            return one
        }
        let factor = positions.dropFirst().reduce(first, divisor)
        guard factor > 0, (1...positions.count).allSatisfy({ positions.contains($0 * factor) }) else { return 0 }
        return factor
    }

    // MARK: Writing

    func text(of value: Double) throws(JSONataError) -> String {
        let number = value.magnitude
        var made: String
        switch form {
        case .letters: made = NumberWords.letters(number, letters == .upper ? "A" : "a")
        case .roman:
            made = NumberWords.roman(number)
            if letters == .upper { made = made.uppercased() }
        case .words:
            made = NumberWords.words(number, isOrdinal: isOrdinal)
            if letters == .upper { made = made.uppercased() }
            if letters == .lower { made = made.lowercased() }
        case .decimal: made = decimal(number)
        case .sequence: throw JSONataError("D3130", value: JSONataWriter.summary(of: .string(text)))
        }
        return value < 0 ? "-" + made : made
    }

    private func decimal(_ number: Double) -> String {
        var digits = Array(NumberText.decimal(number).unicodeScalars)
        if digits.count < mandatoryDigits {
            digits = Array(repeating: "0", count: mandatoryDigits - digits.count) + digits
        }
        let last = digits.suffix(2).map { String($0) }
        if zero != 0x30 {
            digits = digits.map { Unicode.Scalar($0.value &+ zero &- 0x30) ?? $0 }
        }
        if regularGroup > 0, let sign = separators.first?.sign {
            var place = digits.count - regularGroup
            while place > 0 {
                digits.insert(sign, at: place)
                place -= regularGroup
            }
        } else {
            for separator in separators.reversed() where digits.count - separator.position >= 0 {
                digits.insert(separator.sign, at: digits.count - separator.position)
            }
        }
        var made = String.UnicodeScalarView()
        made.append(contentsOf: digits)
        guard isOrdinal else { return String(made) }
        var ending = ["1": "st", "2": "nd", "3": "rd"][last.last ?? ""] ?? "th"
        if last.count > 1, last[0] == "1" { ending = "th" }
        return String(made) + ending
    }

    // MARK: Reading

    /// A regular expression of the numbers that the picture shows.
    func pattern() throws(JSONataError) -> String {
        switch form {
        case .letters: return letters == .upper ? "[A-Z]+" : "[a-z]+"
        case .roman: return letters == .upper ? "[MDCLXVI]+" : "[mdclxvi]+"
        case .words: return "(?:" + (NumberWords.all + ["and", "[\\-, ]"]).joined(separator: "|") + ")+"
        case .decimal:
            return "[0-9]" + (readWidth.map { "{\($0)}" } ?? "+") + (isOrdinal ? "(?:th|st|nd|rd)" : "")
        case .sequence: throw JSONataError("D3130", value: JSONataWriter.summary(of: .string(text)))
        }
    }

    func number(of text: String) throws(JSONataError) -> Double {
        switch form {
        case .letters: return NumberWords.number(ofLetters: text, letters == .upper ? "A" : "a")
        case .roman: return NumberWords.number(ofRoman: text.uppercased())
        case .words: return NumberWords.number(ofWords: text.lowercased())
        case .decimal:
            var scalars = Array(text.unicodeScalars)
            if isOrdinal { scalars = Array(scalars.dropLast(2)) }
            let signs = regularGroup > 0 ? [","] : separators.map(\.sign)
            scalars.removeAll { signs.contains($0) }
            var view = String.UnicodeScalarView()
            for scalar in scalars {
                view.append(
                    zero == 0x30 || scalar.value < zero ? scalar : Unicode.Scalar(scalar.value - zero + 0x30) ?? scalar)
            }
            return NumberReading.parseInt(Array(String(view).utf16), radix: 10)
        case .sequence: throw JSONataError("D3130", value: JSONataWriter.summary(of: .string(self.text)))
        }
    }
}

/// Numbers as letters, Roman numerals and English words.
enum NumberWords {
    private static let few = [
        "Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
        "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen",
    ]
    private static let ordinals = [
        "Zeroth", "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth",
        "Eleventh", "Twelfth", "Thirteenth", "Fourteenth", "Fifteenth", "Sixteenth", "Seventeenth", "Eighteenth",
        "Nineteenth",
    ]
    private static let tens = ["Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety", "Hundred"]
    private static let magnitudes = ["Thousand", "Million", "Billion", "Trillion"]

    private static let values: [(word: String, value: Double)] = {
        var values: [(String, Double)] = []
        for list in [few, ordinals] {
            for (number, word) in list.enumerated() { values.append((word.lowercased(), Double(number))) }
        }
        for (number, word) in tens.enumerated() {
            values.append((word.lowercased(), Double(number + 2) * 10))
            values.append((word.lowercased().dropLast() + "ieth", Double(number + 2) * 10))
        }
        values.append(("hundredth", 100))
        for (number, word) in magnitudes.enumerated() {
            let value = MathFunctions.pow(10, Double(number + 1) * 3)
            values.append((word.lowercased(), value))
            values.append((word.lowercased() + "th", value))
        }
        return values
    }()

    static var all: [String] { values.map(\.word) }

    static func words(_ number: Double, isOrdinal: Bool) -> String {
        words(number.isFinite ? number : 0, follows: false, isOrdinal)
    }

    private static func words(_ number: Double, follows: Bool, _ isOrdinal: Bool) -> String {
        func rest(_ rest: Double) -> String {
            rest > 0 ? words(rest, follows: true, isOrdinal) : isOrdinal ? "th" : ""
        }
        if number <= 19 {
            let place = Int(number)
            return (follows ? " and " : "") + (isOrdinal ? ordinals[place] : few[place])
        }
        if number < 100 {
            let ten = tens[Int(number) / 10 - 2]
            let left = Double(Int(number) % 10)
            let start = (follows ? " and " : "") + ten
            if left > 0 { return start + "-" + words(left, follows: false, isOrdinal) }
            return isOrdinal ? start.dropLast() + "ieth" : start
        }
        if number < 1_000 {
            let hundreds = Int(number) / 100
            return (follows ? ", " : "") + few[hundreds] + " Hundred" + rest(Double(Int(number) % 100))
        }
        var magnitude = 1
        while magnitude < magnitudes.count, number >= MathFunctions.pow(10, Double(magnitude + 1) * 3) {
            magnitude += 1
        }
        let factor = MathFunctions.pow(10, Double(magnitude) * 3)
        let count = (number / factor).rounded(.down)
        return (follows ? ", " : "") + words(count, follows: false, false) + " " + magnitudes[magnitude - 1]
            + rest(number - count * factor)
    }

    static func number(ofWords text: String) -> Double {
        var words: [String] = []
        for part in text.replacing(bytesOf: ", ", with: "-").replacing(bytesOf: " and ", with: "-").utf8.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == 32 || $0 == 45 || $0 == 92 })
        {
            words.append(String(Substring(part)))
        }
        var segments = [0.0]
        for word in words {
            let value = values.last { $0.word == word }?.value ?? .nan
            if value < 100 {
                var top = segments.removeLast()
                if top >= 1_000 {
                    segments.append(top)
                    top = 0
                }
                segments.append(top + value)
            } else {
                segments.append(segments.removeLast() * value)
            }
        }
        return segments.reduce(0, +)
    }

    private static let numerals: [(Double, String)] = [
        (1_000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
        (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ]

    static let romanMax = 1_000_000.0

    static func roman(_ number: Double) -> String {
        var left = min(number, romanMax)
        var made = ""
        for (value, numeral) in numerals {
            while left >= value {
                made += numeral
                left -= value
            }
        }
        return made
    }

    static func number(ofRoman text: String) -> Double {
        let values: [UInt8: Double] = [
            UInt8(ascii: "M"): 1_000, UInt8(ascii: "D"): 500, UInt8(ascii: "C"): 100, UInt8(ascii: "L"): 50,
            UInt8(ascii: "X"): 10, UInt8(ascii: "V"): 5, UInt8(ascii: "I"): 1,
        ]
        var result = 0.0
        var most = 1.0
        for byte in text.utf8.reversed() {
            let value = values[byte] ?? .nan
            if value < most {
                result -= value
            } else {
                most = value
                result += value
            }
        }
        return result
    }

    static func letters(_ number: Double, _ first: Unicode.Scalar) -> String {
        var left = number
        var made: [UInt8] = []
        while left >= 1, made.count < 64 {
            made.append(UInt8(truncatingIfNeeded: first.value) + UInt8((left - 1).truncatingRemainder(dividingBy: 26)))
            left = ((left - 1) / 26).rounded(.down)
        }
        return String(decoding: made.reversed(), as: UTF8.self)
    }

    static func number(ofLetters text: String, _ first: Unicode.Scalar) -> Double {
        var result = 0.0
        for (place, unit) in text.utf16.reversed().prefix(300).enumerated() {
            result += (Double(unit) - Double(first.value) + 1) * MathFunctions.pow(26, Double(place))
        }
        return result
    }
}
