import Crypto
import JSON
import Network

/// The parts of a mail beside its texts, in the newer API's form: `Headers` and `Attachments`.
struct MailExtras: Sendable {
    var fields: [MailField] = []
    var parts: [MailPart] = []

    init() {}

    /// - Parameter content: `Simple` or `Template` of a call.
    init(_ content: JSONValue) throws(OutboxError) {
        fields = try Self.fields(content["Headers"])
        guard let list = content["Attachments"], list != .null else { return }
        guard let list = list.array, list.count <= OutboxLimits.attachmentsMax else {
            throw .invalid("Attachments is a list of up to \(OutboxLimits.attachmentsMax).")
        }
        for item in list { parts.append(try Self.part(item)) }
    }

    static func fields(_ value: JSONValue?) throws(OutboxError) -> [MailField] {
        guard let value, value != .null else { return [] }
        guard let list = value.array, list.count <= OutboxLimits.headersMax else {
            throw .invalid("Headers is a list of up to \(OutboxLimits.headersMax).")
        }
        var fields: [MailField] = []
        for item in list {
            let name = item["Name"]?.string ?? ""
            do throws(MailFieldError) {
                fields.append(try MailField(name, item["Value"]?.string ?? ""))
            } catch {
                throw .invalid("Invalid header '\(MailText.shown(name))': \(error)")
            }
        }
        return fields
    }

    /// These fields stand in the place of those with the same names.
    func replacing(_ others: [MailField]) -> MailExtras {
        let names = Set(others.map { ByteText($0.name.lowercased()) })
        var extras = self
        extras.fields = fields.filter { !names.contains(ByteText($0.name.lowercased())) } + others
        return extras
    }

    var bytes: Int { parts.reduce(0) { $0 + $1.sentBytes } }

    // MARK: Attachments

    private static func part(_ item: JSONValue) throws(OutboxError) -> MailPart {
        let name = item["FileName"]?.string ?? ""
        guard (1...OutboxLimits.nameBytesMax).contains(name.utf8.count), name.unicodeScalars.allSatisfy({ $0.isShown })
        else {
            throw .invalid(
                "The name of an attachment has 1 to \(OutboxLimits.nameBytesMax) bytes, none of which controls a line.")
        }
        let content = item["RawContent"]?.string ?? ""
        guard let bytes = Base64.bytes(of: content.utf8.filter { $0 > 0x20 }, .standard) else {
            throw .invalid("The content of the attachment '\(name)' is no base64.")
        }
        var part = MailPart(name, type: try type(item.input.given("ContentType"), of: name), bytes)
        switch item.input.given("ContentDisposition") ?? "ATTACHMENT" {
        case "ATTACHMENT": break
        case "INLINE": part.isInline = true
        default: throw .invalid("ContentDisposition is ATTACHMENT or INLINE.")
        }
        switch item.input.given("ContentTransferEncoding") ?? "BASE64" {
        case "BASE64": break
        case "QUOTED_PRINTABLE": part.encoding = .quotedPrintable
        case "SEVEN_BIT":
            guard bytes.allSatisfy({ $0 > 0 && $0 < 0x80 }) else {
                throw .invalid("The attachment '\(name)' has more than seven bits.")
            }
            // Of seven bits as well, and no line of it can end the part or be too long.
            part.encoding = .quotedPrintable
        default: throw .invalid("ContentTransferEncoding is BASE64, QUOTED_PRINTABLE or SEVEN_BIT.")
        }
        part.identifier = try item.input.given("ContentId").map { text throws(OutboxError) in try identifier(text) }
        if let note = item.input.given("ContentDescription") {
            guard note.utf8.count <= OutboxLimits.noteBytesMax else {
                throw .invalid("ContentDescription has at most \(OutboxLimits.noteBytesMax) bytes.")
            }
            part.note = note
        }
        return part
    }

    /// `image/png`, `text/plain; charset=utf-8`. One that would hold parts of its own is refused: it holds bytes.
    private static func type(_ text: String?, of name: String) throws(OutboxError) -> String {
        guard let text else { return "application/octet-stream" }
        let kind = text.parts(at: ";").first ?? ""
        let words = kind.trimmingBlanks.parts(at: "/", keepingEmpty: true)
        guard text.utf8.count <= OutboxLimits.typeBytesMax, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            words.count == 2, words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isToken) }),
            words[0].lowercased() != "multipart"
        else { throw .invalid("The ContentType of the attachment '\(name)' is none.") }
        return text
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"()<>@,;:\\\"/[]?=".utf8.contains(byte)
    }

    /// With or without the signs around it.
    private static func identifier(_ text: String) throws(OutboxError) -> String {
        var bytes = text.utf8[...]
        if bytes.first == UInt8(ascii: "<"), bytes.last == UInt8(ascii: ">") { bytes = bytes.dropFirst().dropLast() }
        guard (1...OutboxLimits.typeBytesMax).contains(bytes.count),
            bytes.allSatisfy({
                (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
            })
        else {
            throw .invalid("ContentId has 1 to \(OutboxLimits.typeBytesMax) printing letters of ASCII without blanks.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Texts of callers in messages to them.
private enum MailText {
    private static let shownCharactersMax = 126

    static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(shownCharactersMax).map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
    }
}

extension Unicode.Scalar {
    /// True if it controls neither a line nor a terminal.
    var isShown: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
