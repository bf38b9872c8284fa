import Cloud
import Crypto
import JSON
import Network

/// SES, as both of its APIs call it: the older one by the names of actions, the newer one by paths.
package struct MailService: Sendable {
    let outbox: Outbox

    package init(_ outbox: Outbox) { self.outbox = outbox }

    /// Answers a call of the older API: parameters as a form has them.
    package func answer(
        _ action: String, _ parameters: [(name: String, value: String)]
    ) async throws(OutboxError) -> JSONObject {
        let input = JSONValue.object(try CallForm.input(of: parameters))
        switch action {
        case "SendEmail", "SendRawEmail", "SendTemplatedEmail":
            try Self.checkTags(input, "Tags")
            switch action {
            case "SendEmail": return try await send(input)
            case "SendRawEmail": return try await sendRaw(input)
            default: return try await sendByTemplate(input)
            }
        case "TestRenderTemplate":
            let text = try await rendered(
                try input.text("TemplateName"), with: try Self.data(input.textIfAny("TemplateData"), in: "TemplateData")
            )
            return JSONObject([("RenderedTemplate", .string(text))])
        case "SetIdentityHeadersInNotificationsEnabled":
            try Self.checkNotification(input)
            return JSONObject()
        case "SendBulkTemplatedEmail": return try await sendToMany(input)
        case "CreateTemplate": return try await keepTemplate(input, isNew: true)
        case "UpdateTemplate": return try await keepTemplate(input, isNew: false)
        case "DeleteTemplate":
            _ = try await outbox.removeTemplate(try input.text("TemplateName"))
            return JSONObject()
        case "GetTemplate": return try await getTemplate(input)
        case "ListTemplates": return try await listTemplates(input)
        // Every address may send here.
        case "VerifyEmailIdentity", "VerifyEmailAddress", "DeleteIdentity": return JSONObject()
        case "VerifyDomainIdentity": return JSONObject([("VerificationToken", .string(Outbox.makeIdentifier()))])
        case "GetIdentityVerificationAttributes": return try verification(of: input)
        case "GetSendQuota":
            return JSONObject([("Max24HourSend", "50000.0"), ("MaxSendRate", "14.0"), ("SentLast24Hours", "0.0")])
        default: throw .unknown(action, of: "SES")
        }
    }

    // MARK: Sending

    private func send(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        var wish = try wish(input)
        guard let message = input["Message"] else { throw .missing("message") }
        try wish.read(message, in: "message")
        return try await send(wish)
    }

    func send(_ wish: MailWish, problem: String? = nil) async throws(OutboxError) -> JSONObject {
        let id = Outbox.makeIdentifier()
        var letter = wish.outgoing(id, now: outbox.now)
        letter.problem = problem
        try await outbox.queue([letter])
        return JSONObject([("MessageId", .string(id))])
    }

    private func wish(_ input: JSONValue) throws(OutboxError) -> MailWish {
        try MailWish(
            from: try input.text("Source"), to: input["Destination"], answersTo: try input.texts("ReplyToAddresses"))
    }

    private func sendRaw(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        guard let data = input["RawMessage"]?["Data"]?.string else { throw .missing("rawMessage.data") }
        return try await sendRaw(data, source: input.textIfAny("Source"), to: try input.texts("Destinations"))
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

    private func sendByTemplate(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        var wish = try wish(input)
        let template = try await template(try input.text("Template"))
        let problem = try ReadTemplate(template).fill(
            &wish, with: try Self.data(input.textIfAny("TemplateData"), in: "TemplateData"))
        return try await send(wish, problem: problem)
    }

    private func sendToMany(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let template = try await template(try input.text("Template"))
        let usual = try Self.data(input.textIfAny("DefaultTemplateData"), in: "DefaultTemplateData")
        let states = try await sendToMany(
            input["Destinations"]?.array ?? [], from: try input.text("Source"),
            answersTo: try input.texts("ReplyToAddresses"), template, usual
        ) { item throws(OutboxError) in
            try Self.data(item.textIfAny("ReplacementTemplateData"), in: "ReplacementTemplateData")
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

    private func keepTemplate(_ input: JSONValue, isNew: Bool) async throws(OutboxError) -> JSONObject {
        guard let content = input["Template"] else { throw .missing("template") }
        try await keep(
            StoredTemplate(
                name: try content.text("TemplateName", in: "template"), subject: content["SubjectPart"]?.string ?? "",
                text: content["TextPart"]?.string, html: content["HtmlPart"]?.string), isNew: isNew)
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

    private func getTemplate(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let template = try await template(try input.text("TemplateName"))
        var content = JSONObject([("TemplateName", .string(template.name)), ("SubjectPart", .string(template.subject))])
        content["TextPart"] = template.text.map(JSONValue.string)
        content["HtmlPart"] = template.html.map(JSONValue.string)
        return JSONObject([("Template", .object(content))])
    }

    private func listTemplates(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        let max = min(Swift.max(1, Int(input.textIfAny("MaxItems") ?? "") ?? 10), OutboxLimits.pageMax)
        let templates = try await outbox.templates(behind: input.textIfAny("NextToken") ?? "", max: max)
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
        var answer = JSONObject([("TemplatesMetadata", .array(list))])
        if templates.count == max, let last = templates.last { answer["NextToken"] = .string(last.name) }
        return answer
    }

    // MARK: Identities

    private func verification(of input: JSONValue) throws(OutboxError) -> JSONObject {
        let status = JSONObject([("VerificationStatus", .string("Success"))])
        let entries = try input.texts("Identities").prefix(OutboxLimits.pageMax).map { name in
            JSONValue.object(JSONObject([("key", .string(name)), ("value", .object(status))]))
        }
        return JSONObject([("VerificationAttributes", .object(JSONObject([("entry", .array(entries))])))])
    }
}
