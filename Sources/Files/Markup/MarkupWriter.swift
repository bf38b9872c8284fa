import JSON

/// Writes XML to the end of its bytes. Names are those of this program; every text is escaped here and nowhere else, so what
/// comes out is well-formed whatever the texts are.
package struct MarkupWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    /// The namespace of what S3 answers.
    static let namespace: StaticString = "http://s3.amazonaws.com/doc/2006-03-01/"

    /// A document with an outermost element of that name, mostly in the namespace of S3.
    static func document(
        _ name: StaticString, inNamespace: Bool = true, _ content: (inout MarkupWriter) -> Void
    ) -> [UInt8] {
        var writer = MarkupWriter()
        writer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<")
        writer.append(name)
        if inNamespace {
            writer.append(" xmlns=\"")
            writer.append(namespace)
            writer.append("\"")
        }
        writer.append(">")
        content(&writer)
        writer.close(name)
        return writer.bytes
    }

    /// An element with others in it.
    mutating func element(_ name: StaticString, _ content: (inout MarkupWriter) -> Void) {
        open(name)
        content(&self)
        close(name)
    }

    /// A text in the element that is open.
    mutating func text(_ text: String) { MarkupCharacters.append(text, to: &bytes) }

    /// An element with a text in it.
    mutating func element(_ name: StaticString, _ text: String) {
        open(name)
        MarkupCharacters.append(text, to: &bytes)
        close(name)
    }

    /// The same, left out where there is no text.
    mutating func element(_ name: StaticString, ifAny text: String?) {
        if let text { element(name, text) }
    }

    mutating func element(_ name: StaticString, _ number: Int64) {
        open(name)
        JSONWriter.writeInteger(number, to: &bytes)
        close(name)
    }

    mutating func element(_ name: StaticString, _ number: Int) { element(name, Int64(number)) }

    mutating func element(_ name: StaticString, _ answer: Bool) {
        open(name)
        append(answer ? "true" : "false")
        close(name)
    }

    mutating func element(_ name: StaticString, _ time: Timestamp) {
        open(name)
        time.append(to: &bytes)
        close(name)
    }

    /// An entity tag, which is known without quotes and written in them.
    mutating func element(_ name: StaticString, etag: String) {
        open(name)
        append("&quot;")
        MarkupCharacters.append(etag, to: &bytes)
        append("&quot;")
        close(name)
    }

    /// A text that is written in escapes where a list was asked for that way.
    mutating func element(_ name: StaticString, _ key: String, isURLEncoded: Bool) {
        element(name, isURLEncoded ? MarkupCharacters.percentEncoded(key) : key)
    }

    /// An element whose name is known only while the server runs, such as that of a checksum's algorithm.
    mutating func element(named name: String, _ text: String) {
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) || (0x30...0x39).contains($0) })
        else { return }
        append("<")
        bytes.append(contentsOf: name.utf8)
        append(">")
        MarkupCharacters.append(text, to: &bytes)
        append("</")
        bytes.append(contentsOf: name.utf8)
        append(">")
    }

    private mutating func open(_ name: StaticString) {
        append("<")
        append(name)
        append(">")
    }

    private mutating func close(_ name: StaticString) {
        append("</")
        append(name)
        append(">")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }
}
