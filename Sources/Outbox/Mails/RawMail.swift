import Access
import JSON
import Network

/// A mail that the caller has put together: what its header says of who it is from and who is to read it.
struct RawMail: Sendable {
    let from: MailParty?
    let readers: [MailParty]
    let subject: String
    /// The parts that are shown to people.
    let text: String
    /// The mail without the line of those in blind copy, which no reader may see.
    let bytes: [UInt8]

    init(_ content: [UInt8]) throws(OutboxError) {
        guard content.count <= OutboxLimits.mailBytesMax else { throw MailWish.tooLong }
        var header = Header(content)
        header.removeBlindCopies()
        from = try header.value(of: "from").map { text throws(OutboxError) in try MailWish.party(text) }
        var readers: [MailParty] = []
        for text in header.readers { readers += try MailWish.parties(Self.split(text)) }
        self.readers = readers
        subject = EncodedWords.decoded(header.value(of: "subject") ?? "")
        bytes = header.bytes
        text = String(decoding: header.body.prefix(OutboxLimits.shownBytesMax), as: UTF8.self)
    }

    /// The addresses of a list: a comma in quotes or in a group of comments belongs to a name.
    static func split(_ list: String) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var isQuoted = false
        for byte in list.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ","), !isQuoted {
                parts.append(String(decoding: part, as: UTF8.self))
                part.removeAll()
            } else {
                part.append(byte)
            }
        }
        parts.append(String(decoding: part, as: UTF8.self))
        return parts.map(\.trimmingBlanks).filter { !$0.isEmpty }
    }

    /// The fields before the empty line, each with the lines that go on with it.
    private struct Header {
        private var fields: [(name: String, lines: ArraySlice<UInt8>)] = []
        private(set) var body: ArraySlice<UInt8>
        private(set) var readers: [String] = []

        init(_ content: [UInt8]) {
            var rest = content[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
                let line = rest[..<end]
                rest = rest[end...]
                guard let first = line.first, first != UInt8(ascii: "\r"), first != UInt8(ascii: "\n") else { break }
                if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t"), let last = fields.indices.last {
                    fields[last].lines = content[fields[last].lines.startIndex..<end]
                } else {
                    let name = line.prefix { $0 != UInt8(ascii: ":") }
                    fields.append((String(decoding: name, as: UTF8.self).lowercased(), line))
                }
            }
            body = rest
            readers = ["to", "cc", "bcc"].flatMap { name in fields.filter { $0.name == name }.map(Self.value) }
        }

        mutating func removeBlindCopies() { fields.removeAll { $0.name == "bcc" } }

        func value(of name: String) -> String? { fields.first { $0.name == name }.map(Self.value) }

        var bytes: [UInt8] { fields.flatMap(\.lines) + Array("\r\n".utf8) + body }

        private static func value(_ field: (name: String, lines: ArraySlice<UInt8>)) -> String {
            let text = field.lines.drop { $0 != UInt8(ascii: ":") }.dropFirst()
                .filter { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
                .map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }
            return String(decoding: text, as: UTF8.self).trimmingBlanks
        }
    }
}
