#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reading an object without reading one of its members.
extension JSONParser {
    /// The whole text, which must be an object.
    ///
    /// Hot path: every request comes with the text of its operation, which was read and planned long ago.
    mutating func document(leaving name: StaticString) throws(JSONError) -> (members: JSONObject, left: Range<Int>?) {
        guard bytes.count <= limits.bytesMax else {
            throw beyond("at most \(limits.bytesMax) bytes", found: "\(bytes.count)", at: limits.bytesMax)
        }
        skipByteOrderMark()
        skipSpace()
        guard current == UInt8(ascii: "{") else { throw unexpected("an object") }
        var members = JSONObject()
        var left: Range<Int>?
        try self.members { parser throws(JSONError) in
            if try parser.skipKey(name) {
                left = try parser.member(name, left, &members)
            } else {
                let key = try parser.key()
                if key.utf8.count == name.utf8CodeUnitCount, key == name.description {
                    left = try parser.member(name, left, &members)
                } else {
                    members.set(key, to: try parser.value())
                }
            }
        }
        skipSpace()
        guard index == bytes.count else { throw unexpected("the end of the text") }
        return (members, left)
    }

    /// The value that is left where it is a string, and otherwise becomes a member.
    private mutating func member(
        _ name: StaticString, _ before: Range<Int>?, _ members: inout JSONObject
    ) throws(JSONError) -> Range<Int>? {
        // Of members with the same key the last one counts, and all must be right.
        if let before { _ = try string(at: before) }
        skipSpace()
        guard current == UInt8(ascii: "\"") else {
            members.set(name.description, to: try value())
            return nil
        }
        if !members.isEmpty { members.remove(name.description) }
        return try skipString()
    }

    /// Steps over a key and its colon where it is that name, written without escapes. No text is made of it.
    private mutating func skipKey(_ name: StaticString) throws(JSONError) -> Bool {
        skipSpace()
        let count = name.utf8CodeUnitCount
        guard current == UInt8(ascii: "\""), bytes.count - index >= count + 2,
            bytes[index + count + 1] == UInt8(ascii: "\""),
            let start = bytes.baseAddress, memcmp(start + index + 1, name.utf8Start, count) == 0
        else { return false }
        index += count + 2
        skipSpace()
        guard skip(UInt8(ascii: ":")) else { throw unexpected("a colon") }
        return true
    }

    /// The string whose characters stand there. The place in the text stays where it is.
    mutating func string(at range: Range<Int>) throws(JSONError) -> String {
        let place = index
        defer { index = place }
        index = range.lowerBound - 1
        let text = try string()
        guard index == range.upperBound + 1 else { throw unexpected("the end of the string") }
        return text
    }

    /// Steps over a string without a look at its escapes, and says where its characters are.
    private mutating func skipString() throws(JSONError) -> Range<Int> {
        index += 1
        let start = index
        while true {
            skipPlain()
            guard index < bytes.count else { throw unexpected("the double quote that ends a string") }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return start..<(index - 1)
            case UInt8(ascii: "\\"): index += 2
            default: throw unexpected("an escape such as \\n or \\u000a in place of a control character")
            }
        }
    }
}
