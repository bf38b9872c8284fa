import Cloud
import JSON

/// The operations of SES's newer API: JSON, by methods and paths.
extension MailService {
    private typealias Member = MemberShape.Member

    private static let start = "/v2/email/"
    private static let templates = "\(start)templates"
    private static let ofTemplate = "\(templates)/{TemplateName}"

    // MARK: The table

    private static let headers = list(.object(optional("Name", "Value")))
    private static let extras = [
        Member("Headers", headers),
        Member(
            "Attachments",
            list(
                .object(
                    optional(
                        "FileName", "RawContent", "ContentType", "ContentDisposition", "ContentTransferEncoding",
                        "ContentId", "ContentDescription")))),
    ]
    private static let templateContent = MemberShape.object(optional("Subject", "Text", "Html"))
    /// A template that is named, or that comes in the call.
    private static let template = MemberShape.object(
        optional("TemplateName", "TemplateArn", "TemplateData") + [Member("TemplateContent", templateContent)] + extras)
    private static let name = Member("TemplateName", NoticeService.anyText, isRequired: true)
    private static let named = [name, Member("TemplateContent", templateContent, isRequired: true)]
    private static let sender =
        [
            Member("ReplyToAddresses", list(NoticeService.anyText))
        ]
        + optional(
            "FromEmailAddress", "FromEmailAddressIdentityArn", "FeedbackForwardingEmailAddress",
            "FeedbackForwardingEmailAddressIdentityArn", "ConfigurationSetName")
    private static let raw = MemberShape.object([Member("Data", NoticeService.anyText, isRequired: true)])

    package var newerTable: ServiceTable {
        ServiceTable(
            "SES", service: Self.service, sdk: "SesV2", paths: [Self.start], isBesideLoop: true, Self.limits,
            ServiceWords(
                invalid: CloudError("BadRequestException", ""), missing: "Value null", refusedStatus: 403),
            newerSendingRows + newerTemplateRows)
    }

    private var newerSendingRows: [CloudOperation] {
        let content = MemberShape.object([
            Member("Simple", .object(Self.simple + Self.extras)), Member("Raw", Self.raw),
            Member("Template", Self.template),
        ])
        let entry: [MemberShape.Member] = [
            Member("Destination", Self.destination), Member("ReplacementTags", Self.tags),
            Member("ReplacementHeaders", Self.headers),
            Member(
                "ReplacementEmailContent",
                .object([Member("ReplacementTemplate", .object(Self.optional("ReplacementTemplateData")))])),
        ]
        return [
            row(
                "SendEmail", .init(.post, "\(Self.start)outbound-emails"),
                Self.sender + [
                    Member("Destination", Self.destination), Member("Content", content, isRequired: true),
                    Member("EmailTags", Self.tags),
                    Member("ListManagementOptions", .object(Self.optional("ContactListName", "TopicName"))),
                ],
                rights: { action, input in
                    let source = input.given("FromEmailAddress")
                    guard let data = input.json["Content"]?["Raw"]?["Data"]?.string else {
                        return Self.rights(action, Self.identities(of: source))
                    }
                    return Self.rights(action, Self.sender(ofRaw: data, source: source))
                }, sendOne),
            row(
                "SendBulkEmail", .init(.post, "\(Self.start)outbound-bulk-emails"),
                Self.sender + [
                    Member("DefaultContent", .object([Member("Template", Self.template)]), isRequired: true),
                    Member("BulkEmailEntries", Self.list(.object(entry)), isRequired: true),
                    Member("DefaultEmailTags", Self.tags),
                ],
                rights: { action, input in Self.rights(action, Self.identities(of: input.given("FromEmailAddress"))) },
                sendMany),
            row(
                "CreateEmailIdentity", .init(.post, "\(Self.start)identities"),
                [Member("EmailIdentity", NoticeService.anyText, isRequired: true)]
            ) { input async throws(CloudError) in
                // Every address may send here.
                let isAddress = input.demanded("EmailIdentity").utf8.contains(UInt8(ascii: "@"))
                return JSONObject([
                    ("IdentityType", isAddress ? "EMAIL_ADDRESS" : "DOMAIN"),
                    ("VerifiedForSendingStatus", .bool(true)),
                ])
            },
        ]
    }

    private var newerTemplateRows: [CloudOperation] {
        let rights: CloudOperation.Rights = { action, input in
            Self.rights(action, input.given("TemplateName").map { ["template/\($0)"] } ?? [])
        }
        return [
            row("CreateEmailTemplate", .init(.post, Self.templates), Self.named) { input async throws(CloudError) in
                try await keep(Self.template(input), isNew: true)
                return JSONObject()
            },
            row("UpdateEmailTemplate", .init(.put, Self.ofTemplate), Self.named, rights: rights) {
                input async throws(CloudError) in
                try await keep(Self.template(input), isNew: false)
                return JSONObject()
            },
            row("DeleteEmailTemplate", .init(.delete, Self.ofTemplate), [Self.name], rights: rights) {
                input async throws(CloudError) in
                _ = try await outbox.removeTemplate(input.demanded("TemplateName"))
                return JSONObject()
            },
            row("GetEmailTemplate", .init(.get, Self.ofTemplate), [Self.name], rights: rights) {
                input async throws(CloudError) in
                let template = try await template(input.demanded("TemplateName"))
                var content = JSONObject([("Subject", .string(template.subject))])
                content["Text"] = template.text.map(JSONValue.string)
                content["Html"] = template.html.map(JSONValue.string)
                return JSONObject([("TemplateName", .string(template.name)), ("TemplateContent", .object(content))])
            },
            row(
                "ListEmailTemplates", .init(.get, Self.templates),
                Self.optional("NextToken") + [Member("PageSize", .anyInteger)], listNewer),
            row(
                "TestRenderEmailTemplate", .init(.post, "\(Self.ofTemplate)/render"),
                [Self.name] + Self.optional("TemplateData"), rights: rights, renderedText),
        ]
    }

    /// An operation whose errors are named as the newer API names them.
    private func row(
        _ name: String, _ path: CallPath, _ members: [MemberShape.Member], rights: CloudOperation.Rights? = nil,
        _ run: @escaping @Sendable (_ input: CallInput) async throws(CloudError) -> JSONObject
    ) -> CloudOperation {
        CloudOperation(name, at: path, members, rights: rights) { (call: CloudCall) async throws(CloudError) in
            do throws(CloudError) { return try await run(call.input) } catch { throw Self.renamed(error) }
        }
    }

    /// The newer API has fewer kinds of errors.
    private static func renamed(_ error: OutboxError) -> OutboxError {
        switch error.code {
        case "TemplateDoesNotExist", "NotFound": OutboxError("NotFoundException", error.message, status: 404)
        case "AlreadyExists": OutboxError("AlreadyExistsException", error.message)
        case "LimitExceeded": OutboxError("LimitExceededException", error.message)
        case "Throttling": OutboxError("TooManyRequestsException", error.message, status: 429)
        case "InternalFailure", "MissingRenderingAttribute": error
        default: OutboxError("BadRequestException", error.message)
        }
    }

    // MARK: Calls

    private func sendOne(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let content = input.json["Content"] ?? .null
        try Self.checkTags(input, "EmailTags")
        try Self.checkList(input)
        if let data = content["Raw"]?["Data"]?.string {
            let destination = input.value("Destination") ?? .null
            let readers = ["ToAddresses", "CcAddresses", "BccAddresses"].flatMap { destination.texts($0) }
            return try await sendRaw(data, source: input.given("FromEmailAddress"), to: readers)
        }
        var wish = try MailWish(
            from: try Self.source(input), to: input.value("Destination"),
            answersTo: input.texts("ReplyToAddresses") ?? [])
        if let named = content["Template"], !named.isNull {
            let problem = try ReadTemplate(await template(of: named)).fill(
                &wish, with: try Self.data(named.input.given("TemplateData"), in: "TemplateData"))
            try wish.add(try MailExtras(named))
            return try await send(wish, problem: problem)
        }
        guard let simple = content["Simple"], !simple.isNull else { throw .missing("content.simple") }
        try wish.read(simple)
        try wish.add(try MailExtras(simple))
        return try await send(wish)
    }

    /// The sender, which whole mails alone name themselves.
    private static func source(_ input: CallInput) throws(OutboxError) -> String {
        guard let source = input.text("FromEmailAddress") else { throw .missing("fromEmailAddress") }
        return source
    }

    /// Lists of readers who can leave them are not kept here: a mail to one would have no way to leave it.
    private static func checkList(_ input: CallInput) throws(OutboxError) {
        guard let options = input.value("ListManagementOptions") else { return }
        let name = options.input.given("ContactListName") ?? ""
        throw OutboxError("NotFound", "List with name: \(name) doesn't exist. This server keeps no contact lists.")
    }

    /// A template that is named, or that stands in the call.
    private func template(of named: JSONValue) async throws(OutboxError) -> StoredTemplate {
        if let content = named["TemplateContent"], !content.isNull {
            let template = Self.template("inline", content)
            try template.check()
            return template
        }
        // A name may come with all that stands before it in an ARN.
        let name =
            named.input.given("TemplateName")
            ?? named.input.given("TemplateArn")?.parts(at: "/").last
        guard let name else { throw .missing("content.template.templateName") }
        return try await template(name)
    }

    private func sendMany(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        guard let named = input.json["DefaultContent"]?["Template"], !named.isNull else {
            throw .missing("defaultContent.template")
        }
        let entries = input.list("BulkEmailEntries") ?? []
        let extras = try MailExtras(named)
        guard extras.bytes <= OutboxLimits.bulkAttachedBytesMax / Swift.max(1, entries.count) else {
            throw .invalid(
                "What is attached to the mails of a call has at most \(OutboxLimits.bulkAttachedBytesMax) bytes, each counted."
            )
        }
        let states = try await sendToMany(
            entries, from: try Self.source(input), answersTo: input.texts("ReplyToAddresses") ?? [],
            try await template(of: named), try Self.data(named.input.given("TemplateData"), in: "TemplateData"),
            extras: { item throws(OutboxError) in
                extras.replacing(try MailExtras.fields(item["ReplacementHeaders"]))
            },
            data: { item throws(OutboxError) in
                try Self.data(
                    item["ReplacementEmailContent"]?["ReplacementTemplate"]?.input.given("ReplacementTemplateData"),
                    in: "ReplacementTemplateData")
            })
        return JSONObject([
            ("BulkEmailEntryResults", .array(states.map { .object($0.state(success: "SUCCESS", failure: "FAILED")) }))
        ])
    }

    private static func template(_ input: CallInput) -> StoredTemplate {
        template(input.demanded("TemplateName"), input.json["TemplateContent"] ?? .null)
    }

    private static func template(_ name: String, _ content: JSONValue) -> StoredTemplate {
        StoredTemplate(
            name: name, subject: content["Subject"]?.string ?? "", text: content["Text"]?.string,
            html: content["Html"]?.string)
    }

    private func listNewer(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let (templates, next) = try await templates(input, max: "PageSize")
        let list = templates.map { template -> JSONValue in
            ["TemplateName": .string(template.name), "CreatedTimestamp": .integer(template.created / 1_000)]
        }
        return JSONObject([("TemplatesMetadata", .array(list))] + next)
    }
}
