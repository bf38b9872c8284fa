/// What is known of an enum member's value without running anything. TypeScript counts on from it.
enum EnumConstant {
    case number(Double)
    case text
    case unknown

    /// The value of an initializer, as far as TypeScript calls it constant.
    init(
        of expression: Expression, names: NameNumbers, members: [Name: EnumConstant],
        enums: [Name: [Name: EnumConstant]]
    ) {
        func constant(_ expression: Expression) -> EnumConstant {
            EnumConstant(of: expression, names: names, members: members, enums: enums)
        }
        switch expression.form {
        case .number(let value): self = .number(value)
        case .text, .template: self = .text
        case .parenthesized(let inner): self = constant(inner)
        case .identifier(let name): self = members[name] ?? .named(names.text(of: name))
        case .member(let object, let name, false):
            guard case .identifier(let owner) = object.form else {
                self = .unknown
                return
            }
            self = enums[owner]?[name] ?? .unknown
        case .index(let object, let key, false):
            guard case .identifier(let owner) = object.form, case .text(let units) = key.form else {
                self = .unknown
                return
            }
            self = enums[owner]?[names.name(of: units)] ?? .unknown
        case .unary(let sign, let operand): self = .unary(sign, constant(operand))
        case .binary(let sign, let left, let right): self = .binary(sign, constant(left), constant(right))
        default: self = .unknown
        }
    }

    private static func named(_ text: String) -> EnumConstant {
        switch text {
        case "NaN": .number(.nan)
        case "Infinity": .number(.infinity)
        default: .unknown
        }
    }

    private static func unary(_ sign: UnaryOperator, _ operand: EnumConstant) -> EnumConstant {
        guard case .number(let value) = operand else { return sign == .typeOf ? .text : .unknown }
        switch sign {
        case .plus: return .number(value)
        case .minus: return .number(-value)
        case .complement: return .number(Double(~integer(value)))
        default: return .unknown
        }
    }

    private static func binary(
        _ sign: BinaryOperator, _ left: EnumConstant, _ right: EnumConstant
    ) -> EnumConstant {
        guard case .number(let left) = left, case .number(let right) = right else {
            if sign == .add {
                if case .text = left { return .text }
                if case .text = right { return .text }
            }
            return .unknown
        }
        let shift = UInt32(bitPattern: integer(right)) & 31
        switch sign {
        case .add: return .number(left + right)
        case .subtract: return .number(left - right)
        case .multiply: return .number(left * right)
        case .divide: return .number(left / right)
        case .remainder: return .number(left.truncatingRemainder(dividingBy: right))
        case .power: return power(left, right)
        case .shiftLeft: return .number(Double(integer(left) << shift))
        case .shiftRight: return .number(Double(integer(left) >> shift))
        case .shiftRightUnsigned: return .number(Double(UInt32(bitPattern: integer(left)) >> shift))
        case .and: return .number(Double(integer(left) & integer(right)))
        case .or: return .number(Double(integer(left) | integer(right)))
        case .xor: return .number(Double(integer(left) ^ integer(right)))
        default: return .unknown
        }
    }

    /// Only of whole exponents, where multiplying gives the number itself.
    private static func power(_ base: Double, _ exponent: Double) -> EnumConstant {
        guard let count = Int(exactly: exponent), count >= 0, count <= 1024 else { return .unknown }
        var value = 1.0
        for _ in 0..<count { value *= base }
        return .number(value)
    }

    /// The language's ToInt32.
    private static func integer(_ value: Double) -> Int32 {
        guard value.isFinite else { return 0 }
        if let whole = Int64(exactly: value) ?? (abs(value) < 0x1p62 ? Int64(value) : nil) {
            return Int32(truncatingIfNeeded: whole)
        }
        // From here on only the lowest of its bits can be among the last 32.
        let shift = Int(value.exponent) - 52
        guard shift < 32 else { return 0 }
        let bits = Int64(truncatingIfNeeded: (value.significandBitPattern | 1 << 52) << UInt64(shift))
        return Int32(truncatingIfNeeded: value < 0 ? -bits : bits)
    }
}
