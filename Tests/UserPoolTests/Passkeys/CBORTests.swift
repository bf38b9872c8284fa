import Crypto
import TestSupport
import Testing

@testable import UserPool

@Suite("What authenticators write")
struct CBORTests {
    @Test(
        "values are read as RFC 8949 writes them",
        arguments: [
            ("00", CBORValue.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1_000)),
            ("1a000f4240", .unsigned(1_000_000)), ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
            ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)), ("3863", .negative(99)),
            ("3bffffffffffffffff", .negative(.max)), ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
            ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("62c3bc", .text("ü")),
            ("80", .array([])),
            (
                "8301820203820405",
                .array([.unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)])])
            ),
            ("a0", .map([])),
            (
                "a201022003",
                .map([.init(key: .unsigned(1), value: .unsigned(2)), .init(key: .negative(0), value: .unsigned(3))])
            ),
        ])
    func values(digits: String, value: CBORValue) {
        #expect(CBORValue(bytes(digits)) == value)
    }

    @Test(
        "other forms are none",
        arguments: [
            "", "0000", "18", "1817", "190017", "1900ff", "1a0000ffff", "1b00000000ffffffff", "1c", "1d", "1e", "1f",
            "f7", "f0", "f8ff", "f90000", "fa00000000", "fb0000000000000000", "ff", "c000", "d81800", "5f4101ff",
            "7f6161ff", "9f01ff", "bf0102ff", "41", "4201", "5bffffffffffffffff", "7bffffffffffffffff",
            "9bffffffffffffffff", "bbffffffffffffffff", "5b7fffffffffffffff", "9a7fffffff", "62c328", "61ff", "81",
            "a1",
            "a101", "a201010102", "a14101f5", "a1f501", "a18001", "a1a001", "81818181818181818100", "3a", "5903e8",
        ])
    func others(digits: String) {
        #expect(CBORValue(bytes(digits)) == nil)
    }

    @Test("nesting, count and length have limits")
    func limits() {
        func nested(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x81, count: count) + [0] }
        #expect(CBORValue(nested(CBORValue.nestingMax)) != nil)
        #expect(CBORValue(nested(CBORValue.nestingMax + 1)) == nil)
        #expect(CBORValue(nested(60_000)) == nil)
        func list(_ count: Int) -> [UInt8] {
            [0x99, UInt8(count >> 8), UInt8(count & 255)] + [UInt8](repeating: 0, count: count)
        }
        #expect(CBORValue(list(CBORValue.valuesMax - 1)) != nil)
        #expect(CBORValue(list(CBORValue.valuesMax)) == nil)
        let long = [0x5A, 0, 1, 0, 0] + [UInt8](repeating: 0, count: 65_536)
        #expect(CBORValue(long) == nil)
    }

    @Test("whatever the bytes are, they are read to an end")
    func anything() {
        var generator = SeededRandom(test: "CBORTests")
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...48, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = CBORValue(bytes)
            _ = AuthenticatorData(bytes)
        }
    }

    @Test("keys of other kinds, and points beside the curve, are none")
    func keys() throws {
        let point = "2158202ba472104c686f39d4b623cc9324953e7053b47caf818e8cf774203a5bdfa6a7225820"
        let y = "1f2c0d1d2e5bb1f1c3c8e7a1c2d5a0b16c3b7b1c0e5b6f0b4d8e2a7a4c1d9f3e"
        // (x, y) is not on the curve.
        let value = try #require(CBORValue(bytes("a5010203262001" + point + y)))
        #expect(PasskeyKey(value) == nil)
        for digits in ["a0", "a10326", "a201020326", "a3010203262001", "a40103033901002041012141ff"] {
            #expect(PasskeyKey(try #require(CBORValue(bytes(digits)))) == nil, "\(digits)")
        }
    }
}
