extension UInt16 {
    /// The unit of a character of ASCII, as `UInt8(ascii:)` gives its byte.
    init(ascii character: Unicode.Scalar) {
        self = UInt16(UInt8(ascii: character))
    }
}
