import Cloud
import JSON

/// The checks that SES makes of a mail beside its content, and templates that are filled for a test.
extension MailService {
    private static let tagCharactersMax = 255
    private static let notifications = ["Bounce", "Complaint", "Delivery"]

    /// Refuses tags that are not letters, digits, `_` and `-`; their values may have `.` and `@` too.
    static func checkTags(_ input: CallInput, _ member: String) throws(OutboxError) {
        for tag in input.list(member) ?? [] {
            let (name, value) = (tag["Name"]?.string ?? "", tag["Value"]?.string ?? "")
            guard !name.isEmpty else { throw .invalid("The tag name must be specified.") }
            guard !value.isEmpty else { throw .invalid("The tag value must be specified.") }
            guard name.utf8.allSatisfy({ isPlain($0) }) else {
                throw .invalid("Invalid tag name <\(name)>: only alphanumeric ASCII characters, '_',  '-' are allowed.")
            }
            guard name.utf8.count <= tagCharactersMax else { throw .invalid("Tag name cannot exceed 255 characters.") }
            guard
                value.utf8.allSatisfy({ isPlain($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "@") })
            else {
                throw .invalid(
                    "Invalid tag value <\(value)>: only alphanumeric ASCII characters, '_',  '-' , '.', '@' are allowed."
                )
            }
            guard value.utf8.count <= tagCharactersMax else {
                throw .invalid("Tag value cannot exceed 255 characters.")
            }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    func renderedText(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let text = try await rendered(
            input.demanded("TemplateName"), with: try Self.data(input.given("TemplateData"), in: "TemplateData"))
        return JSONObject([("RenderedTemplate", .string(text))])
    }

    /// The mail that a template becomes.
    private func rendered(_ name: String, with data: JSONValue) async throws(OutboxError) -> String {
        let party: JSONValue = ["ToAddresses": ["someone@example.com"]]
        var wish = try MailWish(from: "someone@example.com", to: party, answersTo: [])
        if let problem = try ReadTemplate(try await template(name)).fill(&wish, with: data) {
            throw OutboxError("MissingRenderingAttribute", problem)
        }
        let mail = wish.outgoing(Outbox.makeIdentifier(), now: outbox.now).mail
        return String(decoding: mail ?? [], as: UTF8.self)
    }

    /// Checks a setting of notices about bounces. This server sends no such notices, so it keeps nothing.
    static func checkNotification(_ input: CallInput) throws(OutboxError) {
        let type = input.demanded("NotificationType")
        guard notifications.contains(type) else {
            throw .invalid(
                "Invalid notification type: \(type). Valid values are: \(notifications.joined(separator: ", ")).")
        }
    }
}
