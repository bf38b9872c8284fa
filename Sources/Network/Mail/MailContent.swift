/// The content of a mail, behind its own fields: a text, a page, or both of which readers show one, and what is attached.
///
///     mixed ─┬─ related ─┬─ alternative ─┬─ text
///            │           │               └─ page
///            │           └─ what the page shows
///            └─ what is attached
enum MailContent {
    static func append(_ text: String?, html: String?, with parts: [MailPart] = [], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "MIME-Version: 1.0\r\n".utf8)
        // Without a page nothing shows them in their places.
        let shown = html == nil ? [] : parts.filter(\.isInline)
        let attached = html == nil ? parts : parts.filter { !$0.isInline }
        group("multipart/mixed", wholeBoundary, attached, to: &bytes) { bytes in
            let type = text == nil ? "text/html" : "multipart/alternative"
            group("multipart/related; type=\"\(type)\"", pageBoundary, shown, to: &bytes) { bytes in
                appendTexts(text, html: html, to: &bytes)
            }
        }
    }

    /// The content without these parts, and then these; the content alone where there are none.
    private static func group(
        _ type: String, _ boundary: String, _ parts: [MailPart], to bytes: inout [UInt8],
        behind first: (inout [UInt8]) -> Void
    ) {
        guard !parts.isEmpty else { return first(&bytes) }
        bytes.append(contentsOf: "Content-Type: \(type); boundary=\"\(boundary)\"\r\n\r\n--\(boundary)\r\n".utf8)
        first(&bytes)
        for part in parts {
            bytes.append(contentsOf: "--\(boundary)\r\n".utf8)
            part.append(to: &bytes)
        }
        bytes.append(contentsOf: "--\(boundary)--\r\n".utf8)
    }

    private static func appendTexts(_ text: String?, html: String?, to bytes: inout [UInt8]) {
        func line(_ text: String) { bytes.append(contentsOf: "\(text)\r\n".utf8) }
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

    /// No encoded text has them: behind an equals sign stand hexadecimal digits, or the line ends. None begins with another.
    private static let boundary = "=_part_=_"
    private static let pageBoundary = "=_page_=_"
    private static let wholeBoundary = "=_whole_=_"

    private static func append(_ text: String, type: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "Content-Type: \(type); charset=utf-8\r\n".utf8)
        bytes.append(contentsOf: "Content-Transfer-Encoding: quoted-printable\r\n\r\n".utf8)
        MailQuotedPrintable.append(text, to: &bytes)
    }
}
