// Between two strings, `==` and what follows from it compare bytes in every room that imports this one, as `ByteText` does.
//
// These hide what Swift's library has under the same names, where the types are written out: strings, optional strings
// and lists of strings. They cannot reach where the library compares by itself: in the `==` and the hash that a type with a
// string in it is given, in `Set<String>` and `Dictionary<String, …>`. Those hold `ByteText`. What of the library is used
// nevertheless, `scripts/text-comparisons` finds in the compiled code.

extension String {
    @inlinable
    package static func == (left: String, right: String) -> Bool { ByteText(left) == ByteText(right) }
    package static func != (left: String, right: String) -> Bool { !(ByteText(left) == ByteText(right)) }
    package static func < (left: String, right: String) -> Bool { ByteText(left) < ByteText(right) }
    package static func ~= (pattern: String, text: String) -> Bool { ByteText(pattern) == ByteText(text) }

    package func hasPrefix(_ start: String) -> Bool { utf8.starts(with: start.utf8) }
    package func hasSuffix(_ end: String) -> Bool { utf8.reversed().starts(with: end.utf8.reversed()) }

    /// Returns whether the bytes of another text stand somewhere in this one.
    package func contains(bytesOf part: String) -> Bool {
        part.isEmpty || utf8.indices.contains { utf8[$0...].starts(with: part.utf8) }
    }

    /// The number that this text is: digits and nothing else, where `Int(_:)` takes a sign as well.
    package var plainNumber: Int64? {
        (1...18).contains(utf8.count) && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? Int64(self) : nil
    }

    /// The folder of this path: "." where it names none, "/" at the root.
    package var folderOfPath: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == utf8.startIndex ? "/" : String(self[..<slash])
    }

    /// The parts between blanks.
    package var words: [String] { utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) } }

    /// The parts between separators, empty ones among them. Never empty itself.
    package func parts(separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = utf8[...]
        let mark = Array(separator.utf8)
        var start = rest.startIndex
        while let place = rest.firstIndex(where: { $0 == mark.first }) {
            guard rest[place...].starts(with: mark) else {
                rest = rest[rest.index(after: place)...]
                continue
            }
            parts.append(String(self[start..<place]))
            rest = rest[rest.index(place, offsetBy: mark.count)...]
            start = rest.startIndex
        }
        return parts + [String(self[start...])]
    }

    /// The text with another in each place where some bytes stand.
    package func replacing(bytesOf part: String, with other: String) -> String {
        parts(separatedBy: part).joined(separator: other)
    }

    /// The first place where the bytes of another text stand.
    package func range(ofBytesOf part: String) -> Range<Index>? { self[...].range(ofBytesOf: part) }
}

extension Substring {
    /// The first place where the bytes of another text stand.
    package func range(ofBytesOf part: String) -> Range<Index>? {
        var rest = utf8
        while let first = part.utf8.first, let start = rest.firstIndex(of: first) {
            if rest[start...].starts(with: part.utf8) {
                return start..<rest.index(start, offsetBy: part.utf8.count)
            }
            rest = rest[rest.index(after: start)...]
        }
        return nil
    }
}

extension Optional where Wrapped == String {
    package static func == (left: String?, right: String?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): ByteText(left) == ByteText(right)
        case (nil, nil): true
        default: false
        }
    }

    package static func != (left: String?, right: String?) -> Bool { !(left == right) }
    package static func ~= (pattern: String?, text: String?) -> Bool { pattern == text }

    // With a text beside an optional one, often a literal, the library's would be nearer than those above.

    package static func == (left: String?, right: String) -> Bool {
        left.map { ByteText($0) == ByteText(right) } ?? false
    }
    package static func != (left: String?, right: String) -> Bool { !(left == right) }
    package static func ~= (pattern: String, text: String?) -> Bool { text == pattern }
}

extension Array where Element == String {
    package static func == (left: [String], right: [String]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { ByteText($0) == ByteText($1) }
    }

    package static func != (left: [String], right: [String]) -> Bool { !(left == right) }
}

extension Sequence where Element == String {
    @inlinable
    package func contains(_ text: String) -> Bool { contains { ByteText($0) == ByteText(text) } }
}

extension Collection where Element == String {
    @inlinable
    package func firstIndex(of text: String) -> Index? { firstIndex { ByteText($0) == ByteText(text) } }
}

extension Set where Element == String {
    /// Returns whether a text is one of these, by its bytes: what follows from `Sequence` would look through all of them.
    ///
    /// Among texts that Unicode calls equal a set has one, so it is found by Unicode's hash and compared.
    package func contains(_ text: String) -> Bool { Self.kept(text, in: self).map { $0 == text } ?? false }

    /// Generic, so that it is the set's own look-up.
    private static func kept<Text: Hashable>(_ text: Text, in texts: Set<Text>) -> Text? {
        texts.firstIndex(of: text).map { texts[$0] }
    }
}
