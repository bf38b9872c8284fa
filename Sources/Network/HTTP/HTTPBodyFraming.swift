/// How the end of a message's body is found (RFC 9112, section 6).
package enum HTTPBodyFraming: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
    /// Of answers only: the body ends with the connection.
    case untilClose
}

extension HTTPBodyFraming {
    /// The framing that the fields ask for, or nil when they say nothing.
    ///
    /// Everything that two readers could understand in two ways is refused: a length beside a transfer coding, a
    /// length given twice (even the same), any coding but `chunked` alone.
    init?(_ fields: HTTPFields, minorVersion: Int) throws(HTTPParseError) {
        var length: Int?
        var isChunked = false
        for entry in fields.entries {
            if fields.isName(entry, "content-length") {
                guard length == nil else { throw .malformed("content-length is given twice") }
                length = try Self.length(fields.value(of: entry))
            } else if fields.isName(entry, "transfer-encoding") {
                guard !isChunked else { throw .malformed("transfer-encoding is given twice") }
                guard HTTPFields.isEqual(fields.value(of: entry), "chunked") else {
                    throw HTTPParseError(.notImplemented, "the only transfer-encoding served is chunked")
                }
                isChunked = true
            }
        }
        if isChunked {
            guard length == nil else { throw .malformed("content-length and transfer-encoding exclude each other") }
            guard minorVersion >= 1 else { throw .malformed("transfer-encoding does not exist in HTTP/1.0") }
            self = .chunked
        } else if let length {
            self = .length(length)
        } else {
            return nil
        }
    }

    /// Digits of a length: more than any length that can be served, and no overflow.
    private static let lengthDigitsMax = 18

    private static func length(_ digits: ArraySlice<UInt8>) throws(HTTPParseError) -> Int {
        guard !digits.isEmpty, digits.allSatisfy(HTTPCharacters.isDigit) else {
            throw .malformed("content-length is not a number")
        }
        guard digits.count <= lengthDigitsMax else {
            throw HTTPParseError(.contentTooLarge, "content-length has too many digits")
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
