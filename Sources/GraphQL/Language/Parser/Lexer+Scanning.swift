// Hot path: indentation and names are most of a document, so they are read sixteen bytes at once. Each step has a
// type of its own: where the compiler has to find types itself, it takes operators that go from byte to byte.
extension Lexer {
    /// The offset of the first byte from an offset on that is no space and no line feed.
    @inline(__always)
    static func skippingSpaces(in bytes: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int {
        var place = offset
        while let block = bytes.block(at: place) {
            let spaces: BlockMask = block .== .all(UInt8(ascii: " "))
            let lineFeeds: BlockMask = block .== .all(UInt8(ascii: "\n"))
            let both: BlockMask = spaces .| lineFeeds
            let count = leadingCount(both)
            place &+= count
            if count < 16 { return place }
        }
        while place < bytes.count, bytes[place] == UInt8(ascii: " ") || bytes[place] == UInt8(ascii: "\n") {
            place &+= 1
        }
        return place
    }

    /// The offset behind the name that starts at an offset.
    @inline(__always)
    static func endOfName(in bytes: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int {
        var place = offset
        while let block = bytes.block(at: place) {
            let count = leadingCount(nameBytes(of: block))
            place &+= count
            if count < 16 { return place }
        }
        while place < bytes.count, continuesName(bytes[place]) { place &+= 1 }
        return place
    }

    /// Which of sixteen bytes are letters, digits or underscores.
    @inline(__always)
    private static func nameBytes(of block: SIMD16<UInt8>) -> BlockMask {
        let lowercased: SIMD16<UInt8> = block | .all(0x20)
        let fromA: SIMD16<UInt8> = lowercased &- .all(UInt8(ascii: "a"))
        let letters: BlockMask = fromA .< .all(26)
        let fromZero: SIMD16<UInt8> = block &- .all(UInt8(ascii: "0"))
        let digits: BlockMask = fromZero .< .all(10)
        let underscores: BlockMask = block .== .all(UInt8(ascii: "_"))
        let lettersAndDigits: BlockMask = letters .| digits
        return lettersAndDigits .| underscores
    }

    /// How many of sixteen, from the first on, are true.
    @inline(__always)
    private static func leadingCount(_ mask: BlockMask) -> Int {
        let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        let others = ~words[0]
        if others != 0 { return others.trailingZeroBitCount &>> 3 }
        return 8 &+ (~words[1]).trailingZeroBitCount &>> 3
    }

    /// Returns whether a byte is a letter, a digit or an underscore: two sets of 64 bits, the first for ASCII below "@".
    @inline(__always)
    static func continuesName(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        let bits: UInt64 = byte < 64 ? 0x03FF_0000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
        return (bits &>> UInt64(byte & 63)) & 1 != 0
    }

    /// Returns whether a byte is a letter or an underscore.
    @inline(__always)
    static func startsName(_ byte: UInt8) -> Bool {
        guard byte >= 64, byte < 0x80 else { return false }
        return ((0x07FF_FFFE_87FF_FFFE as UInt64) &>> UInt64(byte & 63)) & 1 != 0
    }
}

private typealias BlockMask = SIMDMask<SIMD16<Int8>>

extension SIMD16<UInt8> {
    @inline(__always)
    fileprivate static func all(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }
}

extension UnsafeBufferPointer<UInt8> {
    /// The eight bytes from an offset on, the first in the lowest bits, or nil when there are not as many.
    @inline(__always)
    func word(at offset: Int) -> UInt64? {
        guard offset &+ 8 <= count else { return nil }
        return UInt64(littleEndian: UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The sixteen bytes from an offset on, or nil when there are not as many.
    @inline(__always)
    func block(at offset: Int) -> SIMD16<UInt8>? {
        guard offset &+ 16 <= count else { return nil }
        return UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    }
}
