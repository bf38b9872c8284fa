import Glibc

/// A text from outside, such as a request's, a token's or a record's: equal to another one only if their bytes of UTF-8 are.
///
/// Swift's `String` calls two texts equal that Unicode calls equivalent. `é` may be one character or two, and the sign for
/// kelvin is a K: a user with such a name would be somebody else, and own what is theirs. Whoever compares, hashes or
/// sorts texts from outside does so by this type; `String+Bytes.swift` makes `==` between strings mean the same.
@usableFromInline
package struct ByteText: Sendable {
    @usableFromInline package let string: String

    @inlinable
    package init(_ string: String) {
        self.string = string
    }

    package init(_ part: Substring) {
        string = String(part)
    }
}

extension ByteText: Hashable {
    /// Hot path: every decision about a caller, every member of an object that is looked up and every value of a filter
    /// comes here. Texts of other lengths are told apart where the question is asked, and so are those whose two words are the same:
    /// nearly all names fit into them. No bytes are copied.
    @inlinable
    package static func == (left: ByteText, right: ByteText) -> Bool {
        let count = left.string.utf8.count
        guard count == right.string.utf8.count else { return false }
        let (one, other) = (left.words, right.words)
        return one == other || left.hasBytes(of: right, count)
    }

    /// The string itself: its bytes where it is short, or where they are. The same words are the same text; other words say nothing.
    @inlinable @inline(__always)
    var words: (UInt64, UInt64) { unsafeBitCast(string, to: (UInt64, UInt64).self) }

    @usableFromInline
    func hasBytes(of other: ByteText, _ count: Int) -> Bool {
        let areSame = string.utf8.withContiguousStorageIfAvailable { one in
            other.string.utf8.withContiguousStorageIfAvailable { other in
                guard let one = one.baseAddress, let other = other.baseAddress else { return true }
                return memcmp(one, other, count) == 0
            }
        }
        // Texts that are not in one piece, which Swift's own always are.
        return (areSame ?? nil) ?? string.utf8.elementsEqual(other.string.utf8)
    }

    @inlinable
    package func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No byte of UTF-8: where one text ends is a part of what is hashed.
        hasher.combine(0xFF as UInt8)
    }
}

extension ByteText: Comparable {
    /// By bytes, which is the order of Unicode's numbers.
    @usableFromInline
    package static func < (left: ByteText, right: ByteText) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }
}

extension ByteText: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    @usableFromInline
    package init(stringLiteral string: String) {
        self.string = string
    }
}

extension ByteText: CustomStringConvertible, CustomDebugStringConvertible {
    @usableFromInline package var description: String { string }
    @usableFromInline package var debugDescription: String { string.debugDescription }
}

// Dictionaries and sets of such texts are asked with ordinary ones. Inlinable: what is generic costs several times as much where
// a room calls it that cannot see it.

extension Dictionary where Key == ByteText {
    @inlinable
    package init(texts pairs: some Sequence<(String, Value)>, uniquingKeysWith combine: (Value, Value) -> Value) {
        self.init(pairs.lazy.map { (ByteText($0), $1) }, uniquingKeysWith: combine)
    }

    @inlinable
    package subscript(key: String) -> Value? {
        get { self[ByteText(key)] }
        set { self[ByteText(key)] = newValue }
    }

    @inlinable
    package subscript(key: String, default value: @autoclosure () -> Value) -> Value {
        get { self[ByteText(key), default: value()] }
        _modify { yield &self[ByteText(key), default: value()] }
    }
}

extension Set where Element == ByteText {
    @inlinable
    package init(texts: some Sequence<String>) {
        self.init(texts.lazy.map { ByteText($0) })
    }

    @inlinable
    package func contains(_ text: String) -> Bool { contains(ByteText(text)) }

    /// Returns whether the text is new here.
    @discardableResult
    @inlinable
    package mutating func add(_ text: String) -> Bool { insert(ByteText(text)).inserted }
}

extension Sequence where Element == String {
    /// Each text once, in the order of their first places.
    @inlinable
    package func eachOnce() -> [String] {
        var seen: Set<ByteText> = []
        return filter { seen.add($0) }
    }
}
