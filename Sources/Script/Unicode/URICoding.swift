/// `encodeURI`, `decodeURI` and their like (ECMAScript 2023, 19.2.6), and `escape` and `unescape` (B.2.1).
package enum URICoding {
    private static let unescaped = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()")
    private static let reserved = set(";/?:@&=+$,#")
    private static let escapeLeaves = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@*_+-./")

    package static func encodeURIComponent(_ units: [UInt16]) -> [UInt16]? {
        encode(units, leaving: unescaped)
    }

    /// nil where the language throws a `URIError`: half of a pair.
    package static func encodeURI(_ units: [UInt16]) -> [UInt16]? {
        encode(units, leaving: (unescaped.0 | reserved.0, unescaped.1 | reserved.1))
    }

    package static func decodeURIComponent(_ units: [UInt16]) -> [UInt16]? {
        decode(units, preserving: (0, 0))
    }

    /// nil where the language throws a `URIError`: `%` without two digits, or bytes that are no UTF-8.
    package static func decodeURI(_ units: [UInt16]) -> [UInt16]? {
        decode(units, preserving: reserved)
    }

    package static func escape(_ units: [UInt16]) -> [UInt16] {
        var result: [UInt16] = []
        result.reserveCapacity(units.count)
        for unit in units {
            if contains(escapeLeaves, unit) {
                result.append(unit)
            } else if unit < 0x100 {
                append(UInt8(truncatingIfNeeded: unit), to: &result)
            } else {
                result.append(0x25)
                result.append(0x75)
                for shift in [12, 8, 4, 0] as [UInt16] { result.append(digit(unit >> shift)) }
            }
        }
        return result
    }

    package static func unescape(_ units: [UInt16]) -> [UInt16] {
        var result: [UInt16] = []
        result.reserveCapacity(units.count)
        var index = 0
        while index < units.count {
            if units[index] == 0x25 {
                if index + 1 < units.count, units[index + 1] == 0x75, let value = hexadecimal(units, index + 2, 4) {
                    result.append(value)
                    index += 6
                    continue
                }
                if let value = hexadecimal(units, index + 1, 2) {
                    result.append(value)
                    index += 3
                    continue
                }
            }
            result.append(units[index])
            index += 1
        }
        return result
    }

    // MARK: Both ways

    /// A bit for each character of ASCII.
    private typealias Bits = (UInt64, UInt64)

    private static func set(_ characters: String) -> Bits {
        var bits: Bits = (0, 0)
        for byte in characters.utf8 {
            if byte < 64 { bits.0 |= 1 &<< UInt64(byte) } else { bits.1 |= 1 &<< UInt64(byte &- 64) }
        }
        return bits
    }

    private static func contains(_ bits: Bits, _ unit: UInt16) -> Bool {
        unit < 64 ? bits.0 &>> UInt64(unit) & 1 == 1 : unit < 128 && bits.1 &>> UInt64(unit &- 64) & 1 == 1
    }

    private static func encode(_ units: [UInt16], leaving left: Bits) -> [UInt16]? {
        var result: [UInt16] = []
        result.reserveCapacity(units.count)
        var index = 0
        while index < units.count {
            let unit = units[index]
            if contains(left, unit) {
                result.append(unit)
                index += 1
                continue
            }
            let (point, length) = CodePoints.point(in: units, at: index)
            guard let scalar = Unicode.Scalar(point) else { return nil }
            for byte in UTF8.encode(scalar) ?? .init() { append(byte, to: &result) }
            index += length
        }
        return result
    }

    private static func decode(_ units: [UInt16], preserving preserved: Bits) -> [UInt16]? {
        var result: [UInt16] = []
        result.reserveCapacity(units.count)
        var index = 0
        while index < units.count {
            guard units[index] == 0x25 else {
                result.append(units[index])
                index += 1
                continue
            }
            let start = index
            guard let first = hexadecimal(units, index + 1, 2) else { return nil }
            index += 3
            if first < 0x80 {
                if contains(preserved, first) {
                    result.append(contentsOf: units[start..<index])
                } else {
                    result.append(first)
                }
                continue
            }
            let count = (~UInt8(truncatingIfNeeded: first)).leadingZeroBitCount
            guard (2...4).contains(count) else { return nil }
            var point = UInt32(first) & (0x7F >> UInt32(count))
            for _ in 1..<count {
                guard index < units.count, units[index] == 0x25, let next = hexadecimal(units, index + 1, 2),
                    next & 0xC0 == 0x80
                else { return nil }
                point = point << 6 | UInt32(next & 0x3F)
                index += 3
            }
            // Neither longer than needed, nor half of a pair, nor beyond the last code point.
            guard point >= [0, 0, 0x80, 0x800, 0x10000][count], Unicode.Scalar(point) != nil else { return nil }
            CodePoints.append(point, to: &result)
        }
        return result
    }

    private static func hexadecimal(_ units: [UInt16], _ start: Int, _ count: Int) -> UInt16? {
        guard start + count <= units.count else { return nil }
        var value: UInt32 = 0
        for unit in units[start..<(start + count)] {
            guard let digit = CodePoints.hexadecimalDigit(unit) else { return nil }
            value = value << 4 | digit
        }
        return UInt16(truncatingIfNeeded: value)
    }

    private static func digit(_ value: UInt16) -> UInt16 {
        let value = value & 15
        return value < 10 ? value &+ 0x30 : value &+ 0x37
    }

    private static func append(_ byte: UInt8, to result: inout [UInt16]) {
        result.append(0x25)
        result.append(digit(UInt16(byte >> 4)))
        result.append(digit(UInt16(byte)))
    }
}
