import JSON

/// Equality and order, as Velocity's operators and Java's `equals` have them.
extension TemplateRun {
    func compare(
        _ comparison: TemplateExpression.Comparison, _ left: TemplateValue, _ right: TemplateValue
    ) throws(TemplateExit) -> Bool {
        switch comparison {
        case .equal: return try areEqual(left, right)
        case .notEqual: return try !areEqual(left, right)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            // Anything but two numbers is in no order.
            guard let order = order(left, right) else { return false }
            return switch comparison {
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .greater: order > 0
            default: order >= 0
            }
        }
    }

    /// `==`: numbers across their kinds, values of one kind by `equals`, others by their texts.
    private func areEqual(_ left: TemplateValue, _ right: TemplateValue) throws(TemplateExit) -> Bool {
        if left.isNull || right.isNull { return left.isNull && right.isNull }
        if let order = order(left, right) { return order == 0 }
        if Self.areOfOneKind(left, right) { return try equals(left, right) }
        return try text(of: left) == text(of: right)
    }

    private static func areOfOneKind(_ left: TemplateValue, _ right: TemplateValue) -> Bool {
        switch (left, right) {
        case (.list(let left), .list(let right)): left.form == right.form
        case (.text, .text), (.bool, .bool), (.map, .map), (.character, .character), (.entry, .entry): true
        case (.view(let left), .view(let right)): left.part == right.part
        default: false
        }
    }

    /// Numbers in order; nil: one of them is none, or no number at all. Java has NaN behind all others only in `compareTo`.
    func order(_ left: TemplateValue, _ right: TemplateValue) -> Int? {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left == right ? 0 : 1
        default: break
        }
        if let left = left.wide, let right = right.wide { return left < right ? -1 : left == right ? 0 : 1 }
        guard let left = left.asDouble, let right = right.asDouble else { return nil }
        return left < right ? -1 : left == right ? 0 : 1
    }

    /// Java's `equals`: of one class, and of the same content.
    func equals(_ left: TemplateValue, _ right: TemplateValue, level: Int = 0) throws(TemplateExit) -> Bool {
        try count()
        try checkNesting(level)
        switch (left, right) {
        case (.text(let left), .text(let right)):
            try count(left.utf8.count / VelocityLimits.bytesPerStep)
            return left == right
        case (.list(let left), .list(let right)):
            if left === right { return true }
            let (left, right) = (left.elements, right.elements)
            guard left.count == right.count else { return false }
            for (one, other) in zip(left, right) where try !equals(one, other, level: level + 1) { return false }
            return true
        case (.map(let left), .map(let right)):
            if left === right { return true }
            guard left.count == right.count else { return false }
            for member in left.members(heap) {
                guard let other = right.value(member.key, heap) else { return false }
                if try !equals(member.value, other, level: level + 1) { return false }
            }
            return true
        case (.view(let left), .view(let right)) where left.part != .values && left.part == right.part:
            guard left.map.count == right.map.count else { return false }
            for member in left.map.members(heap) {
                guard let other = right.map.value(member.key, heap) else { return false }
                if left.part == .entries, try !equals(member.value, other, level: level + 1) { return false }
            }
            return true
        case (.entry(let left), .entry(let right)):
            guard left.key == right.key else { return false }
            return try equals(left.value(heap), right.value(heap), level: level + 1)
        case (.loop(let left), .loop(let right)): return left === right
        case (.iterator(let left), .iterator(let right)): return left === right
        default: return TemplateKey(left) == TemplateKey(right)
        }
    }

    func index(of value: TemplateValue, in elements: [TemplateValue]) throws(TemplateExit) -> Int? {
        for (index, element) in elements.enumerated() where try equals(element, value) { return index }
        return nil
    }
}

extension TemplateValue {
    /// A number without a fraction.
    var wide: Int128? {
        switch self {
        case .integer(let value): Int128(value)
        case .long(let value): Int128(value)
        case .large(let value): value
        default: nil
        }
    }

    var asDouble: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .long(let value): Double(value)
        case .large(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .long, .large, .double: true
        default: false
        }
    }
}
