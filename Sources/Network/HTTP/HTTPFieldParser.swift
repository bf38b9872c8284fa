/// Parses field lines, for the head of a request, of an answer, and for trailers alike.
///
/// Strict where leniency lets two readers of the same bytes disagree about where a message ends: no folded lines, no
/// blank before the colon, no stray carriage return, no control characters.
enum HTTPFieldParser {
    /// Parses the lines from the offset up to the empty line that ends them, and lowers the names in place.
    ///
    /// The bytes end with that empty line; `HTTPHeadScanner` has seen to that and to the line ends.
    static func parse(
        _ bytes: inout [UInt8], from start: Int, fieldsMax: Int
    ) throws(HTTPParseError) -> [HTTPFields.Entry] {
        var entries: [HTTPFields.Entry] = []
        entries.reserveCapacity(min(fieldsMax, 16))
        try bytes.withUnsafeMutableBufferPointer { bytes throws(HTTPParseError) in
            var offset = start
            while offset < bytes.count, bytes[offset] != HTTPCharacters.carriageReturn {
                guard entries.count < fieldsMax else {
                    throw HTTPParseError(.headTooLarge, "more than \(fieldsMax) header fields")
                }
                entries.append(try parseLine(bytes, at: &offset))
            }
            guard offset + 2 == bytes.count else { throw .malformed("a carriage return stands alone in the head") }
        }
        return entries
    }

    /// Hot path: one pass over the name, one over the value.
    private static func parseLine(
        _ bytes: UnsafeMutableBufferPointer<UInt8>, at offset: inout Int
    ) throws(HTTPParseError) -> HTTPFields.Entry {
        let count = bytes.count
        let nameStart = offset
        var place = offset
        while place < count, HTTPCharacters.isToken(bytes[place]) {
            bytes[place] = HTTPCharacters.lowercased(bytes[place])
            place += 1
        }
        let nameEnd = place
        guard nameEnd < count, bytes[nameEnd] == HTTPCharacters.colon, nameEnd > nameStart else {
            throw nameError(bytes, from: nameStart, at: place)
        }
        place += 1
        while place < count, HTTPCharacters.isBlank(bytes[place]) { place += 1 }
        let valueStart = place
        place = endOfValue(UnsafeRawBufferPointer(bytes), from: place)
        guard place + 1 < count, bytes[place] == HTTPCharacters.carriageReturn,
            bytes[place + 1] == HTTPCharacters.lineFeed
        else { throw .malformed("a header field has a control character in its value") }
        var valueEnd = place
        while valueEnd > valueStart, HTTPCharacters.isBlank(bytes[valueEnd - 1]) { valueEnd -= 1 }
        offset = place + 2
        guard offset <= HTTPFields.bytesMax else {
            throw HTTPParseError(.headTooLarge, "the head has more than \(HTTPFields.bytesMax) bytes")
        }
        return HTTPFields.Entry(
            nameStart: UInt16(nameStart), nameCount: UInt16(nameEnd - nameStart), valueStart: UInt16(valueStart),
            valueCount: UInt16(valueEnd - valueStart))
    }

    /// Where the first byte stands that a value may not hold.
    ///
    /// Hot path: eight bytes at a time, since credentials are long.
    private static func endOfValue(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while place + 8 <= bytes.count,
            HTTPCharacters.areFieldValue(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        { place += 8 }
        while place < bytes.count, HTTPCharacters.isFieldValue(bytes[place]) { place += 1 }
        return place
    }

    private static func nameError(_ bytes: UnsafeMutableBufferPointer<UInt8>, from start: Int, at offset: Int)
        -> HTTPParseError
    {
        guard offset < bytes.count else { return .malformed("a header field does not end") }
        if offset == start, HTTPCharacters.isBlank(bytes[offset]) {
            return .malformed("a header field is folded over two lines")
        }
        if HTTPCharacters.isBlank(bytes[offset]) { return .malformed("a header field has a blank before its colon") }
        return offset == start && bytes[offset] == HTTPCharacters.colon
            ? .malformed("a header field has no name") : .malformed("a header field has a bad character in its name")
    }
}
