/// Reads a server's replies out of its bytes, however those are cut (RFC 5321, 4.2).
///
///     250-mail.example.com
///     250-SIZE 1000000
///     250 STARTTLS
struct SMTPReplyParser {
    private let lineBytes: Int
    private let lineCount: Int
    private var line: [UInt8] = []
    private var code: Int?
    private var lines: [String] = []

    init(_ limits: SMTPLimits) {
        lineBytes = limits.replyLineBytes
        lineCount = limits.replyLines
    }

    /// Takes the bytes of one reply; nil when they are not all there yet, and all that came is taken.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(SMTPReplyError) -> SMTPReply? {
        while let byte = bytes.popFirst() {
            guard line.count < lineBytes else { throw .lineTooLong(limit: lineBytes) }
            line.append(byte)
            guard byte == HTTPCharacters.lineFeed else { continue }
            guard line.dropLast().last == HTTPCharacters.carriageReturn else { throw .bareLineFeed }
            if let reply = try endLine() { return reply }
        }
        return nil
    }

    private mutating func endLine() throws(SMTPReplyError) -> SMTPReply? {
        let text = line.dropLast(2)
        defer { line.removeAll(keepingCapacity: true) }
        let digits = text.prefix(3)
        guard digits.count == 3, digits.allSatisfy(HTTPCharacters.isDigit),
            let code = Int(String(decoding: digits, as: UTF8.self)), (200..<600).contains(code)
        else { throw .noCode }
        guard self.code ?? code == code else { throw .severalCodes }
        self.code = code
        guard lines.count < lineCount else { throw .tooManyLines(limit: lineCount) }
        lines.append(MailHeaderText.cleaned(String(decoding: text.dropFirst(4), as: UTF8.self)))
        switch text.dropFirst(3).first {
        case UInt8(ascii: "-"): return nil
        case nil, HTTPCharacters.space: break
        default: throw .noCode
        }
        defer { (self.code, lines) = (nil, []) }
        return SMTPReply(code: code, lines: lines)
    }
}

/// Why a server's bytes are no reply.
package enum SMTPReplyError: Error, Equatable, Sendable, CustomStringConvertible {
    case lineTooLong(limit: Int)
    case tooManyLines(limit: Int)
    case bareLineFeed
    case noCode
    case severalCodes

    package var description: String {
        switch self {
        case .lineTooLong(let limit): "a line of its reply has more than \(limit) bytes"
        case .tooManyLines(let limit): "its reply has more than \(limit) lines"
        case .bareLineFeed: "a line of its reply does not end with CRLF"
        case .noCode: "a line of its reply does not begin with a code"
        case .severalCodes: "the lines of its reply have different codes"
        }
    }
}
