/// Texts as lines of printing ASCII (RFC 2045, 6.7): most stays readable, "=C3=A9" is "é".
enum MailQuotedPrintable {
    /// The most characters of a line, without its end.
    static let lineBytesMax = 76

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Appends the text with its lines ended by CRLF, whatever they ended with, the last one too.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var line: [UInt8] = []
        var wasCarriageReturn = false
        for byte in text.utf8 {
            switch byte {
            case HTTPCharacters.carriageReturn:
                endLine(&line, in: &bytes)
                wasCarriageReturn = true
                continue
            case HTTPCharacters.lineFeed: if !wasCarriageReturn { endLine(&line, in: &bytes) }
            default: line.append(byte)
            }
            wasCarriageReturn = false
        }
        if !line.isEmpty { endLine(&line, in: &bytes) }
    }

    /// Appends bytes of which each is to stay, the ends of lines too.
    static func append(whole content: [UInt8], to bytes: inout [UInt8]) {
        append(content, to: &bytes) { _, byte in isPlain(byte) }
    }

    /// Appends a line, in as many as it takes.
    private static func append(
        _ line: [UInt8], to bytes: inout [UInt8], isPlain: (_ place: Int, _ byte: UInt8) -> Bool
    ) {
        var column = 0
        for (place, byte) in line.enumerated() {
            let isPlain = isPlain(place, byte)
            let count = isPlain ? 1 : 3
            // One place is for the sign that the line goes on.
            if column + count > lineBytesMax - 1 {
                bytes.append(contentsOf: "=\r\n".utf8)
                column = 0
            }
            if isPlain { bytes.append(byte) } else { appendEscape(of: byte, to: &bytes) }
            column += count
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    /// Returns whether it is written as it is, wherever it stands.
    static func isPlain(_ byte: UInt8) -> Bool { HTTPCharacters.isTarget(byte) && byte != UInt8(ascii: "=") }

    static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "="))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
    }

    private static func endLine(_ line: inout [UInt8], in bytes: inout [UInt8]) {
        let last = line.count - 1
        // A blank at the end of a line is lost on its way.
        append(line, to: &bytes) { place, byte in isPlain(byte) || HTTPCharacters.isBlank(byte) && place < last }
        line.removeAll(keepingCapacity: true)
    }
}
