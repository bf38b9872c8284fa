import Glibc

/// The name of one request: a random UUID (version 4), for logs and for the answer's header.
package struct RequestIdentifier: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    init(using generator: inout some RandomNumberGenerator) {
        high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Hot path: 36 characters without a `String`.
    package func append(to buffer: inout [UInt8]) {
        Self.append(high, dashesBefore: [32, 16], to: &buffer)
        buffer.append(UInt8(ascii: "-"))
        Self.append(low, dashesBefore: [48], to: &buffer)
    }

    private static let digits: [UInt8] = Array("0123456789abcdef".utf8)

    private static func append(_ word: UInt64, dashesBefore: [UInt64], to buffer: inout [UInt8]) {
        var shift: UInt64 = 64
        while shift > 0 {
            if dashesBefore.contains(shift) { buffer.append(UInt8(ascii: "-")) }
            shift -= 4
            buffer.append(digits[Int(word >> shift & 0xF)])
        }
    }

    package var description: String {
        var buffer: [UInt8] = []
        append(to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }
}

/// A fast generator for names that nobody may guess twice but that are no secrets (xoshiro256**), seeded by the system.
struct IdentifierGenerator: RandomNumberGenerator {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    init() {
        var system = SystemRandomNumberGenerator()
        // All zeros is the one state that never changes.
        state = (system.next() | 1, system.next(), system.next(), system.next())
    }

    mutating func next() -> UInt64 {
        let result = Self.rotate(state.1 &* 5, by: 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = Self.rotate(state.3, by: 45)
        return result
    }

    private static func rotate(_ value: UInt64, by count: UInt64) -> UInt64 {
        value << count | value >> (64 - count)
    }
}
