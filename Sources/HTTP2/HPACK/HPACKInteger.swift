/// Numbers of RFC 7541, section 5.1: a few bits of the first byte, and seven of each one behind it where they do not fit.
enum HPACKInteger {
    /// Numbers with more bytes than this behind the first are not meant.
    private static let continuationBytesMax = 4

    static func decode(
        _ bytes: UnsafeRawBufferPointer, at position: inout Int, prefixBits: Int
    ) throws(HPACKError) -> Int {
        guard position < bytes.count else { throw .truncated }
        let mask = (1 << prefixBits) - 1
        var value = Int(bytes[position]) & mask
        position += 1
        guard value == mask else { return value }
        for place in 0..<continuationBytesMax {
            guard position < bytes.count else { throw .truncated }
            let byte = bytes[position]
            position += 1
            value += Int(byte & 0x7F) << (7 * place)
            if byte & 0x80 == 0 { return value }
        }
        throw .numberTooLarge
    }

    /// Appends a number. `pattern` has the bits before its prefix.
    static func append(_ value: Int, prefixBits: Int, pattern: UInt8, to output: inout [UInt8]) {
        let mask = (1 << prefixBits) - 1
        guard value >= mask else {
            output.append(pattern | UInt8(truncatingIfNeeded: value))
            return
        }
        output.append(pattern | UInt8(truncatingIfNeeded: mask))
        var rest = value - mask
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }
}
