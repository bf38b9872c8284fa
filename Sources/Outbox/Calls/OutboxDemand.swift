import Cloud
import Crypto
import JSON
import Network

/// The rights that a call needs, in IAM's names: the ends of the ARNs, each of which a policy may name. Nothing: to nothing by itself.
package struct OutboxDemand: Sendable, Equatable {
    package let actions: [String]
    package let places: [String]

    init(_ actions: [String], _ places: [String] = []) {
        (self.actions, self.places) = (actions, places)
    }
}

extension MailService {
    /// The rights for a call of the older API.
    package static func demand(_ action: String, _ parameters: [(name: String, value: String)]) -> OutboxDemand {
        let tree = try? CallForm.input(of: parameters)
        let input = JSONValue.object(tree ?? JSONObject())
        guard action.hasPrefix("Send") else { return OutboxDemand([action]) }
        if action == "SendRawEmail" {
            return OutboxDemand(
                [action], sender(ofRaw: input["RawMessage"]?["Data"]?.string, source: input.textIfAny("Source")))
        }
        return OutboxDemand([action], identities(of: input.textIfAny("Source")))
    }

    /// The rights for a call of the newer API.
    package static func demand(_ method: String, path: String, _ body: [UInt8]) -> OutboxDemand {
        let parts = path.parts(at: "/").dropFirst(2)
        let name = parts.dropFirst().first
        switch (method, parts.first, name) {
        case ("POST", "outbound-emails", nil), ("POST", "outbound-bulk-emails", nil):
            let limits = JSONLimits(bytesMax: OutboxLimits.bodyBytesMax, nestingMax: OutboxLimits.nestingMax)
            let value = try? JSONReader.value(of: body, limits: limits)
            let source = value?.textIfAny("FromEmailAddress")
            if parts.first == "outbound-bulk-emails" { return OutboxDemand(["SendBulkEmail"], identities(of: source)) }
            guard let data = value?["Content"]?["Raw"]?["Data"]?.string else {
                return OutboxDemand(["SendEmail"], identities(of: source))
            }
            return OutboxDemand(["SendEmail"], sender(ofRaw: data, source: source))
        case ("POST", "templates", let name?): return OutboxDemand(["TestRenderEmailTemplate"], ["template/\(name)"])
        case ("POST", "templates", nil): return OutboxDemand(["CreateEmailTemplate"])
        case ("PUT", "templates", let name?): return OutboxDemand(["UpdateEmailTemplate"], ["template/\(name)"])
        case ("DELETE", "templates", let name?): return OutboxDemand(["DeleteEmailTemplate"], ["template/\(name)"])
        case ("GET", "templates", let name?): return OutboxDemand(["GetEmailTemplate"], ["template/\(name)"])
        case ("GET", "templates", nil): return OutboxDemand(["ListEmailTemplates"])
        case ("POST", "identities", _): return OutboxDemand(["CreateEmailIdentity"])
        default: return OutboxDemand(["UnknownOperation"])
        }
    }

    /// The sender that the call names, or else the mail itself.
    private static func sender(ofRaw data: String?, source: String?) -> [String] {
        if let source { return identities(of: source) }
        guard let data, let bytes = Base64.bytes(of: data.utf8.filter { $0 > 0x20 }, .standard) else { return [] }
        let mail = try? RawMail(bytes)
        return identities(ofAddress: mail?.from?.address.text)
    }

    /// The resources of a sender: an address, or its domain.
    private static func identities(of text: String?) -> [String] {
        let party: MailParty? = text.flatMap { text in try? MailWish.party(text) }
        return identities(ofAddress: party?.address.text)
    }

    private static func identities(ofAddress address: String?) -> [String] {
        guard let address else { return [] }
        let domain = address.parts(at: "@").last ?? address
        return ["identity/\(address)", "identity/\(domain)"]
    }
}

extension NoticeService {
    /// The rights that a call needs. A number is no resource: who may publish to any may text it.
    package static func demand(_ action: String, _ parameters: [(name: String, value: String)]) -> OutboxDemand {
        let tree = try? CallForm.input(of: parameters)
        let input = JSONValue.object(tree ?? JSONObject())
        if action == "Publish", input.textIfAny("PhoneNumber") != nil { return OutboxDemand([action]) }
        if action == "CreateTopic" { return OutboxDemand([action], input.textIfAny("Name").map { [$0] } ?? []) }
        // Several messages are what each of them is.
        let actions = [action == "PublishBatch" ? "Publish" : action]
        // Each operation reads one member alone, but for what is published.
        let arn =
            ["Unsubscribe", "GetSubscriptionAttributes", "SetSubscriptionAttributes"].contains(action)
            ? input.textIfAny("SubscriptionArn")
            : ["TagResource", "UntagResource", "ListTagsForResource"].contains(action)
                ? input.textIfAny("ResourceArn")
                : input.textIfAny("TopicArn") ?? (action == "Publish" ? input.textIfAny("TargetArn") : nil)
        guard let arn else { return OutboxDemand(actions) }
        let parts = arn.parts(at: ":", keepingEmpty: true)
        return OutboxDemand(actions, parts.count > 5 ? [parts[5]] : [])
    }
}
