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
        var left: Range<Int>?
        let members = try object { parser, key, members throws(JSONError) in
            guard key.utf8.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            else { return members.set(key, to: try parser.value()) }
            // Of members with the same key the last one counts, and all must be right.
            if let before = left { _ = try parser.string(at: before) }
            left = nil
            parser.skipSpace()
            if parser.current == UInt8(ascii: "\"") {
                members.remove(key)
                left = try parser.skipString()
            } else {
                members.set(key, to: try parser.value())
            }
        }
        skipSpace()
        guard index == bytes.count else { throw unexpected("the end of the text") }
        return (members, left)
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
