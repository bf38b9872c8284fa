/// Velocity's arithmetic: whole numbers stay whole and become wider when they overflow.
extension TemplateRun {
    func calculate(
        _ calculation: TemplateExpression.Calculation, _ left: TemplateValue, _ right: TemplateValue,
        words: (String, String)
    ) throws(TemplateExit) -> TemplateValue {
        if calculation == .plus {
            var isText = false
            if case .text = left { isText = true }
            if case .text = right { isText = true }
            if isText {
                // What has no value is printed as it is written.
                let left = left.isNull ? words.0 : try text(of: left)
                let right = right.isNull ? words.1 : try text(of: right)
                return try made(left + right)
            }
        }
        if let wide = left.wide, let other = right.wide {
            let base = max(left.width, right.width)
            return try whole(calculation, wide, other).map { .whole($0, atLeast: base) } ?? .null
        }
        guard let left = left.asDouble, let right = right.asDouble else { return .null }
        switch calculation {
        case .plus: return .double(left + right)
        case .minus: return .double(left - right)
        case .times: return .double(left * right)
        case .divide: return right == 0 ? .null : .double(left / right)
        case .modulo: return right == 0 ? .null : .double(left.truncatingRemainder(dividingBy: right))
        }
    }

    /// Nil: a division by zero.
    private func whole(
        _ calculation: TemplateExpression.Calculation, _ left: Int128, _ right: Int128
    ) throws(TemplateExit) -> Int128? {
        let (result, hasOverflown): (Int128, Bool)
        switch calculation {
        case .plus: (result, hasOverflown) = left.addingReportingOverflow(right)
        case .minus: (result, hasOverflown) = left.subtractingReportingOverflow(right)
        case .times: (result, hasOverflown) = left.multipliedReportingOverflow(by: right)
        case .divide:
            guard right != 0 else { return nil }
            (result, hasOverflown) = left.dividedReportingOverflow(by: right)
        case .modulo:
            guard right != 0 else { return nil }
            (result, hasOverflown) = left.remainderReportingOverflow(dividingBy: right)
        }
        guard !hasOverflown else { throw fault("A number has more than 128 bits.") }
        return result
    }
}

extension TemplateValue {
    /// How wide a whole number's class is.
    fileprivate var width: Int {
        switch self {
        case .integer: 0
        case .long: 1
        default: 2
        }
    }

    fileprivate static func whole(_ value: Int128, atLeast width: Int) -> TemplateValue {
        if width == 0, let value = Int32(exactly: value) { return .integer(value) }
        if width <= 1, let value = Int64(exactly: value) { return .long(value) }
        return .large(value)
    }
}
