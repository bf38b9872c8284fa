/// The head of an answer that a client receives: status and header fields.
package struct HTTPResponseHead: Sendable {
    package let status: HTTPStatus
    package let fields: HTTPFields
    package let framing: HTTPBodyFraming
    /// True if the connection can carry another request behind this answer.
    package let isKeptAlive: Bool

    /// Parses a head whose end has been found. `isBodiless` for the answer to HEAD, which has the fields of a body
    /// and none.
    init(parsing whole: some Collection<UInt8>, isBodiless: Bool, limits: HTTPLimits) throws(HTTPParseError) {
        var bytes = Array(whole)
        let line = try HTTPStatusLine(parsing: bytes)
        let entries = try HTTPFieldParser.parse(&bytes, from: line.end, fieldsMax: limits.headFields)
        fields = HTTPFields(storage: bytes, entries: entries)
        status = line.status
        let framing = try HTTPBodyFraming(fields, minorVersion: line.minorVersion)
        self.framing = isBodiless || status.isBodiless ? .none : framing ?? .untilClose
        isKeptAlive =
            self.framing != .untilClose
            && (line.minorVersion >= 1
                ? !fields.list("connection", contains: "close") : fields.list("connection", contains: "keep-alive"))
    }
}

/// The first line of an answer (RFC 9112, section 4).
struct HTTPStatusLine {
    let status: HTTPStatus
    let minorVersion: Int
    /// Where the header fields begin.
    let end: Int

    init(parsing bytes: [UInt8]) throws(HTTPParseError) {
        let lineEnd = bytes.firstIndex(of: HTTPCharacters.lineFeed) ?? bytes.endIndex
        let line = bytes[..<lineEnd].dropLast()
        // "HTTP/1.1 200", and what is behind it is for people.
        guard line.count >= 12, line.starts(with: "HTTP/1.".utf8), line[8] == HTTPCharacters.space,
            line[9...11].allSatisfy(HTTPCharacters.isDigit), line.count == 12 || line[12] == HTTPCharacters.space,
            line[12...].allSatisfy(HTTPCharacters.isFieldValue)
        else { throw .malformed("the answer does not start with an HTTP/1 status line") }
        guard line[7] == UInt8(ascii: "0") || line[7] == UInt8(ascii: "1") else {
            throw .malformed("the answer is neither HTTP/1.1 nor HTTP/1.0")
        }
        let code = line[9...11].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard (100...599).contains(code) else { throw .malformed("the answer's status is not between 100 and 599") }
        minorVersion = Int(line[7] - 0x30)
        status = HTTPStatus(code: code)
        end = lineEnd + 1
    }
}
