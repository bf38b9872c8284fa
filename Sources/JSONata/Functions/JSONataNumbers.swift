import JSON
import Script

/// `$sum`, `$round`, `$number` and the like.
enum JSONataNumbers {
    static let all: [(ByteText, JSONataFunction)] = [
        (
            "sum",
            JSONataFunction("<a<n>:n>", 1) { _, call throws(JSONataError) in
                guard let numbers = try numbers(call) else { return .missing }
                return .number(numbers.reduce(0, +))
            }
        ),
        ("count", JSONataFunction("<a:n>", 1) { _, call in .number(Double(call.list(0)?.count ?? 0)) }),
        (
            "max",
            JSONataFunction("<a<n>:n>", 1) { _, call throws(JSONataError) in
                guard let numbers = try numbers(call), let first = numbers.first else { return .missing }
                return .number(numbers.dropFirst().reduce(first) { MathFunctions.max($0, $1) })
            }
        ),
        (
            "min",
            JSONataFunction("<a<n>:n>", 1) { _, call throws(JSONataError) in
                guard let numbers = try numbers(call), let first = numbers.first else { return .missing }
                return .number(numbers.dropFirst().reduce(first) { MathFunctions.min($0, $1) })
            }
        ),
        (
            "average",
            JSONataFunction("<a<n>:n>", 1) { _, call throws(JSONataError) in
                guard let numbers = try numbers(call), !numbers.isEmpty else { return .missing }
                return .number(numbers.reduce(0, +) / Double(numbers.count))
            }
        ),
        ("abs", plain { $0.magnitude }),
        ("floor", plain { $0.rounded(.down) }),
        ("ceil", plain { $0.rounded(.up) }),
        (
            "sqrt",
            JSONataFunction("<n-:n>", 1) { _, call throws(JSONataError) in
                guard let number = try call.number(0) else { return .missing }
                guard number >= 0 else { throw JSONataError("D3060", value: NumberText.decimal(number)) }
                return .number(number.squareRoot())
            }
        ),
        (
            "power",
            JSONataFunction("<n-n:n>", 2) { _, call throws(JSONataError) in
                guard let base = try call.number(0) else { return .missing }
                let exponent = try call.number(1) ?? .nan
                let result = MathFunctions.pow(base, exponent)
                guard result.isFinite else {
                    throw JSONataError(
                        "D3061", value: NumberText.decimal(base), other: NumberText.decimal(exponent))
                }
                return .number(result)
            }
        ),
        (
            "round",
            JSONataFunction("<n-n?:n>", 2) { _, call throws(JSONataError) in
                guard let number = try call.number(0) else { return .missing }
                return .number(rounded(number, try call.number(1) ?? 0))
            }
        ),
        (
            "number",
            JSONataFunction("<(nsb)-:n>", 1) { _, call throws(JSONataError) in
                switch call[0] {
                case .missing: return .missing
                case .number: return call[0]
                case .bool(let bool): return .number(bool ? 1 : 0)
                case .string(let text):
                    if let number = number(of: text) { return .number(number) }
                    throw JSONataError("D3030", value: JSONataWriter.summary(of: call[0]))
                default: throw JSONataError("D3030", value: JSONataWriter.summary(of: call[0]))
                }
            }
        ),
        (
            "formatBase",
            JSONataFunction("<n-n?:s>", 2) { evaluation, call throws(JSONataError) in
                guard let number = try call.number(0) else { return .missing }
                let radix = rounded(try call.number(1) ?? 10, 0)
                guard radix >= 2, radix <= 36, let base = Int(exactly: radix) else {
                    throw JSONataError("D3100", value: NumberText.decimal(radix))
                }
                return try evaluation.made(NumberText.text(rounded(number, 0), radix: base))
            }
        ),
        (
            "formatNumber",
            JSONataFunction("<n-so?:s>", 3) { evaluation, call throws(JSONataError) in
                guard let number = try call.number(0) else { return .missing }
                let picture = try call.text(1) ?? ""
                try evaluation.spend(picture.utf8.count &* 8)
                let format = try NumberPicture(picture, try call.record(2))
                return try evaluation.made(try format.text(of: number))
            }
        ),
    ]

    private static func plain(_ change: @escaping @Sendable (Double) -> Double) -> JSONataFunction {
        JSONataFunction("<n-:n>", 1) { _, call throws(JSONataError) in
            try call.number(0).map { .number(change($0)) } ?? .missing
        }
    }

    private static func numbers(_ call: Arguments) throws(JSONataError) -> [Double]? {
        guard let list = call.list(0) else { return nil }
        var numbers: [Double] = []
        for item in list.items {
            guard case .number(let number) = item else { throw JSONataError("T0412", value: "1") }
            numbers.append(number)
        }
        return numbers
    }

    /// Rounds half to even, by the digits that the number is written with.
    static func rounded(_ number: Double, _ digits: Double) -> Double {
        guard number.isFinite else { return number }
        var value = digits == 0 ? number : shifted(number, digits)
        var result = MathFunctions.round(value)
        if (result - value).magnitude == 0.5, result.truncatingRemainder(dividingBy: 2).magnitude == 1 { result -= 1 }
        value = result
        if digits != 0 { value = shifted(value, -digits) }
        return value == 0 ? 0 : value
    }

    private static func shifted(_ number: Double, _ digits: Double) -> Double {
        let parts = NumberText.decimal(number).parts(separatedBy: "e")
        let exponent = (parts.count > 1 ? Double(parts[1]) ?? 0 : 0) + digits
        return Double("\(parts[0])e\(NumberText.decimal(exponent))") ?? .nan
    }

    private static func number(of text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 2_000 else { return nil }
        if isDecimal(bytes) {
            let number = Double(text)
            return number?.isFinite == true ? number : nil
        }
        guard bytes.count > 2, bytes[0] == UInt8(ascii: "0") else { return nil }
        let number = NumberReading.number(Array(text.utf16))
        return "xXoObB".utf8.contains(bytes[1]) && number.isFinite ? number : nil
    }

    private static func isDecimal(_ bytes: [UInt8]) -> Bool {
        var place = bytes.first == UInt8(ascii: "-") ? 1 : 0
        func digits() -> Bool {
            let start = place
            while place < bytes.count, (48...57).contains(bytes[place]) { place += 1 }
            return place > start
        }
        guard digits() else { return false }
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
            place += 1
            guard digits() else { return false }
        }
        if place < bytes.count, bytes[place] == UInt8(ascii: "e") || bytes[place] == UInt8(ascii: "E") {
            place += 1
            if place < bytes.count, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") {
                place += 1
            }
            guard digits() else { return false }
        }
        return place == bytes.count
    }
}
