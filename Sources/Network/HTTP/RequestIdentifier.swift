import Glibc

/// The name of one request: a random UUID (version 4), for logs and for the answer's header.
package struct RequestIdentifier: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    init(using generator: inout some RandomNumberGenerator) {
        high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    package static let characters = 36

    /// Hot path: the characters without a `String`.
    package func append(to buffer: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.characters) { text in
            var place = 0
            for digit: UInt64 in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                let word = digit < 16 ? high : low
                let value = UInt8(truncatingIfNeeded: word >> (60 - (digit & 15) * 4)) & 0xF
                text[place] = value < 10 ? 0x30 + value : 0x57 + value
                place += 1
            }
            buffer.append(contentsOf: text)
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
