/// Numbers as texts of the language and back.
enum NumberUnits {
    static func text(of number: Double) -> [UInt16] {
        Array(NumberText.decimal(number).utf16)
    }

    static func number(of units: [UInt16]) -> Double {
        NumberReading.number(units)
    }

    static func power(_ base: Double, _ exponent: Double) -> Double {
        MathFunctions.pow(base, exponent)
    }
}
