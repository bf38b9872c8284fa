import GraphQL

/// Operators on constants, and what values are as texts, numbers and truths.
extension ScriptEvaluator {
    func isTrue(_ value: ScriptValue) throws(TypeScriptError) -> Bool {
        switch value {
        case .undefined, .null: false
        case .boolean(let value): value
        case .number(let number): number != 0 && !number.isNaN
        case .string(let text): !text.isEmpty
        case .opaque(let opaque): throw opaque.error
        default: true
        }
    }

    /// A value as text, as `${value}` and `String(value)` write it.
    func text(of placed: PlacedValue) throws(TypeScriptError) -> String {
        try text(of: placed, depth: 0)
    }

    private func text(of placed: PlacedValue, depth: Int) throws(TypeScriptError) -> String {
        switch placed.value {
        case .undefined: return "undefined"
        case .null: return "null"
        case .boolean(let value): return "\(value)"
        case .number(let number): return NumberText.text(of: number)
        case .string(let text): return text
        case .list(let list):
            guard depth < 10 else { throw TypeScriptError("lists are nested too deeply here", at: placed.position) }
            try spend(list.elements.count, at: placed.position)
            var texts: [String] = []
            for element in list.elements {
                texts.append(element.value.isNothing ? "" : try text(of: element, depth: depth + 1))
            }
            return texts.joined(separator: ",")
        case .opaque(let opaque): throw opaque.error
        default: throw TypeScriptError("expected a text, found \(placed.value.description)", at: placed.position)
        }
    }

    func number(_ placed: PlacedValue) throws(TypeScriptError) -> Double {
        switch placed.value {
        case .undefined: return .nan
        case .null: return 0
        case .boolean(let value): return value ? 1 : 0
        case .number(let number): return number
        case .string(let text):
            let trimmed = Texts.trimmed(text)
            return trimmed.isEmpty ? 0 : Self.decimal(trimmed) ?? .nan
        case .opaque(let opaque): throw opaque.error
        default: return .nan
        }
    }

    /// Swift reads more forms than JavaScript, such as `0x1p3` and `nan`.
    private static func decimal(_ text: String) -> Double? {
        if text == "Infinity" || text == "+Infinity" { return .infinity }
        if text == "-Infinity" { return -.infinity }
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        let padded = text.hasSuffix(".") ? text + "0" : text
        return Double(padded.hasPrefix(".") ? "0" + padded : padded)
    }

    func unary(
        _ sign: String, _ operand: ScriptExpression, in scope: ScriptScope
    ) throws(TypeScriptError) -> ScriptValue {
        if sign == "typeof", case .name(let name) = operand.kind, scope.binding(name) == nil,
            Natives.globals[name] == nil
        {
            return .string("undefined")
        }
        let placed = try placed(operand, in: scope)
        switch sign {
        case "!": return .boolean(try !isTrue(placed.value))
        case "-": return .number(try -number(placed))
        case "+": return .number(try number(placed))
        case "void": return .undefined
        case "typeof": return .string(try typeName(of: placed.value))
        default: throw TypeScriptError("\"\(sign)\" is not evaluated", at: operand.position)
        }
    }

    private func typeName(of value: ScriptValue) throws(TypeScriptError) -> String {
        switch value {
        case .undefined: "undefined"
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .function, .method: "function"
        case .opaque(let opaque): throw opaque.error
        default: "object"
        }
    }

    func binary(
        _ sign: String, _ left: ScriptExpression, _ right: ScriptExpression, at position: Position,
        in scope: ScriptScope
    ) throws(TypeScriptError) -> ScriptValue {
        let first = try placed(left, in: scope)
        switch sign {
        case "&&": return try isTrue(first.value) ? value(of: right, in: scope) : first.value
        case "||": return try isTrue(first.value) ? first.value : value(of: right, in: scope)
        case "??": return first.value.isNothing ? try value(of: right, in: scope) : first.value
        default: break
        }
        let second = try placed(right, in: scope)
        switch sign {
        case "===": return .boolean(try isSame(first.value, second.value))
        case "!==": return .boolean(try !isSame(first.value, second.value))
        case "==": return .boolean(try isEqual(first, second))
        case "!=": return .boolean(try !isEqual(first, second))
        case "+":
            if case .number(let one) = first.value, case .number(let other) = second.value {
                return .number(one + other)
            }
            let isText = [first, second].contains { if case .string = $0.value { true } else { false } }
            guard isText else { return .number(try number(first) + number(second)) }
            return try checkedText(text(of: first) + text(of: second), at: position)
        case "<", ">", "<=", ">=": return .boolean(try compare(sign, first, second))
        default: return .number(try arithmetic(sign, number(first), number(second), at: position))
        }
    }

    private func arithmetic(
        _ sign: String, _ left: Double, _ right: Double, at position: Position
    ) throws(TypeScriptError) -> Double {
        switch sign {
        case "-": return left - right
        case "*": return left * right
        case "/": return left / right
        case "%": return left.truncatingRemainder(dividingBy: right)
        case "**":
            guard right == right.rounded(), (0...1024).contains(right) else {
                throw TypeScriptError("\"**\" is evaluated for small whole exponents only", at: position)
            }
            return (0..<Int(right)).reduce(1) { power, _ in power * left }
        default: throw TypeScriptError("\"\(sign)\" is not evaluated", at: position)
        }
    }

    private func compare(_ sign: String, _ left: PlacedValue, _ right: PlacedValue) throws(TypeScriptError) -> Bool {
        if case .string(let one) = left.value, case .string(let other) = right.value {
            let (one, other) = (Array(one.utf16), Array(other.utf16))
            let isLess = one.lexicographicallyPrecedes(other)
            return switch sign {
            case "<": isLess
            case ">=": !isLess
            case ">": !isLess && one != other
            default: isLess || one == other
            }
        }
        let (one, other) = (try number(left), try number(right))
        return switch sign {
        case "<": one < other
        case ">": one > other
        case "<=": one <= other
        default: one >= other
        }
    }

    /// `===`
    func isSame(_ left: ScriptValue, _ right: ScriptValue) throws(TypeScriptError) -> Bool {
        switch (left, right) {
        case (.opaque(let opaque), _), (_, .opaque(let opaque)): throw opaque.error
        case (.undefined, .undefined), (.null, .null): return true
        case (.boolean(let one), .boolean(let other)): return one == other
        case (.number(let one), .number(let other)): return one == other
        case (.string(let one), .string(let other)): return one == other
        case (.function(let one), .function(let other)): return one === other
        default:
            guard let one = left.changeable, let other = right.changeable else { return false }
            return one === other
        }
    }

    private func isEqual(_ left: PlacedValue, _ right: PlacedValue) throws(TypeScriptError) -> Bool {
        if left.value.isNothing || right.value.isNothing { return left.value.isNothing && right.value.isNothing }
        switch (left.value, right.value) {
        case (.number, .string), (.string, .number), (.boolean, _), (_, .boolean):
            return try number(left) == number(right)
        default: return try isSame(left.value, right.value)
        }
    }
}
