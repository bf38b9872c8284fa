import Cloud
import Crypto
import JSON
import Network

/// SES, as both of its APIs call it: the older one by the names of actions, the newer one by paths.
package struct MailService: Sendable {
    let outbox: Outbox

    package init(_ outbox: Outbox) { self.outbox = outbox }

    // MARK: Sending

    func send(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        try Self.checkTags(input, "Tags")
        var wish = try wish(input)
        try wish.read(input.json["Message"] ?? .null)
        return try await send(wish)
    }

    func send(_ wish: MailWish, problem: String? = nil) async throws(OutboxError) -> JSONObject {
        let id = Outbox.makeIdentifier()
        var letter = wish.outgoing(id, now: outbox.now)
        letter.problem = problem
        try await outbox.queue([letter])
        return JSONObject([("MessageId", .string(id))])
    }

    private func wish(_ input: CallInput) throws(OutboxError) -> MailWish {
        try MailWish(
            from: input.demanded("Source"), to: input.value("Destination"),
            answersTo: input.texts("ReplyToAddresses") ?? [])
    }

    func sendRaw(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        try Self.checkTags(input, "Tags")
        return try await sendRaw(
            input.json["RawMessage"]?["Data"]?.string ?? "", source: input.given("Source"),
            to: input.texts("Destinations") ?? [])
    }

    /// - Parameter readers: who is to read it; nobody: whom its header names.
    func sendRaw(_ data: String, source: String?, to readers: [String]) async throws(OutboxError) -> JSONObject {
        guard let bytes = Base64.bytes(of: data.utf8.filter { $0 > 0x20 }, .standard) else {
            throw OutboxError("SerializationException", "The raw message is no base64.")
        }
        let mail = try RawMail(bytes)
        guard let from = try source.map({ text throws(OutboxError) in try MailWish.party(text) }) ?? mail.from else {
            throw .invalid("Missing required header 'From'.")
        }
        let named = readers.isEmpty ? mail.readers : try MailWish.parties(readers)
        guard !named.isEmpty else { throw .invalid("Missing required header 'To'.") }
        guard named.count <= OutboxLimits.readersMax else {
            throw .invalid("Recipient count exceeds \(OutboxLimits.readersMax).")
        }
        let id = Outbox.makeIdentifier()
        try await outbox.queue([
            OutgoingLetter(
                id: id, service: "ses", medium: .email, sender: from.description, readers: named.map(\.address.text),
                subject: mail.subject, text: mail.text, mail: mail.bytes)
        ])
        return JSONObject([("MessageId", .string(id))])
    }

    // MARK: Templates

    func sendByTemplate(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        try Self.checkTags(input, "Tags")
        var wish = try wish(input)
        let template = try await template(input.demanded("Template"))
        let problem = try ReadTemplate(template).fill(
            &wish, with: try Self.data(input.given("TemplateData"), in: "TemplateData"))
        return try await send(wish, problem: problem)
    }

    func sendToMany(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let template = try await template(input.demanded("Template"))
        let usual = try Self.data(input.given("DefaultTemplateData"), in: "DefaultTemplateData")
        let states = try await sendToMany(
            input.list("Destinations") ?? [], from: input.demanded("Source"),
            answersTo: input.texts("ReplyToAddresses") ?? [], template, usual
        ) { item throws(OutboxError) in
            try Self.data(item.input.given("ReplacementTemplateData"), in: "ReplacementTemplateData")
        }
        return JSONObject([("Status", .array(states.map { .object($0.state(success: "Success", failure: "Failed")) }))])
    }

    /// The outcome of one mail of many.
    struct BulkState: Sendable {
        let id: String?
        let error: String?

        func state(success: String, failure: String) -> JSONObject {
            guard let id else { return JSONObject([("Status", .string(failure)), ("Error", .string(error ?? ""))]) }
            return JSONObject([("Status", .string(success)), ("MessageId", .string(id))])
        }
    }

    func sendToMany(
        _ destinations: [JSONValue], from source: String, answersTo: [String], _ template: StoredTemplate,
        _ usual: JSONValue, extras: (JSONValue) throws(OutboxError) -> MailExtras = { _ in MailExtras() },
        data: (JSONValue) throws(OutboxError) -> JSONValue
    ) async throws(OutboxError) -> [BulkState] {
        guard (1...OutboxLimits.bulkMax).contains(destinations.count) else {
            throw .invalid("A call has 1 to \(OutboxLimits.bulkMax) destinations.")
        }
        let template = try ReadTemplate(template)
        var letters: [OutgoingLetter] = []
        var states: [BulkState] = []
        for item in destinations {
            let own = try data(item)
            do throws(OutboxError) {
                var wish = try MailWish(from: source, to: item["Destination"], answersTo: answersTo)
                let problem = try template.fill(&wish, with: Self.merged(usual, own))
                try wish.add(try extras(item))
                let id = Outbox.makeIdentifier()
                var letter = wish.outgoing(id, now: outbox.now)
                letter.problem = problem
                letters.append(letter)
                states.append(BulkState(id: id, error: nil))
            } catch {
                states.append(BulkState(id: nil, error: error.message))
            }
        }
        try await outbox.queue(letters)
        return states
    }

    private static func merged(_ usual: JSONValue, _ own: JSONValue) -> JSONValue {
        guard var all = usual.object else { return own }
        for member in own.object?.members ?? [] { all.set(member.key, to: member.value) }
        return .object(all)
    }

    /// The data of a template: an object in JSON.
    static func data(_ text: String?, in name: String) throws(OutboxError) -> JSONValue {
        guard let text else { return .object(JSONObject()) }
        let limits = JSONLimits(bytesMax: OutboxLimits.templateBytesMax, nestingMax: OutboxLimits.nestingMax)
        guard let value = try? JSONReader.value(of: Array(text.utf8), limits: limits), value.object != nil else {
            throw OutboxError("InvalidRenderingParameter", "\(name) is no JSON object.")
        }
        return value
    }

    func template(_ name: String) async throws(OutboxError) -> StoredTemplate {
        guard let template = try await outbox.template(name) else {
            throw OutboxError("TemplateDoesNotExist", "Template \(name) does not exist.")
        }
        return template
    }

    func keepTemplate(_ input: CallInput, isNew: Bool) async throws(OutboxError) -> JSONObject {
        let content = input.json["Template"]
        try await keep(
            StoredTemplate(
                name: content?["TemplateName"]?.string ?? "", subject: content?["SubjectPart"]?.string ?? "",
                text: content?["TextPart"]?.string, html: content?["HtmlPart"]?.string), isNew: isNew)
        return JSONObject()
    }

    func keep(_ template: StoredTemplate, isNew: Bool) async throws(OutboxError) {
        try template.check()
        if isNew {
            guard try await outbox.add(template) else {
                throw OutboxError("AlreadyExists", "Template \(template.name) already exists.")
            }
        } else if try await !outbox.change(template) {
            throw OutboxError("TemplateDoesNotExist", "Template \(template.name) does not exist.")
        }
    }

    func getTemplate(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let template = try await template(input.demanded("TemplateName"))
        var content = JSONObject([("TemplateName", .string(template.name)), ("SubjectPart", .string(template.subject))])
        content["TextPart"] = template.text.map(JSONValue.string)
        content["HtmlPart"] = template.html.map(JSONValue.string)
        return JSONObject([("Template", .object(content))])
    }

    func listTemplates(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let (templates, next) = try await templates(input, max: "MaxItems")
        let list = templates.map { template in
            JSONValue.object(
                JSONObject([
                    ("Name", .string(template.name)),
                    (
                        "CreatedTimestamp",
                        .string(
                            Timestamp(seconds: template.created / 1_000, milliseconds: Int(template.created % 1_000))
                                .text)
                    ),
                ]))
        }
        return JSONObject([("TemplatesMetadata", .array(list))] + next)
    }

    /// A page of templates, and where the next one begins.
    func templates(
        _ input: CallInput, max member: String
    ) async throws(OutboxError) -> ([StoredTemplate], next: [(String, JSONValue)]) {
        let max = Int(min(Swift.max(1, input.integer(member) ?? Self.usualPage), Int64(OutboxLimits.pageMax)))
        let token = try NameToken.name(
            of: input.text("NextToken"), orElse: .invalid("The NextToken is none of a list."))
        let templates = try await outbox.templates(behind: token?.string ?? "", max: max)
        guard templates.count == max, let last = templates.last else { return (templates, []) }
        return (templates, [("NextToken", NameToken.text(behind: ByteText(last.name)))])
    }

    private static let usualPage: Int64 = 10

    // MARK: Identities

    func verification(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let names = (input.texts("Identities") ?? []).prefix(OutboxLimits.pageMax)
        let attributes = names.map { ($0, JSONValue.object(JSONObject([("VerificationStatus", "Success")]))) }
        return JSONObject([("VerificationAttributes", .object(JSONObject(attributes)))])
    }
}
