/// A mail as a server is handed it: from whom, to whom, and its bytes, of which the server need not understand anything.
struct SMTPEnvelope: Sendable, Equatable {
    let from: MailAddress
    let to: MailAddress
    let content: [UInt8]

    init(from: MailAddress, to: MailAddress, content: [UInt8]) {
        self.from = from
        self.to = to
        self.content = content
    }

    init(_ message: MailMessage) {
        self.init(from: message.from.address, to: message.to, content: message.bytes)
    }

    /// The bytes behind DATA: a line that begins with a dot has one more, and one dot alone is the end. A line end that is none
    /// by the standard becomes one: some servers would take it for one, and see the end of the mail where there is none.
    var data: [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(content.count + 64)
        var isLineStart = true
        var wasCarriageReturn = false
        for byte in content {
            if byte == HTTPCharacters.lineFeed, wasCarriageReturn {
                wasCarriageReturn = false
                continue
            }
            wasCarriageReturn = byte == HTTPCharacters.carriageReturn
            if wasCarriageReturn || byte == HTTPCharacters.lineFeed {
                data.append(contentsOf: "\r\n".utf8)
                isLineStart = true
                continue
            }
            if isLineStart, byte == UInt8(ascii: ".") { data.append(byte) }
            isLineStart = false
            data.append(byte)
        }
        if !isLineStart { data.append(contentsOf: "\r\n".utf8) }
        data.append(contentsOf: ".\r\n".utf8)
        return data
    }
}
