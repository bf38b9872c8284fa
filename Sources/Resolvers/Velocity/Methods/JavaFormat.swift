import JSON

/// A pattern of Java's `String.format`: `%s`, `%05d`, `%-10s`, `%.2f`, `%2$s`.
struct JavaFormat {
    enum Part {
        case text(String)
        case field(Field)
    }

    struct Field {
        var index: Int?
        var isLeft = false
        var hasZeros = false
        var hasSign = false
        var hasCommas = false
        var width = 0
        var precision: Int?
        var conversion: Unicode.Scalar = "s"
    }

    /// The widest field, and the longest fraction. Beyond: the pattern is none.
    private static let widthMax = 1_000

    let parts: [Part]

    /// Nil: the text is no such pattern.
    init?(_ text: String) {
        var parts: [Part] = []
        var plain = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%" else {
                plain.append(scalar)
                continue
            }
            guard let field = Self.field(&rest) else { return nil }
            switch field.conversion {
            case "%": plain.append("%")
            case "n": plain.append("\n")
            default:
                parts.append(.text(String(plain)))
                plain.removeAll()
                parts.append(.field(field))
            }
        }
        self.parts = parts + [.text(String(plain))]
    }

    private static func field(_ rest: inout Substring.UnicodeScalarView) -> Field? {
        var field = Field()
        let start = rest
        if let number = number(&rest), rest.first == "$" {
            rest.removeFirst()
            field.index = number
        } else {
            rest = start
        }
        flags: while let flag = rest.first {
            switch flag {
            case "-": field.isLeft = true
            case "0": field.hasZeros = true
            case "+": field.hasSign = true
            case ",": field.hasCommas = true
            default: break flags
            }
            rest.removeFirst()
        }
        field.width = number(&rest) ?? 0
        if rest.first == "." {
            rest.removeFirst()
            guard let precision = number(&rest) else { return nil }
            field.precision = precision
        }
        guard field.width <= widthMax, field.precision ?? 0 <= widthMax, let conversion = rest.popFirst() else {
            return nil
        }
        field.conversion = conversion
        return field
    }

    private static func number(_ rest: inout Substring.UnicodeScalarView) -> Int? {
        var number: Int?
        while let digit = rest.first, ("0"..."9").contains(digit), number ?? 0 <= widthMax {
            number = (number ?? 0) * 10 + Int(digit.value) - 0x30
            rest.removeFirst()
        }
        return number
    }
}

extension TemplateRun {
    /// Java's `String.format`.
    func formatted(_ pattern: String, _ arguments: [TemplateValue]) throws(TemplateExit) -> String {
        guard let format = JavaFormat(pattern) else { throw badFormat("UnknownFormatConversionException", pattern) }
        var result = ""
        var next = 0
        for part in format.parts {
            switch part {
            case .text(let text): result += text
            case .field(let field):
                let index = field.index.map { $0 - 1 } ?? next
                if field.index == nil { next += 1 }
                guard arguments.indices.contains(index) else {
                    throw badFormat("MissingFormatArgumentException", pattern)
                }
                result += try formatted(arguments[index], field, pattern)
            }
            guard result.utf8.count <= limits.resultBytesMax else { throw fault("A text is too long.") }
        }
        return result
    }

    private func formatted(
        _ value: TemplateValue, _ field: JavaFormat.Field, _ pattern: String
    ) throws(TemplateExit) -> String {
        var text: String
        var isNumber = false
        switch (field.conversion, value) {
        case ("s", _), ("S", _):
            text = try self.text(of: value)
            if let precision = field.precision { text = String(decoding: text.utf16.prefix(precision), as: UTF16.self) }
            if field.conversion == "S" { text = text.uppercased() }
        case ("b", .bool(let value)): text = value ? "true" : "false"
        case ("b", _): text = value.isNull ? "false" : "true"
        case ("c", .character(let unit)): text = String(decoding: [unit], as: UTF16.self)
        case ("c", .integer(let number)):
            text = Unicode.Scalar(UInt32(bitPattern: number)).map { String(Character($0)) } ?? "?"
        case (_, .null): text = "null"
        case ("d", _):
            guard let whole = value.wide else { throw badFormat("IllegalFormatConversionException", pattern) }
            text = Self.grouped(whole.magnitude.description, field)
            text = Self.signed(text, isNegative: whole < 0, field)
            isNumber = true
        case ("x", .integer(let number)): text = String(UInt32(bitPattern: number), radix: 16)
        case ("x", .long(let number)): text = String(UInt64(bitPattern: number), radix: 16)
        case ("f", .double(let number)) where number.isFinite:
            text = Self.fixed(number.magnitude, digits: field.precision ?? 6)
            text = Self.signed(Self.grouped(text, field), isNegative: number < 0, field)
            isNumber = true
        default: throw badFormat("IllegalFormatConversionException", pattern)
        }
        let missing = field.width - text.utf16.count
        guard missing > 0 else { return text }
        if field.hasZeros, isNumber {
            let signs = text.utf8.prefix { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
            let sign = String(decoding: signs, as: UTF8.self)
            return sign + String(repeating: "0", count: missing) + text.dropFirst(sign.count)
        }
        let blanks = String(repeating: " ", count: missing)
        return field.isLeft ? text + blanks : blanks + text
    }

    private static func signed(_ text: String, isNegative: Bool, _ field: JavaFormat.Field) -> String {
        isNegative ? "-" + text : field.hasSign ? "+" + text : text
    }

    private static func grouped(_ text: String, _ field: JavaFormat.Field) -> String {
        guard field.hasCommas else { return text }
        let digits = Array(text.utf8)
        let whole = digits.prefix { $0 != UInt8(ascii: ".") }
        var result: [UInt8] = []
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % 3 == 0 { result.append(UInt8(ascii: ",")) }
            result.append(digit)
        }
        return String(decoding: result + digits[whole.count...], as: UTF8.self)
    }

    /// So many digits behind the point, the last one rounded half up, as Java rounds what is printed of a number.
    private static func fixed(_ value: Double, digits count: Int) -> String {
        // The digits that Java prints are the fewest that read back, so it is these that are rounded.
        let parts = value.description.utf8.split(separator: UInt8(ascii: "e"))
        let mantissa = Array(parts[0])
        let exponent =
            parts.count > 1 ? Int(String(decoding: parts[1].drop { $0 == UInt8(ascii: "+") }, as: UTF8.self)) ?? 0 : 0
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.count
        var digits = mantissa.filter { $0 != UInt8(ascii: ".") }.map { $0 - UInt8(ascii: "0") }
        var pointAt = point + exponent
        if pointAt < 1 {
            digits = Array(repeating: 0, count: 1 - pointAt) + digits
            pointAt = 1
        }
        let wanted = pointAt + count
        if digits.count < wanted { digits += Array(repeating: 0, count: wanted - digits.count) }
        let roundsUp = digits.count > wanted && digits[wanted] >= 5
        digits = Array(digits.prefix(wanted))
        if roundsUp {
            var index = digits.count - 1
            while index >= 0, digits[index] == 9 {
                digits[index] = 0
                index -= 1
            }
            if index >= 0 {
                digits[index] += 1
            } else {
                digits.insert(1, at: 0)
                pointAt += 1
            }
        }
        let text = digits.map { $0 + UInt8(ascii: "0") }
        let whole = String(decoding: text.prefix(pointAt), as: UTF8.self)
        return count == 0 ? whole : whole + "." + String(decoding: text.dropFirst(pointAt), as: UTF8.self)
    }

    private func badFormat(_ exception: String, _ pattern: String) -> TemplateExit {
        thrown("java.util.\(exception): \(pattern.prefix(100))", by: "format", of: .text(pattern))
    }
}
