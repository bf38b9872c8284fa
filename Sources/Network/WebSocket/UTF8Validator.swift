/// Tells whether bytes that come in pieces are UTF-8, and says no at the first byte that cannot be.
struct UTF8Validator: Sendable {
    /// Bytes that the character still needs, and what the next of them may be. The first continuation byte has narrower
    /// borders after some leading bytes: that keeps out overlong forms, surrogates, and what is beyond U+10FFFF.
    private var missing: UInt8 = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// True if no character is left in the middle.
    var isComplete: Bool { missing == 0 }

    /// A hot path: all text that comes in goes through here. ASCII is skipped eight bytes at a time.
    mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                while index &+ 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index &+= 8
                }
                guard index < bytes.count else { return true }
            }
            let byte = bytes[index]
            index &+= 1
            if missing > 0 {
                guard byte >= lowest, byte <= highest else { return false }
                missing &-= 1
                lowest = 0x80
                highest = 0xBF
            } else if byte >= 0x80 {
                guard begins(with: byte) else { return false }
            }
        }
        return true
    }

    private mutating func begins(with lead: UInt8) -> Bool {
        switch lead {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            if lead == 0xE0 { lowest = 0xA0 }
            if lead == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if lead == 0xF0 { lowest = 0x90 }
            if lead == 0xF4 { highest = 0x8F }
        default: return false
        }
        return true
    }
}
