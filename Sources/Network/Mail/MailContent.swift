/// What a mail says, behind the fields that are its own: a text, a page, or both of which readers show one.
enum MailContent {
    static func append(_ text: String?, html: String?, to bytes: inout [UInt8]) {
        func line(_ text: String) { bytes.append(contentsOf: "\(text)\r\n".utf8) }
        line("MIME-Version: 1.0")
        guard let html else { return append(text ?? "", type: "text/plain", to: &bytes) }
        guard let text else { return append(html, type: "text/html", to: &bytes) }
        line("Content-Type: multipart/alternative; boundary=\"\(boundary)\"")
        line("")
        for (text, type) in [(text, "text/plain"), (html, "text/html")] {
            line("--\(boundary)")
            append(text, type: type, to: &bytes)
        }
        line("--\(boundary)--")
    }

    /// No encoded text has it: behind an equals sign stand hexadecimal digits, or the line ends.
    private static let boundary = "=_part_=_"

    private static func append(_ text: String, type: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "Content-Type: \(type); charset=utf-8\r\n".utf8)
        bytes.append(contentsOf: "Content-Transfer-Encoding: quoted-printable\r\n\r\n".utf8)
        MailQuotedPrintable.append(text, to: &bytes)
    }
}
