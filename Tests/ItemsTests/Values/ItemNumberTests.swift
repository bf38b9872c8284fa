import Foundation
import TestSupport
import Testing

@testable import Items

@Suite("Numbers of items")
struct ItemNumberTests {
    static let nines = String(repeating: "9", count: 38)

    static let written: [(String, String?)] = [
        ("0", "0"), ("-0", "0"), ("0.0", "0"), ("0e400", "0"), ("+1", "1"), ("1.0", "1"), ("1.50", "1.5"),
        ("5.", "5"),
        (".5", "0.5"), ("-.5", "-0.5"), ("1E3", "1000"), ("1e-3", "0.001"), ("0.1e1", "1"), ("0001", "1"),
        ("100", "100"),
        ("-12.340", "-12.34"), ("1e+2", "100"), ("20", "20"), ("١٢", "12"),
        ("1" + String(repeating: "0", count: 50), nil),
        ("1e125", "1" + String(repeating: "0", count: 125)),
        ("1e-130", "0." + String(repeating: "0", count: 129) + "1"),
        (nines, nines), ("-" + nines, "-" + nines), ("9." + nines.dropFirst(), "9." + nines.dropFirst()),
        (nines + "e87", nines + String(repeating: "0", count: 87)),
        ("1." + String(repeating: "0", count: 45), "1"), (String(repeating: "0", count: 5_000) + "7", "7"),
    ]

    @Test("a number has one text", arguments: written)
    func texts(_ text: String, _ expected: String?) throws {
        let number = try ItemNumber(text)
        #expect(number.description == expected ?? text)
        #expect(number.text == text, "as it was written")
        #expect(number.canonical.text == expected ?? text)
        #expect(try ItemNumber(number.description) == number)
    }

    @Test(
        "what is no number is refused",
        arguments: [
            "", " ", "1 ", " 1", "1,5", "NaN", "-Infinity", "--1", "+-1", "e1", ".", "-", "+", "1e", "1e+", "1e1.5",
            "1.2.3", "0x1",
            "1_0", "½", "²", "1e99999999999", "1e2147483648", "é", "\u{0}",
        ])
    func refused(_ text: String) {
        let error = #expect(throws: ItemError.self) { try ItemNumber(text) }
        #expect(error?.message == "The parameter cannot be converted to a numeric value: \(text)")
    }

    static let beyond: [(String, String)] = [
        ("1e126", "Number overflow. Attempting to store a number with magnitude larger than supported range"),
        ("-10e125", "Number overflow. Attempting to store a number with magnitude larger than supported range"),
        (
            "1e2147483647",
            "Number overflow. Attempting to store a number with magnitude larger than supported range"
        ),
        ("1e-131", "Number underflow. Attempting to store a number with magnitude smaller than supported range"),
        ("0.1e-130", "Number underflow. Attempting to store a number with magnitude smaller than supported range"),
        (nines + "1", "Attempting to store more than 38 significant digits in a Number"),
        (nines + ".9", "Attempting to store more than 38 significant digits in a Number"),
        ("1.00000000000000000000000000000000000001", "Attempting to store more than 38 significant digits in a Number"),
    ]

    @Test("what is too large, too small or too precise is refused", arguments: beyond)
    func limits(_ text: String, _ message: String) {
        let error = #expect(throws: ItemError.self) { try ItemNumber(text) }
        #expect(error?.message == message)
    }

    @Test("digits are counted right around each power of ten")
    func digits() {
        var power: UInt128 = 1
        for count in 1...38 {
            #expect(ItemNumber.digitCount(of: power) == count)
            #expect(ItemNumber.digitCount(of: power * 10 - 1) == count)
            power *= 10
        }
        #expect(ItemNumber.digitCount(of: 0) == 1)
        #expect(ItemNumber.digitCount(of: .max) == 39)
    }

    static let ordered = [
        "-9.9e125", "-1e125", "-100.5", "-100", "-99", "-22", "-20", "-10", "-9", "-1.1", "-1", "-0.99", "-0.1",
        "-1e-130", "0", "1e-130",
        "1.5e-130", "1e-129", "0.1", "0.11", "0.2", "1", "1.0000000000000000000000000000000000001", "1.1", "2", "9",
        "10", "20", "22", "99",
        "100", "101", "12345678901234567890123456789012345678", "1e125", "9.9e125",
    ]

    @Test("numbers have an order, and their bytes have it too")
    func order() throws {
        let numbers = try Self.ordered.map { try ItemNumber($0) }
        for (place, number) in numbers.enumerated() {
            #expect(ItemNumber(orderedBytes: number.orderedBytes) == number)
            #expect(number.orderedBytes.count <= 22)
            for (otherPlace, other) in numbers.enumerated() {
                #expect((number < other) == (place < otherPlace), "\(number) \(other)")
                #expect((number == other) == (place == otherPlace))
                #expect((number.orderedBytes.compareBytes(to: other.orderedBytes) < 0) == (place < otherPlace))
            }
        }
        for wrong in [[], [0], [0x80, 1], [0xC0, 130], [0xC0, 130, 0], [0xC0, 130, 102], [0x40, 1, 2, 3]] as [[UInt8]] {
            #expect(ItemNumber(orderedBytes: wrong) == nil)
        }
    }

    static let sums: [(String, String, String?)] = [
        ("1", "2", "3"), ("0.1", "0.2", "0.3"), ("5", "-5", "0"), ("99", "1", "100"), ("-0.5", "2", "1.5"),
        ("1", "-2.5", "-1.5"),
        ("0", "7", "7"), ("7", "0", "7"), (nines, "1", "1" + String(repeating: "0", count: 38)),
        (nines, nines, nil),
        ("1e38", "-1", nines), ("1e38", "1", nil), ("1e39", "-1", nil), ("9e125", "5", nil),
        ("9e125", "1e125", nil),
        ("1e-130", "1e-130", "0." + String(repeating: "0", count: 129) + "2"), ("9.9e-130", "-9.8e-130", nil),
    ]

    @Test("numbers are added exactly or not at all", arguments: sums)
    func sum(_ left: String, _ right: String, _ expected: String?) throws {
        let (left, right) = (try ItemNumber(left), try ItemNumber(right))
        guard let expected else {
            #expect(throws: ItemError.self) { try left + right }
            return
        }
        #expect(try (left + right).description == expected)
        #expect(try (right + left).description == expected)
        #expect(try left - -right == left + right)
    }

    @Test("random numbers are added and compared as Foundation's are")
    func random() throws {
        var random = SeededRandom(test: "ItemNumberTests")
        for _ in 0..<Fuzz.rounds(ordinarily: 500) {
            func number() -> String {
                let digits = String(
                    UInt64.random(in: 0...UInt64.max, using: &random).description.prefix(
                        .random(in: 1...18, using: &random)))
                return (Bool.random(using: &random) ? "-" : "") + digits + "e\(Int.random(in: -9...9, using: &random))"
            }
            let (one, other) = (number(), number())
            let (left, right) = (try ItemNumber(one), try ItemNumber(other))
            let (known, otherKnown) = (try #require(Decimal(string: one)), try #require(Decimal(string: other)))
            #expect(try (left + right).description == (known + otherKnown).description, "\(one) \(other)")
            #expect((left < right) == (known < otherKnown), "\(one) \(other)")
            #expect(
                (left.orderedBytes.compareBytes(to: right.orderedBytes) < 0) == (known < otherKnown), "\(one) \(other)")
            #expect(ItemNumber(orderedBytes: left.orderedBytes) == left)
        }
    }
}
