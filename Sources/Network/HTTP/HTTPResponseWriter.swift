/// Writes the heads of answers. Hot path: bytes are appended to the connection's buffer, nothing is made on the way.
struct HTTPResponseWriter {
    /// How the end of the body is made known to the client.
    enum Framing {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    /// The field that carries the request's identifier back.
    let identifierField: StaticString

    func appendHead(
        _ status: HTTPStatus, _ fields: HTTPFieldLines, framing: Framing, keepsAlive: Bool, minorVersion: Int,
        identifier: RequestIdentifier, date: [UInt8], to buffer: inout [UInt8]
    ) {
        if status != .ok { appendStatusLine(status, to: &buffer) }
        let linesMax = date.count + fields.bytes.count + identifierField.utf8CodeUnitCount
        buffer.append(piecesOf: Self.ownBytesMax + linesMax) { pieces in
            if status == .ok { pieces.append(Self.okLine) }
            pieces.append(date)
            pieces.append(fields.bytes)
            pieces.append(identifierField)
            pieces.append(": ")
            identifier.append(to: &pieces)
            switch framing {
            case .none, .untilClose:
                pieces.append("\r\n")
            case .length(let count):
                pieces.append("\r\ncontent-length: ")
                pieces.append(decimal: UInt64(clamping: count))
                pieces.append("\r\n")
            case .chunked:
                pieces.append("\r\ntransfer-encoding: chunked\r\n")
            }
            if !keepsAlive {
                pieces.append("connection: close\r\n")
            } else if minorVersion == 0 {
                pieces.append("connection: keep-alive\r\n")
            }
            pieces.append("\r\n")
        }
    }

    private static let okLine: StaticString = "HTTP/1.1 200 OK\r\n"
    /// The bytes of a head beside its fields, whatever is said in it.
    private static let ownBytesMax = 192

    /// The fields of an answer as lines, for a protocol that puts them into frames.
    func lines(
        _ response: HTTPResponse, framing: Framing, identifier: RequestIdentifier, date: [UInt8]
    ) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(response.fields.bytes.count + date.count + 128)
        lines += date
        lines += response.fields.bytes
        append(identifierField, to: &lines)
        append(": ", to: &lines)
        identifier.append(to: &lines)
        append("\r\n", to: &lines)
        if case .length(let count) = framing {
            append("content-length: ", to: &lines)
            lines.append(piecesOf: BytePieces.decimalMax) { $0.append(decimal: UInt64(clamping: count)) }
            append("\r\n", to: &lines)
        }
        return lines
    }

    /// The head of "101 Switching Protocols".
    func appendUpgrade(_ fields: HTTPFieldLines, identifier: RequestIdentifier, to buffer: inout [UInt8]) {
        appendStatusLine(HTTPStatus(code: 101), to: &buffer)
        buffer.append(contentsOf: fields.bytes)
        append(identifierField, to: &buffer)
        append(": ", to: &buffer)
        identifier.append(to: &buffer)
        append("\r\n\r\n", to: &buffer)
    }

    func appendContinue(to buffer: inout [UInt8]) {
        append("HTTP/1.1 100 Continue\r\n\r\n", to: &buffer)
    }

    private func appendStatusLine(_ status: HTTPStatus, to buffer: inout [UInt8]) {
        append("HTTP/1.1 ", to: &buffer)
        buffer.append(piecesOf: BytePieces.decimalMax) { $0.append(decimal: UInt64(clamping: status.code)) }
        buffer.append(HTTPCharacters.space)
        buffer.append(contentsOf: status.reason.utf8)
        append("\r\n", to: &buffer)
    }

    @inline(__always)
    private func append(_ text: StaticString, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A piece of a chunked body with its size before it.
    static func append(chunk: [UInt8], to buffer: inout [UInt8]) {
        buffer.append(contentsOf: String(chunk.count, radix: 16).utf8)
        buffer.append(HTTPCharacters.carriageReturn)
        buffer.append(HTTPCharacters.lineFeed)
        buffer.append(contentsOf: chunk)
        buffer.append(HTTPCharacters.carriageReturn)
        buffer.append(HTTPCharacters.lineFeed)
    }

    static let lastChunk: [UInt8] = Array("0\r\n\r\n".utf8)
}
