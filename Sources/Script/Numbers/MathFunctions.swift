/// The functions of `Math` (ECMAScript 2023, 21.3.2) where the language says more than the C library does, or other things.
/// The others (`sin`, `exp`, …) are those of the C library.
package enum MathFunctions {
    /// `**` and `Math.pow`: NaN to any power but 0 is NaN, and ±1 to an infinite power is, too.
    package static func pow(_ base: Double, _ exponent: Double) -> Double {
        if exponent == 0 { return 1 }
        if exponent.isNaN || (base.magnitude == 1 && exponent.isInfinite) { return .nan }
        return SystemMath.pow(base, exponent)
    }

    /// To the nearest integer, a half up; -0.5...-0 gives -0.
    package static func round(_ value: Double) -> Double {
        guard value.isFinite, value.magnitude < 4_503_599_627_370_496 else { return value }
        let floor = value.rounded(.down)
        let result = value - floor >= 0.5 ? floor + 1 : floor
        return result == 0 && value.sign == .minus ? -0.0 : result
    }

    package static func sign(_ value: Double) -> Double {
        value > 0 ? 1 : value < 0 ? -1 : value
    }

    /// The root of the sum of the squares; an infinite argument outweighs NaN.
    package static func hypot(_ values: [Double]) -> Double {
        if values.contains(where: \.isInfinite) { return .infinity }
        if values.contains(where: \.isNaN) { return .nan }
        guard let largest = values.map(\.magnitude).max(), largest > 0 else { return 0 }
        // The parts below the sum are carried along, as V8 does.
        var sum = 0.0
        var compensation = 0.0
        for value in values {
            let part = value.magnitude / largest
            let summand = part * part - compensation
            let next = sum + summand
            compensation = (next - sum) - summand
            sum = next
        }
        return sum.squareRoot() * largest
    }

    package static func fround(_ value: Double) -> Double {
        Double(Float(value))
    }

    package static func clz32(_ value: Double) -> Double {
        Double(NumberConversion.uint32(value).leadingZeroBitCount)
    }

    package static func imul(_ left: Double, _ right: Double) -> Double {
        Double(NumberConversion.int32(left) &* NumberConversion.int32(right))
    }

    /// The larger one; NaN wins, and 0 is larger than -0.
    package static func max(_ left: Double, _ right: Double) -> Double {
        if left.isNaN || right.isNaN { return .nan }
        if left == 0, right == 0 { return left.sign == .minus ? right : left }
        return left > right ? left : right
    }

    package static func min(_ left: Double, _ right: Double) -> Double {
        if left.isNaN || right.isNaN { return .nan }
        if left == 0, right == 0 { return left.sign == .minus ? left : right }
        return left < right ? left : right
    }

    /// The remainder with the sign of the dividend: `%`.
    package static func remainder(_ dividend: Double, _ divisor: Double) -> Double {
        dividend.truncatingRemainder(dividingBy: divisor)
    }

    /// The functions of one argument by their name in `Math`.
    package static let unary: [(name: String, function: @Sendable (Double) -> Double)] = [
        ("abs", { $0.magnitude }),
        ("acos", { SystemMath.acos($0) }),
        ("acosh", { SystemMath.acosh($0) }),
        ("asin", { SystemMath.asin($0) }),
        ("asinh", { SystemMath.asinh($0) }),
        ("atan", { SystemMath.atan($0) }),
        ("atanh", { SystemMath.atanh($0) }),
        ("cbrt", { CubeRoot.of($0) }),
        ("ceil", { $0.rounded(.up) }),
        ("clz32", { clz32($0) }),
        ("cos", { SystemMath.cos($0) }),
        ("cosh", { SystemMath.cosh($0) }),
        ("exp", { SystemMath.exp($0) }),
        ("expm1", { SystemMath.expm1($0) }),
        ("floor", { $0.rounded(.down) }),
        ("fround", { fround($0) }),
        ("log", { SystemMath.log($0) }),
        ("log10", { SystemMath.log10($0) }),
        ("log1p", { SystemMath.log1p($0) }),
        ("log2", { SystemMath.log2($0) }),
        ("round", { round($0) }),
        ("sign", { sign($0) }),
        ("sin", { SystemMath.sin($0) }),
        ("sinh", { SystemMath.sinh($0) }),
        ("sqrt", { $0.squareRoot() }),
        ("tan", { SystemMath.tan($0) }),
        ("tanh", { SystemMath.tanh($0) }),
        ("trunc", { $0.rounded(.towardZero) }),
    ]

    package static func atan2(_ y: Double, _ x: Double) -> Double { SystemMath.atan2(y, x) }
}
