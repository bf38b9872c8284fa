/// The kinds of ASCII characters that names, numbers and escapes consist of. They are in this room because every room that reads bytes
/// asks for them.
extension UInt8 {
    @inlinable @inline(__always)
    package var isDigit: Bool { self &- 0x30 < 10 }

    @inlinable @inline(__always)
    package var isUppercase: Bool { self &- 0x41 < 26 }

    @inlinable @inline(__always)
    package var isLowercase: Bool { self &- 0x61 < 26 }

    @inlinable @inline(__always)
    package var isLetter: Bool { (self | 0x20).isLowercase }

    @inlinable @inline(__always)
    package var isAlphanumeric: Bool { isLetter || isDigit }

    /// A letter, a digit or `_`: `\w` of regular expressions.
    @inlinable @inline(__always)
    package var isWord: Bool { isAlphanumeric || self == 0x5F }

    /// A digit of hexadecimal numbers in lower case.
    @inlinable @inline(__always)
    package var isLowercaseHexadecimal: Bool { isDigit || self &- 0x61 < 6 }

    /// The value of a digit of hexadecimal numbers, in either case; nil for any other byte.
    @inlinable @inline(__always)
    package var hexadecimalValue: UInt8? {
        if isDigit { return self - 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }

    /// The same in lower case, where it is a letter.
    @inlinable @inline(__always)
    package var lowercased: UInt8 { isUppercase ? self | 0x20 : self }
}
