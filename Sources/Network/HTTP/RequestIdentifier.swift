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
        buffer.append(piecesOf: Self.characters) { append(to: &$0) }
    }

    package func append(to pieces: inout BytePieces) {
        let (second, third) = (Self.digits(of: high & 0xFFFF_FFFF), Self.digits(of: low >> 32))
        pieces.append(Self.digits(of: high >> 32).bigEndian)
        pieces.append(UInt8(ascii: "-"))
        pieces.append(UInt32(second >> 32).bigEndian)
        pieces.append(UInt8(ascii: "-"))
        pieces.append(UInt32(second & 0xFFFF_FFFF).bigEndian)
        pieces.append(UInt8(ascii: "-"))
        pieces.append(UInt32(third >> 32).bigEndian)
        pieces.append(UInt8(ascii: "-"))
        pieces.append(UInt32(third & 0xFFFF_FFFF).bigEndian)
        pieces.append(Self.digits(of: low & 0xFFFF_FFFF).bigEndian)
    }

    /// Eight hexadecimal digits of a number of 32 bits, the first one in the highest byte: all at once, by spreading
    /// four bits over each byte.
    @inline(__always)
    private static func digits(of number: UInt64) -> UInt64 {
        var spread = (number << 16 | number) & 0x0000_FFFF_0000_FFFF
        spread = (spread << 8 | spread) & 0x00FF_00FF_00FF_00FF
        spread = (spread << 4 | spread) & 0x0F0F_0F0F_0F0F_0F0F
        let ones: UInt64 = 0x0101_0101_0101_0101
        let letters = (spread &+ ones &* 6) >> 4 & ones
        return spread &+ ones &* 0x30 &+ letters &* 0x27
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
