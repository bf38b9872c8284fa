/// A text of at most fifteen bytes of ASCII, in two words.
///
///     "nextToken"    n e x t T o k e | n 0 0 0 0 0 0 9      the last byte is the length
///
/// Hot path: nearly all names are that short, and a tree of selections that keeps them in its nodes makes no string for a
/// name before somebody asks for it.
struct SmallText: BitwiseCopyable {
    /// The first eight bytes, from the lowest on; behind the text, zeros. Or a number, see `init(numbered:)`.
    let first: UInt64
    private let second: UInt64

    static let lengthMax = 15
    static let empty = SmallText(0, 0, length: 0)
    /// Beside the length in a text, so that no text is all zeros there.
    private static let isText: UInt64 = 0x80

    /// A text of a length up to `lengthMax`: the first eight bytes, the others, and zeros behind them.
    @inline(__always)
    init(_ first: UInt64, _ second: UInt64, length: Int) {
        self.first = first
        self.second = second | (Self.isText | UInt64(truncatingIfNeeded: length)) << 56
    }

    /// Not a text but a number, for who keeps longer texts elsewhere.
    init(numbered number: Int) {
        first = UInt64(number)
        second = 0
    }

    /// True if it is a text.
    @inline(__always)
    var isSmall: Bool { second >> 56 != 0 }

    /// The string of a text.
    @inline(__always)
    var string: String {
        let length = Int(truncatingIfNeeded: second >> 56 & 0xF)
        // Room for both words, whatever the length, so that nothing is copied byte by byte.
        return String(unsafeUninitializedCapacity: Self.lengthMax) { buffer in
            withUnsafeBytes(of: (first.littleEndian, second.littleEndian)) { bytes in
                UnsafeMutableRawBufferPointer(buffer).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[..<Self.lengthMax]))
            }
            return length
        }
    }
}
