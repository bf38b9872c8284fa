// What an update may do with numbers. Nothing is rounded: a result with more than 38 digits is refused.

extension ItemNumber {
    package static func + (left: ItemNumber, right: ItemNumber) throws(ItemError) -> ItemNumber {
        if left.isZero { return right.canonical }
        if right.isZero { return left.canonical }
        let (high, low) = left.exponent >= right.exponent ? (left, right) : (right, left)
        // Both with the lower exponent. What does not fit there has more than 38 digits: the last digit of the lower one is
        // no zero, and the first of the higher one is too far away for any difference to be short enough.
        let shift = Int(high.exponent) - Int(low.exponent)
        guard shift < powers.count else { throw overflow }
        let (scaled, isTooLarge) = high.coefficient.multipliedReportingOverflow(by: powers[shift])
        guard !isTooLarge else { throw overflow }
        let exponent = Int(low.exponent)
        guard high.isNegative != low.isNegative else {
            let (sum, isTooLarge) = scaled.addingReportingOverflow(low.coefficient)
            guard !isTooLarge else { throw overflow }
            return try fitting(coefficient: sum, exponent: exponent, isNegative: high.isNegative)
        }
        return scaled >= low.coefficient
            ? try fitting(coefficient: scaled - low.coefficient, exponent: exponent, isNegative: high.isNegative)
            : try fitting(coefficient: low.coefficient - scaled, exponent: exponent, isNegative: low.isNegative)
    }

    package static func - (left: ItemNumber, right: ItemNumber) throws(ItemError) -> ItemNumber {
        try left + -right
    }

    package static prefix func - (number: ItemNumber) -> ItemNumber {
        ItemNumber(
            coefficient: number.coefficient, exponent: number.exponent,
            isNegative: !number.isNegative && !number.isZero)
    }
}
