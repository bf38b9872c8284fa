/// The bits of a string of at most fifteen bytes of ASCII, which a string holds in itself.
///
///     "nextToken"    n e x t T o k e | n 0 0 0 0 0 0 E9      two words; the last byte is 0xE0 and the length
///
/// Hot path: nearly all names are that short. Making their strings by the standard library, which checks that they are
/// UTF-8, took longer than finding them; and bits need no counting of references. If a standard library ever lays strings
/// out in another way, `isKnown` is false, and the parser makes its strings as everybody else does.
struct SmallText: BitwiseCopyable {
    /// The first eight bytes, from the lowest on; behind the text, zeros. Or a number, see `init(numbered:)`.
    let first: UInt64
    private let second: UInt64

    static let lengthMax = 15
    static let empty = SmallText(0, 0, length: 0)

    /// A text of a length up to `lengthMax`: the first eight bytes, the others, and zeros behind them.
    @inline(__always)
    init(_ first: UInt64, _ second: UInt64, length: Int) {
        self.first = first
        self.second = second | (0xE0 | UInt64(truncatingIfNeeded: length)) << 56
    }

    /// Not a text but a number, for who keeps longer texts elsewhere.
    init(numbered number: Int) {
        first = UInt64(number)
        second = 0
    }

    /// Whether it is a text.
    @inline(__always)
    var isSmall: Bool { second >> 56 != 0 }

    /// The string of a text. Only when the layout `isKnown`.
    @inline(__always)
    static func string(_ text: SmallText) -> String { unsafeBitCast(text, to: String.self) }

    /// Whether strings are laid out as this file says. Only looks at bits, so it may be asked with any layout.
    static let isKnown: Bool = {
        guard MemoryLayout<String>.size == MemoryLayout<SmallText>.size else { return false }
        return ["", "a", "12345678", "nextToken", "123456789012345"].allSatisfy { sample in
            var bytes = Array(sample.utf8)
            // Made when the program runs, as the strings of a document are.
            let made = String(decoding: bytes, as: UTF8.self)
            let length = bytes.count
            bytes += Array(repeating: 0, count: 16 - length)
            bytes[15] = 0xE0 | UInt8(length)
            return withUnsafeBytes(of: made) { $0.elementsEqual(bytes) }
        }
    }()
}
