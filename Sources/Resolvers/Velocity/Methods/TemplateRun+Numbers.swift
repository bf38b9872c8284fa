import JSON

/// Methods of Java's numbers, booleans and characters, and what their classes have: `#set($Integer = 0)$Integer.parseInt("5")`.
extension TemplateRun {
    func callNumber(
        _ method: MethodName, _ arguments: [TemplateValue], _ value: TemplateValue
    ) throws(TemplateExit) -> TemplateValue? {
        if arguments.isEmpty { return Self.converted(value, method) }
        if let found = try parsed(method, arguments, value) { return found }
        if arguments.count == 1 {
            switch (method, value, arguments[0]) {
            case (.compareTo, .integer, .integer), (.compareTo, .long, .long), (.compareTo, .large, .large),
                (.compareTo, .double, .double):
                return .integer(Int32(order(value, arguments[0]) ?? 0))
            case (.compareTo, _, .null):
                throw thrown("java.lang.NullPointerException", by: "compareTo", of: value)
            case (.valueOf, .integer, .integer), (.valueOf, .long, .long), (.valueOf, .double, .double):
                return arguments[0]
            case (.toString, .integer, .integer), (.toString, .long, .long), (.toString, .double, .double):
                return try made(try text(of: arguments[0]))
            case (.signum, .integer, .integer(let number)): return .integer(Int32(number.signum()))
            case (.toBinaryString, .integer, .integer(let number)):
                return .text(String(UInt32(bitPattern: number), radix: 2))
            case (.toHexString, .integer, .integer(let number)):
                return .text(String(UInt32(bitPattern: number), radix: 16))
            case (.toOctalString, .integer, .integer(let number)):
                return .text(String(UInt32(bitPattern: number), radix: 8))
            case (.isNaN, .double, .double(let number)): return .bool(number.isNaN)
            case (.isInfinite, .double, .double(let number)): return .bool(number.isInfinite)
            default: return nil
            }
        }
        guard arguments.count == 2 else { return nil }
        let (first, second) = (arguments[0], arguments[1])
        switch (method, value, first, second) {
        case (.compare, .integer, .integer, .integer), (.compare, .long, _, _), (.compare, .double, _, _):
            return order(first, second).map { .integer(Int32($0)) }
        case (.max, .integer, .integer, .integer): return order(first, second) ?? 0 < 0 ? second : first
        case (.min, .integer, .integer, .integer): return order(first, second) ?? 0 < 0 ? first : second
        case (.sum, .integer, .integer(let first), .integer(let second)): return .integer(first &+ second)
        case (.max, .long, _, _), (.min, .long, _, _), (.sum, .long, _, _):
            guard let first = first.wide.flatMap({ Int64(exactly: $0) }),
                let second = second.wide.flatMap({ Int64(exactly: $0) })
            else { return nil }
            return .long(method == .max ? max(first, second) : method == .min ? min(first, second) : first &+ second)
        case (.max, .double, _, _), (.min, .double, _, _), (.sum, .double, _, _):
            guard let first = first.asDouble, let second = second.asDouble else { return nil }
            return .double(method == .max ? max(first, second) : method == .min ? min(first, second) : first + second)
        case (.toString, .integer, .integer(let number), .integer(let radix)):
            return .text(String(number, radix: (2...36).contains(radix) ? Int(radix) : 10))
        default: return nil
        }
    }

    private static func converted(_ value: TemplateValue, _ method: MethodName) -> TemplateValue? {
        switch method {
        case .intValue:
            if case .double(let value) = value { return .integer(JavaNumber.integer(value)) }
            return value.wide.map { .integer(Int32(truncatingIfNeeded: $0)) }
        case .longValue:
            if case .double(let value) = value { return .long(JavaNumber.long(value)) }
            return value.wide.map { .long(Int64(truncatingIfNeeded: $0)) }
        case .shortValue, .byteValue:
            var whole = value.wide.map { Int32(truncatingIfNeeded: $0) }
            if case .double(let value) = value { whole = JavaNumber.integer(value) }
            return whole.map {
                .integer(
                    method == .shortValue ? Int32(Int16(truncatingIfNeeded: $0)) : Int32(Int8(truncatingIfNeeded: $0)))
            }
        case .doubleValue, .floatValue:
            return value.asDouble.map { .double($0) }
        case .isNaN:
            if case .double(let value) = value { return .bool(value.isNaN) }
            return nil
        case .isInfinite:
            if case .double(let value) = value { return .bool(value.isInfinite) }
            return nil
        default: return nil
        }
    }

    /// `parseInt("5")` and its like, of the class that a number has.
    private func parsed(
        _ method: MethodName, _ arguments: [TemplateValue], _ value: TemplateValue
    ) throws(TemplateExit) -> TemplateValue? {
        switch (method, value) {
        case (.parseInt, .integer), (.valueOf, .integer), (.decode, .integer), (.parseLong, .long), (.valueOf, .long),
            (.decode, .long):
            var radix: Int32 = 10
            if arguments.count == 2 {
                guard case .integer(let given) = arguments[1] else { return nil }
                radix = given
            }
            guard arguments.count <= 2 else { return nil }
            if case .null = arguments[0] { throw notANumber("null", method, value) }
            guard case .text(let text) = arguments[0] else { return nil }
            var isInteger = false
            if case .integer = value { isInteger = true }
            guard (2...36).contains(radix), let number = Self.whole(text, Int(radix)) else {
                throw notANumber(text, method, value)
            }
            if !isInteger { return .long(number) }
            guard let number = Int32(exactly: number) else { throw notANumber(text, method, value) }
            return .integer(number)
        case (.parseDouble, .double), (.valueOf, .double):
            guard arguments.count == 1, case .text(let text) = arguments[0] else { return nil }
            guard let number = Self.decimal(text) else { throw notANumber(text, method, value) }
            return .double(number)
        default: return nil
        }
    }

    private func notANumber(_ text: String, _ method: MethodName, _ value: TemplateValue) -> TemplateExit {
        thrown("java.lang.NumberFormatException: For input string: \"\(text)\"", by: method.rawValue, of: value)
    }

    private static func whole(_ text: String, _ radix: Int) -> Int64? { Int64(text, radix: radix) }

    private static func decimal(_ text: String) -> Double? {
        let trimmed = text.unicodeScalars.filter { $0.value > 0x20 }
        let text = String(String.UnicodeScalarView(trimmed))
        switch text {
        case "NaN": return .nan
        case "Infinity", "+Infinity": return .infinity
        case "-Infinity": return -.infinity
        default: break
        }
        guard text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text) ?? Double(text + "0")
    }

    // MARK: - Booleans and characters

    func callBool(_ method: MethodName, _ arguments: [TemplateValue], _ value: Bool) -> TemplateValue? {
        switch (method, arguments.count) {
        case (.booleanValue, 0): return .bool(value)
        case (.compareTo, 1):
            guard case .bool(let other) = arguments[0] else { return nil }
            return .integer(value == other ? 0 : value ? 1 : -1)
        case (.parseBoolean, 1), (.valueOf, 1):
            switch arguments[0] {
            case .text(let text): return .bool(text.lowercased() == "true")
            case .bool(let value) where method == .valueOf: return .bool(value)
            case .null: return .bool(false)
            default: return nil
            }
        case (.toString, 1):
            guard case .bool(let other) = arguments[0] else { return nil }
            return .text(other ? "true" : "false")
        case (.logicalAnd, 2), (.logicalOr, 2), (.logicalXor, 2):
            guard case .bool(let first) = arguments[0], case .bool(let second) = arguments[1] else { return nil }
            return .bool(
                method == .logicalAnd ? first && second : method == .logicalOr ? first || second : first != second)
        default: return nil
        }
    }

    func callCharacter(_ method: MethodName, _ arguments: [TemplateValue], _ unit: UInt16) -> TemplateValue? {
        if arguments.isEmpty { return method == .charValue ? .character(unit) : nil }
        guard arguments.count == 1, case .character(let other) = arguments[0] else { return nil }
        let scalar = Unicode.Scalar(other)
        switch method {
        case .compareTo: return .integer(Int32(unit) - Int32(other))
        case .valueOf: return .character(other)
        case .toString: return .text(String(decoding: [other], as: UTF16.self))
        case .isDigit: return .bool(scalar?.properties.generalCategory == .decimalNumber)
        case .isLetter: return .bool(scalar.map { Character($0).isLetter } ?? false)
        case .isLetterOrDigit:
            return .bool(
                scalar.map { Character($0).isLetter || $0.properties.generalCategory == .decimalNumber } ?? false)
        case .isUpperCase: return .bool(scalar?.properties.isUppercase ?? false)
        case .isLowerCase: return .bool(scalar?.properties.isLowercase ?? false)
        case .isWhitespace: return .bool(scalar?.properties.isWhitespace ?? false)
        default: return nil
        }
    }
}
