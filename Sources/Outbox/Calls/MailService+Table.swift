import Access
import Cloud
import Crypto
import JSON
import Network

/// The operations of SES's older API: forms by the names of actions.
extension MailService {
    private typealias Member = MemberShape.Member

    static let service = "ses"
    static let limits = JSONLimits(bytesMax: OutboxLimits.bodyBytesMax, nestingMax: OutboxLimits.nestingMax)
    /// A text whose constraints have words of their own.
    private static let anyText = NoticeService.anyText
    private static let texts = list(anyText)
    private static let source = Member("Source", anyText, isRequired: true)
    private static let templateName = Member("TemplateName", anyText, isRequired: true)
    private static let nextToken = Member("NextToken", anyText)

    /// A list whose length the operation bounds in words of its own.
    static func list(_ element: MemberShape) -> MemberShape { .list(element, max: OutboxLimits.bodyBytesMax) }

    static func optional(_ names: String...) -> [MemberShape.Member] { names.map { Member($0, anyText) } }

    static let tags = list(.object(optional("Name", "Value")))
    static let destination = MemberShape.object([
        Member("ToAddresses", texts), Member("CcAddresses", texts), Member("BccAddresses", texts),
    ])
    private static let content = MemberShape.object(
        [Member("Data", anyText, isRequired: true)] + optional("Charset"))
    /// The texts of a mail.
    static let simple = [
        Member("Subject", content, isRequired: true),
        Member("Body", .object([Member("Text", content), Member("Html", content)]), isRequired: true),
    ]

    private static let sending =
        [
            Member("ReplyToAddresses", texts), Member("Tags", tags),
        ] + optional("ReturnPath", "SourceArn", "ReturnPathArn", "ConfigurationSetName")
    private static let template = Member(
        "Template",
        .object([templateName] + optional("SubjectPart", "TextPart", "HtmlPart")), isRequired: true)

    package var table: ServiceTable {
        ServiceTable(
            "SES", service: Self.service, sdk: "Ses",
            form: FormWire(
                namespace: "http://ses.amazonaws.com/doc/2010-12-01/", parametersMax: OutboxLimits.parametersMax,
                nestingMax: OutboxLimits.nestingMax, maps: ["VerificationAttributes"]),
            isBesideLoop: true, Self.limits,
            ServiceWords(
                invalid: CloudError("ValidationError", ""),
                unreadable: CloudError("SerializationException", code: "MalformedInput", ""), missing: "Value null",
                refusedStatus: 403), sendingRows + templateRows + identityRows)
    }

    private var sendingRows: [CloudOperation] {
        let rights: CloudOperation.Rights = { action, input in
            Self.rights(action, Self.identities(of: input.given("Source")))
        }
        return [
            CloudOperation(
                "SendEmail",
                [
                    Self.source, Member("Destination", Self.destination),
                    Member("Message", .object(Self.simple), isRequired: true),
                ] + Self.sending, rights: rights, of: send),
            CloudOperation(
                "SendRawEmail",
                [
                    Member("Source", Self.anyText), Member("Destinations", Self.texts),
                    Member(
                        "RawMessage", .object([Member("Data", Self.anyText, isRequired: true)]), isRequired: true),
                    Member("Tags", Self.tags),
                ] + Self.optional("FromArn", "SourceArn", "ReturnPathArn", "ConfigurationSetName"),
                rights: { action, input in
                    let data = input.json["RawMessage"]?["Data"]?.string
                    return Self.rights(action, Self.sender(ofRaw: data, source: input.given("Source")))
                }, of: sendRaw),
            CloudOperation(
                "SendTemplatedEmail",
                [
                    Self.source, Member("Destination", Self.destination),
                    Member("Template", Self.anyText, isRequired: true),
                ] + Self.sending + Self.optional("TemplateData", "TemplateArn"), rights: rights, of: sendByTemplate),
            CloudOperation(
                "SendBulkTemplatedEmail",
                [
                    Self.source, Member("Template", Self.anyText, isRequired: true),
                    Member(
                        "Destinations",
                        Self.list(
                            .object(
                                [
                                    Member("Destination", Self.destination), Member("ReplacementTags", Self.tags),
                                ] + Self.optional("ReplacementTemplateData")))),
                    Member("ReplyToAddresses", Self.texts), Member("DefaultTags", Self.tags),
                ] + Self.optional("DefaultTemplateData", "ReturnPath", "SourceArn", "ConfigurationSetName"),
                rights: rights, of: sendToMany),
            CloudOperation("GetSendQuota") { (_: CloudCall) async throws(CloudError) in
                JSONObject([("Max24HourSend", "50000.0"), ("MaxSendRate", "14.0"), ("SentLast24Hours", "0.0")])
            },
        ]
    }

    private var templateRows: [CloudOperation] {
        [
            CloudOperation("CreateTemplate", [Self.template]) { (call: CloudCall) async throws(CloudError) in
                try await keepTemplate(call.input, isNew: true)
            },
            CloudOperation("UpdateTemplate", [Self.template]) { (call: CloudCall) async throws(CloudError) in
                try await keepTemplate(call.input, isNew: false)
            },
            CloudOperation("DeleteTemplate", [Self.templateName]) { (call: CloudCall) async throws(CloudError) in
                _ = try await outbox.removeTemplate(call.input.demanded("TemplateName"))
                return JSONObject()
            },
            CloudOperation("GetTemplate", [Self.templateName], of: getTemplate),
            CloudOperation("ListTemplates", [Self.nextToken, Member("MaxItems", .anyInteger)], of: listTemplates),
            CloudOperation("TestRenderTemplate", [Self.templateName] + Self.optional("TemplateData"), of: renderedText),
        ]
    }

    private var identityRows: [CloudOperation] {
        // Every address may send here.
        func verified(_ name: String, _ member: String) -> CloudOperation {
            CloudOperation(name, [Member(member, Self.anyText, isRequired: true)]) {
                (_: CloudCall) async throws(CloudError) in JSONObject()
            }
        }
        return [
            verified("VerifyEmailIdentity", "EmailAddress"), verified("VerifyEmailAddress", "EmailAddress"),
            verified("DeleteIdentity", "Identity"),
            CloudOperation("VerifyDomainIdentity", [Member("Domain", Self.anyText, isRequired: true)]) {
                (_: CloudCall) async throws(CloudError) in
                JSONObject([("VerificationToken", .string(Outbox.makeIdentifier()))])
            },
            CloudOperation(
                "GetIdentityVerificationAttributes", [Member("Identities", Self.texts, isRequired: true)],
                of: verification),
            CloudOperation(
                "SetIdentityHeadersInNotificationsEnabled",
                [
                    Member("Identity", Self.anyText, isRequired: true),
                    Member("NotificationType", Self.anyText, isRequired: true),
                    Member("Enabled", .boolean, isRequired: true),
                ]
            ) { (call: CloudCall) async throws(CloudError) in
                try Self.checkNotification(call.input)
                return JSONObject()
            },
        ]
    }

    // MARK: Rights

    /// An action for the senders that IAM has names for; nobody known: for all of them.
    static func rights(_ action: String, _ places: [String]) -> [RightsDemand] {
        [
            RightsDemand(
                action, oneOf: places.isEmpty ? [.all(of: service)] : places.map { PolicyResource(service, $0) })
        ]
    }

    /// The sender that the call names, or else the mail itself.
    static func sender(ofRaw data: String?, source: String?) -> [String] {
        if let source { return identities(of: source) }
        guard let data, let bytes = Base64.bytes(of: data.utf8.filter { $0 > 0x20 }, .standard) else { return [] }
        let mail = try? RawMail(bytes)
        return identities(ofAddress: mail?.from?.address.text)
    }

    /// The resources of a sender: an address, or its domain.
    static func identities(of text: String?) -> [String] {
        let party: MailParty? = text.flatMap { text in try? MailWish.party(text) }
        return identities(ofAddress: party?.address.text)
    }

    private static func identities(ofAddress address: String?) -> [String] {
        guard let address else { return [] }
        let domain = address.parts(at: "@").last ?? address
        return ["identity/\(address)", "identity/\(domain)"]
    }
}
