import Testing

@testable import Script

/// Numbers as texts, texts as numbers, and the functions of `Math`, without objects.
struct NumberTests {
    @Test(
        "a number is printed with the fewest digits that are read as it again",
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (1e21, "1e+21"),
            (1.2345678901234568e20, "123456789012345680000"),
            (1e-7, "1e-7"), (0.000001, "0.000001"), (1.5e-9, "1.5e-9"), (.leastNonzeroMagnitude, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (0.1 + 0.2, "0.30000000000000004"), (.infinity, "Infinity"), (-.infinity, "-Infinity"), (.nan, "NaN"),
            (1e20, "100000000000000000000"),
            (4294967296.5, "4294967296.5"), (-2147483648, "-2147483648"),
        ] as [(Double, String)])
    func prints(_ value: Double, _ text: String) {
        #expect(NumberText.decimal(value) == text)
    }

    @Test(
        "a number in another radix has the digits that tell it from its neighbours",
        arguments: [
            (255, 16, "ff"), (-255, 36, "-73"), (0.5, 2, "0.1"), (0.1, 3, "0.0022002200220022002200220022002201"),
            (1e21, 7, "5135235413265003022600000"), (0.1, 16, "0.1999999999999a"), (1.0 / 3, 36, "0.c"),
            (0x1p60, 36, "8rc4kbdvss00"), (0x1p84, 29, "2j8g3qhobfsn000000"), (-123.456, 5, "-443.212"),
            (0x1p60, 3, "21200101122222021102111220121112210000"),
            (0x1p53 - 1, 3, "1121202011211211122211100012101111"),
            (-1.5e20, 7, "-532361122156231335660000"),
            (.nan, 2, "NaN"), (-0.0, 2, "0"),
        ] as [(Double, Int, String)])
    func radixes(_ value: Double, _ radix: Int, _ text: String) {
        #expect(NumberText.text(value, radix: radix) == text)
    }

    @Test("the greatest number has no neighbour above it, and yet an end", arguments: Array(2...9) + Array(11...36))
    func greatest(_ radix: Int) {
        for value in [
            Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude, Double.greatestFiniteMagnitude.nextDown,
        ] {
            let text = NumberText.text(value, radix: radix)
            #expect(text.utf8.count <= 1026 && !text.contains("."))
        }
    }

    @Test(
        "digits are rounded by the whole number, a half up",
        arguments: [
            (1.005, 2, "1.00", "1.00e+0", "1.0"), (1.45, 1, "1.4", "1.4e+0", "1"), (8.345, 2, "8.35", "8.35e+0", "8.3"),
            (2.5, 0, "3", "3e+0", "3"),
            (-2.5, 0, "-3", "-3e+0", "-3"), (0, 2, "0.00", "0.00e+0", "0.0"), (1e21, 2, "1e+21", "1.00e+21", "1.0e+21"),
            (123.456, 4, "123.4560", "1.2346e+2", "123.5"), (0.00001, 3, "0.000", "1.000e-5", "0.0000100"),
            (1e-7, 1, "0.0", "1.0e-7", "1e-7"),
            (-0.0000001, 2, "-0.00", "-1.00e-7", "-1.0e-7"), (999.9999, 2, "1000.00", "1.00e+3", "1.0e+3"),
            (0.5, 0, "1", "5e-1", "0.5"), (.nan, 2, "NaN", "NaN", "NaN"),
        ] as [(Double, Int, String, String, String)])
    func rounds(_ value: Double, _ digits: Int, _ fixed: String, _ exponential: String, _ precision: String) {
        #expect(NumberText.fixed(value, digits: digits) == fixed)
        #expect(NumberText.exponential(value, digits: digits) == exponential)
        #expect(NumberText.precision(value, digits: max(digits, 1)) == precision)
    }

    @Test("all digits of a number are exact")
    func exactDigits() {
        #expect(NumberText.fixed(0.1, digits: 55) == "0.1000000000000000055511151231257827021181583404541015625")
        #expect(NumberText.precision(.leastNonzeroMagnitude, digits: 5) == "4.9407e-324")
        #expect(NumberText.fixed(1.2345678901234568e20, digits: 2) == "123456789012345683968.00")
        #expect(NumberText.exponential(12345, digits: nil) == "1.2345e+4")
        #expect(NumberText.fixed(1, digits: 1000).utf8.count == 102)
    }

    @Test(
        "a text is a number when the whole of it is",
        arguments: [
            ("", 0), ("  42\n", 42), ("\u{FEFF}1\u{3000}", 1), ("0x1F", 31), ("0b101", 5), ("0O17", 15),
            ("-0x10", .nan), ("0x", .nan), ("0b2", .nan), ("Infinity", .infinity),
            ("-Infinity", -.infinity), ("infinity", .nan), ("1_000", .nan), (".5", 0.5), ("5.", 5), (".", .nan),
            ("1e3", 1000), ("1e", .nan), ("1e+", .nan),
            ("+.5e-1", 0.05), ("1 2", .nan), ("010", 10), ("1e999999999999", .infinity), ("1e-999999999999", 0),
            ("0x20000000000001", 9007199254740992),
            ("0x20000000000003", 9007199254740996), ("9007199254740993", 9007199254740992), ("--1", .nan), ("1n", .nan),
        ] as [(String, Double)])
    func reads(_ text: String, _ value: Double) {
        let read = NumberReading.number(Array(text.utf16))
        #expect(read == value || (read.isNaN && value.isNaN), "\(text): \(read)")
    }

    @Test(
        "parseInt and parseFloat read as far as they can",
        arguments: [
            ("42px", 0, 42, 42), ("0x1f", 0, 31, 0), ("0x1f", 16, 31, 0), ("-101", 2, -5, -101), ("z", 36, 35, .nan),
            ("12", 1, .nan, 12), ("12", 37, .nan, 12), ("1e3", 10, 1, 1000),
            ("  -3.9abc", 10, -3, -3.9), ("", 10, .nan, .nan), ("Infinityx", 10, .nan, .infinity),
            (".5.5", 10, .nan, 0.5), ("1e+x", 10, 1, 1), ("-0", 10, -0.0, -0.0),
            ("9007199254740993", 10, 9007199254740992, 9007199254740992),
            ("100000000000000000000000000000000000000000000000000001", 2, 9007199254740992, 1e53),
            ("1_0", 10, 1, 1), ("0b1", 0, 0, 0), ("9", 8, .nan, 9),
        ] as [(String, Int32, Double, Double)])
    func parses(_ text: String, _ radix: Int32, _ integer: Double, _ float: Double) {
        let readInteger = NumberReading.parseInt(Array(text.utf16), radix: radix)
        let readFloat = NumberReading.parseFloat(Array(text.utf16))
        #expect(readInteger == integer && readInteger.sign == integer.sign || readInteger.isNaN && integer.isNaN)
        #expect(readFloat == float || readFloat.isNaN && float.isNaN)
    }

    @Test(
        "a literal has its value",
        arguments: [
            ("1_000", 1000), ("0xFF_FF", 65535), ("017", 15), ("089", 89), ("0", 0), ("1e1_0", 1e10), (".1_5", 0.15),
            ("0b1_1", 3), ("00", 0),
        ] as [(String, Double)])
    func literals(_ text: String, _ value: Double) {
        #expect(NumberReading.literal(Array(text.utf16)) == value)
    }

    @Test(
        "a number beyond an integer's bits wraps around",
        arguments: [
            (0, 0, 0, 0), (-1, -1, 4294967295, 65535), (2147483648, -2147483648, 2147483648, 0),
            (4294967297.9, 1, 1, 1), (.nan, 0, 0, 0), (.infinity, 0, 0, 0), (1e300, 0, 0, 0),
            (-9223372036854775808, 0, 0, 0), (9223372036854775808, 0, 0, 0), (0x1p65 + 8192, 8192, 8192, 8192),
            (-0x1p65 - 8192, -8192, 4294959104, 57344), (-1.9, -1, 4294967295, 65535),
        ] as [(Double, Int32, UInt32, UInt16)])
    func wraps(_ value: Double, _ int32: Int32, _ uint32: UInt32, _ uint16: UInt16) {
        #expect(NumberConversion.int32(value) == int32)
        #expect(NumberConversion.uint32(value) == uint32)
        #expect(NumberConversion.uint16(value) == uint16)
    }

    @Test("no conversion of a number has an end that it can run over")
    func conversions() {
        for value in [Double.nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, -0.0, 0x1p54] {
            _ = NumberConversion.integerOrInfinity(value)
            #expect((0...9_007_199_254_740_991).contains(NumberConversion.length(value)))
            #expect((0...10).contains(NumberConversion.relativeIndex(value, count: 10)))
        }
        #expect(
            NumberConversion.index(-1) == nil && NumberConversion.index(.infinity) == nil
                && NumberConversion.index(-0.5) == 0)
        #expect(NumberConversion.relativeIndex(-3, count: 10) == 7)
        #expect(NumberConversion.integerOrInfinity(-0.5).sign == .plus)
    }

    @Test("the functions of Math know zeros, infinities and what is no number")
    func math() {
        func isSame(_ left: Double, _ right: Double) -> Bool {
            left == right && left.sign == right.sign || left.isNaN && right.isNaN
        }
        #expect(
            isSame(MathFunctions.pow(.nan, 0), 1) && isSame(MathFunctions.pow(1, .infinity), .nan)
                && isSame(MathFunctions.pow(-1, -.infinity), .nan))
        #expect(
            isSame(MathFunctions.pow(1, .nan), .nan) && isSame(MathFunctions.pow(-0.0, -1), -.infinity)
                && isSame(MathFunctions.pow(-8, 1.0 / 3), .nan))
        #expect(
            isSame(MathFunctions.round(-0.5), -0.0) && isSame(MathFunctions.round(2.5), 3)
                && isSame(MathFunctions.round(-2.5), -2))
        #expect(
            isSame(MathFunctions.round(0.49999999999999994), 0)
                && isSame(MathFunctions.round(9007199254740991), 9007199254740991))
        #expect(
            isSame(MathFunctions.sign(-0.0), -0.0) && isSame(MathFunctions.max(-0.0, 0), 0)
                && isSame(MathFunctions.min(0, -0.0), -0.0))
        #expect(
            isSame(MathFunctions.max(.nan, 1), .nan) && isSame(MathFunctions.hypot([.nan, -.infinity]), .infinity)
                && isSame(MathFunctions.hypot([]), 0))
        #expect(
            isSame(MathFunctions.hypot([3, 4]), 5)
                && isSame(MathFunctions.hypot([1e200, 1e200]), 1.4142135623730951e200)
                && isSame(MathFunctions.fround(5.05), 5.050000190734863))
        #expect(
            isSame(MathFunctions.clz32(0), 32) && isSame(MathFunctions.imul(4294967295, 5), -5)
                && isSame(MathFunctions.remainder(-4, 2), -0.0))
        #expect(
            isSame(CubeRoot.of(27), 3) && isSame(CubeRoot.of(-0.0), -0.0) && isSame(CubeRoot.of(-.infinity), -.infinity)
                && isSame(CubeRoot.of(.leastNonzeroMagnitude), 1.7031839360032603e-108))
        #expect(
            MathFunctions.unary.count == 28
                && MathFunctions.unary.map(\.name) == MathFunctions.unary.map(\.name).sorted())
    }
}
