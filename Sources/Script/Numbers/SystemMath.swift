#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// Inside of a type, `sin` would be the type's own function; out here it is the C library's.
private func libraryAcos(_ value: Double) -> Double { acos(value) }
private func libraryAcosh(_ value: Double) -> Double { acosh(value) }
private func libraryAsin(_ value: Double) -> Double { asin(value) }
private func libraryAsinh(_ value: Double) -> Double { asinh(value) }
private func libraryAtan(_ value: Double) -> Double { atan(value) }
private func libraryAtanh(_ value: Double) -> Double { atanh(value) }
private func libraryCos(_ value: Double) -> Double { cos(value) }
private func libraryCosh(_ value: Double) -> Double { cosh(value) }
private func libraryExp(_ value: Double) -> Double { exp(value) }
private func libraryExpm1(_ value: Double) -> Double { expm1(value) }
private func libraryLog(_ value: Double) -> Double { log(value) }
private func libraryLog10(_ value: Double) -> Double { log10(value) }
private func libraryLog1p(_ value: Double) -> Double { log1p(value) }
private func libraryLog2(_ value: Double) -> Double { log2(value) }
private func librarySin(_ value: Double) -> Double { sin(value) }
private func librarySinh(_ value: Double) -> Double { sinh(value) }
private func libraryTan(_ value: Double) -> Double { tan(value) }
private func libraryTanh(_ value: Double) -> Double { tanh(value) }
private func libraryPow(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
private func libraryAtan2(_ y: Double, _ x: Double) -> Double { atan2(y, x) }

/// The C library's functions under names that those of `Math` do not hide.
enum SystemMath {
    static func pow(_ base: Double, _ exponent: Double) -> Double { libraryPow(base, exponent) }
    static func atan2(_ y: Double, _ x: Double) -> Double { libraryAtan2(y, x) }
    static func acos(_ value: Double) -> Double { libraryAcos(value) }
    static func acosh(_ value: Double) -> Double { libraryAcosh(value) }
    static func asin(_ value: Double) -> Double { libraryAsin(value) }
    static func asinh(_ value: Double) -> Double { libraryAsinh(value) }
    static func atan(_ value: Double) -> Double { libraryAtan(value) }
    static func atanh(_ value: Double) -> Double { libraryAtanh(value) }
    static func cos(_ value: Double) -> Double { libraryCos(value) }
    static func cosh(_ value: Double) -> Double { libraryCosh(value) }
    static func exp(_ value: Double) -> Double { libraryExp(value) }
    static func expm1(_ value: Double) -> Double { libraryExpm1(value) }
    static func log(_ value: Double) -> Double { libraryLog(value) }
    static func log10(_ value: Double) -> Double { libraryLog10(value) }
    static func log1p(_ value: Double) -> Double { libraryLog1p(value) }
    static func log2(_ value: Double) -> Double { libraryLog2(value) }
    static func sin(_ value: Double) -> Double { librarySin(value) }
    static func sinh(_ value: Double) -> Double { librarySinh(value) }
    static func tan(_ value: Double) -> Double { libraryTan(value) }
    static func tanh(_ value: Double) -> Double { libraryTanh(value) }
}
