import JSON
import Network

/// The newer API: JSON, by paths.
extension MailService {
    private static let base = ["v2", "email"]

    /// Returns whether a path is one of the API's.
    package static func isPath(_ path: String) -> Bool { path.utf8.starts(with: "/v2/email/".utf8) }

    package func answer(
        _ method: String, _ path: String, _ parameters: [(name: String, value: String)], _ body: [UInt8]
    ) async throws(OutboxError) -> JSONObject {
        do throws(OutboxError) {
            let parts = Array(path.parts(at: "/").dropFirst(Self.base.count))
            let input = try Self.input(body)
            switch (method, parts.first, parts.dropFirst().first) {
            case ("POST", "outbound-emails", nil): return try await sendOne(input)
            case ("POST", "outbound-bulk-emails", nil): return try await sendMany(input)
            case ("POST", "templates", let name?) where parts.count == 3 && parts.last == "render":
                let text = try await rendered(
                    name, with: try Self.data(input.textIfAny("TemplateData"), in: "TemplateData"))
                return JSONObject([("RenderedTemplate", .string(text))])
            case ("POST", "templates", nil):
                try await keep(try Self.template(try input.text("TemplateName"), input), isNew: true)
            case ("PUT", "templates", let name?): try await keep(try Self.template(name, input), isNew: false)
            case ("DELETE", "templates", let name?): _ = try await outbox.removeTemplate(name)
            case ("GET", "templates", let name?):
                let template = try await template(name)
                var content = JSONObject([("Subject", .string(template.subject))])
                content["Text"] = template.text.map(JSONValue.string)
                content["Html"] = template.html.map(JSONValue.string)
                return JSONObject([("TemplateName", .string(template.name)), ("TemplateContent", .object(content))])
            case ("GET", "templates", nil): return try await list(parameters)
            case ("POST", "identities", nil):
                // Every address may send here.
                let kind = try input.text("EmailIdentity").utf8.contains(UInt8(ascii: "@")) ? "EMAIL_ADDRESS" : "DOMAIN"
                return JSONObject([("IdentityType", .string(kind)), ("VerifiedForSendingStatus", .bool(true))])
            default: throw .unknown("\(method) \(path)", of: "SES")
            }
            return JSONObject()
        } catch {
            throw Self.renamed(error)
        }
    }

    /// The newer API has fewer kinds of errors.
    private static func renamed(_ error: OutboxError) -> OutboxError {
        switch error.code {
        case "TemplateDoesNotExist", "NotFound": OutboxError("NotFoundException", error.message, status: 404)
        case "AlreadyExists": OutboxError("AlreadyExistsException", error.message)
        case "LimitExceeded": OutboxError("LimitExceededException", error.message)
        case "Throttling": OutboxError("TooManyRequestsException", error.message, status: 429)
        case "InvalidAction": OutboxError("UnknownOperationException", error.message, status: 404)
        case "InternalFailure", "MissingRenderingAttribute": error
        default: OutboxError("BadRequestException", error.message)
        }
    }

    private static func input(_ body: [UInt8]) throws(OutboxError) -> JSONValue {
        guard !body.isEmpty else { return .object(JSONObject()) }
        let limits = JSONLimits(bytesMax: OutboxLimits.bodyBytesMax, nestingMax: OutboxLimits.nestingMax)
        guard let value = try? JSONReader.value(of: body, limits: limits), value.object != nil else {
            throw OutboxError("SerializationException", "The body is no JSON object.")
        }
        return value
    }

    private func sendOne(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        guard let content = input["Content"] else { throw .missing("content") }
        try Self.checkTags(input, "EmailTags")
        try Self.checkList(input)
        if let data = content["Raw"]?["Data"]?.string {
            let destination = input["Destination"] ?? .object(JSONObject())
            var readers: [String] = []
            for name in ["ToAddresses", "CcAddresses", "BccAddresses"] { readers += try destination.texts(name) }
            return try await sendRaw(data, source: input.textIfAny("FromEmailAddress"), to: readers)
        }
        var wish = try MailWish(
            from: try input.text("FromEmailAddress"), to: input["Destination"],
            answersTo: try input.texts("ReplyToAddresses"))
        if let named = content["Template"] {
            let problem = try ReadTemplate(await template(of: named)).fill(
                &wish, with: try Self.data(named.textIfAny("TemplateData"), in: "TemplateData"))
            try wish.add(try MailExtras(named, in: "content.template"))
            return try await send(wish, problem: problem)
        }
        guard let simple = content["Simple"] else { throw .missing("content.simple") }
        try wish.read(simple, in: "content.simple")
        try wish.add(try MailExtras(simple, in: "content.simple"))
        return try await send(wish)
    }

    /// Lists of readers who can leave them are not kept here: a mail to one would have no way to leave it.
    private static func checkList(_ input: JSONValue) throws(OutboxError) {
        guard let options = input["ListManagementOptions"], options != .null else { return }
        let name = options.textIfAny("ContactListName") ?? ""
        throw OutboxError("NotFound", "List with name: \(name) doesn't exist. This server keeps no contact lists.")
    }

    /// A template that is named, or that stands in the call.
    private func template(of named: JSONValue) async throws(OutboxError) -> StoredTemplate {
        if let content = named["TemplateContent"] {
            let template = StoredTemplate(
                name: "inline", subject: content["Subject"]?.string ?? "", text: content["Text"]?.string,
                html: content["Html"]?.string)
            try template.check()
            return template
        }
        // A name may come with all that stands before it in an ARN.
        let name =
            named.textIfAny("TemplateName")
            ?? named.textIfAny("TemplateArn")?.parts(at: "/").last
        guard let name else { throw .missing("content.template.templateName") }
        return try await template(name)
    }

    private func sendMany(_ input: JSONValue) async throws(OutboxError) -> JSONObject {
        guard let named = input["DefaultContent"]?["Template"] else { throw .missing("defaultContent.template") }
        let entries = input["BulkEmailEntries"]?.array ?? []
        let extras = try MailExtras(named, in: "defaultContent.template")
        guard extras.bytes <= OutboxLimits.bulkAttachedBytesMax / Swift.max(1, entries.count) else {
            throw .invalid(
                "What is attached to the mails of a call has at most \(OutboxLimits.bulkAttachedBytesMax) bytes, each counted."
            )
        }
        let states = try await sendToMany(
            entries, from: try input.text("FromEmailAddress"),
            answersTo: try input.texts("ReplyToAddresses"), try await template(of: named),
            try Self.data(named.textIfAny("TemplateData"), in: "TemplateData"),
            extras: { item throws(OutboxError) in
                extras.replacing(try MailExtras.fields(item["ReplacementHeaders"], in: "replacementHeaders"))
            },
            data: { item throws(OutboxError) in
                try Self.data(
                    item["ReplacementEmailContent"]?["ReplacementTemplate"]?.textIfAny("ReplacementTemplateData"),
                    in: "ReplacementTemplateData")
            })
        return JSONObject([
            ("BulkEmailEntryResults", .array(states.map { .object($0.state(success: "SUCCESS", failure: "FAILED")) }))
        ])
    }

    private static func template(_ name: String, _ input: JSONValue) throws(OutboxError) -> StoredTemplate {
        guard let content = input["TemplateContent"] else { throw .missing("templateContent") }
        return StoredTemplate(
            name: name, subject: content["Subject"]?.string ?? "", text: content["Text"]?.string,
            html: content["Html"]?.string)
    }

    private func list(_ parameters: [(name: String, value: String)]) async throws(OutboxError) -> JSONObject {
        func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        let max = min(Swift.max(1, Int(parameter("PageSize") ?? "") ?? 10), OutboxLimits.pageMax)
        let templates = try await outbox.templates(behind: parameter("NextToken") ?? "", max: max)
        let list = templates.map { template in
            JSONValue.object(
                JSONObject([
                    ("TemplateName", .string(template.name)), ("CreatedTimestamp", .integer(template.created / 1_000)),
                ]))
        }
        var answer = JSONObject([("TemplatesMetadata", .array(list))])
        if templates.count == max, let last = templates.last { answer["NextToken"] = .string(last.name) }
        return answer
    }
}
