import Access
import Blueprint
import JSON
import Network
import Store

/// A type of a field that can be set: how a checked value becomes one, and how one is shown as a default.
package protocol ConfigurationValue: Sendable {
    /// Nil only for a value that the check of its key would have refused.
    init?(configured value: JSONValue)
    var configured: JSONValue { get }
}

extension ConfigurationValue {
    /// No field has such a value unless somebody sets it.
    package var configured: JSONValue { .null }
}

extension Bool: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let bool = value.bool else { return nil }
        self = bool
    }
    package var configured: JSONValue { .bool(self) }
}

extension ConfigurationValue where Self: FixedWidthInteger {
    package init?(configured value: JSONValue) {
        guard let integer = value.integer else { return nil }
        self.init(clamping: integer)
    }
    package var configured: JSONValue { .integer(Int64(clamping: self)) }
}

extension Int: ConfigurationValue {}
extension Int64: ConfigurationValue {}

extension String: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let string = value.string else { return nil }
        self = string
    }
    package var configured: JSONValue { .string(self) }
}

extension ConfigurationValue where Self: RawRepresentable<String> {
    package init?(configured value: JSONValue) {
        guard let name = value.string else { return nil }
        self.init(rawValue: name)
    }
    package var configured: JSONValue { .string(rawValue) }
}

extension AuthMode: ConfigurationValue {}
extension ListQuery.Semantics: ConfigurationValue {}
extension LogFormat: ConfigurationValue {}
extension LogLevel: ConfigurationValue {}
extension OpenOperations: ConfigurationValue {}

extension Optional: ConfigurationValue where Wrapped: ConfigurationValue {
    package init?(configured value: JSONValue) {
        self = value.isNull ? .none : Wrapped(configured: value)
    }
    package var configured: JSONValue { self?.configured ?? .null }
}

extension Array: ConfigurationValue where Element: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let elements = value.array else { return nil }
        self = elements.compactMap(Element.init(configured:))
    }
    package var configured: JSONValue { .array(map(\.configured)) }
}

extension Dictionary: ConfigurationValue where Key == String, Value: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let members = value.object?.members else { return nil }
        self.init(
            members.compactMap { member in Value(configured: member.value).map { (member.key, $0) } },
            uniquingKeysWith: { $1 })
    }
    package var configured: JSONValue { .object(JSONObject(map { ($0.key, $0.value.configured) })) }
}

extension ListenAddress: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let text = value.string else { return nil }
        self.init(text)
    }
}

extension MailURL: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let text = value.string, let url = try? Self(text) else { return nil }
        self = url
    }
}

extension MailParty: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let text = value.string, let party = try? Self(text) else { return nil }
        self = party
    }
}

extension Webhook: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let url = value["url"]?.string, let secret = value["secret"]?.string else { return nil }
        self.init(url: url, secret: secret)
    }
}

extension AddressRange: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let text = value.string else { return nil }
        self.init(text)
    }
    package var configured: JSONValue { .string(text) }
}

extension ConflictStrategy: ConfigurationValue {
    package init?(configured value: JSONValue) {
        if let strategy = value.string.flatMap({ Self.named[$0] }) {
            self = strategy
        } else if let url = value["lambda"]?.string {
            self = .lambda(url: url)
        } else {
            return nil
        }
    }
}

extension APIKey: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let key = value["key"]?.string else { return nil }
        self.init(
            key, expires: value["expires"]?.string.flatMap { Timestamp($0) }?.seconds,
            isForThisMachine: !AuthSettings.canBeSecret(key))
    }
    package var configured: JSONValue { ["key": .string(key)] }
}

extension PrincipalCredential: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let name = value["accessKeyId"]?.string, let secret = value["secretAccessKey"]?.string,
            let role = IAMPrincipal.Role.named.first(where: { value["role"] == .string($0.name) })?.role
        else { return nil }
        self.init(
            secret: secret, sessionToken: value["sessionToken"]?.string,
            principal: IAMPrincipal(
                role: role, accessKeyID: name, identityID: value["identityId"]?.string,
                identityPoolID: value["identityPoolId"]?.string,
                accountID: value["accountId"]?.string ?? IAMPrincipal.exampleAccountID,
                isInGroupRole: value["group"] != nil, group: value["group"]?.string,
                function: value["function"]?.string))
    }
}

extension IAMPrincipal.Role {
    /// The configuration's names of the roles.
    static let named: [(name: String, role: Self)] = [
        ("auth", .authenticated), ("unauth", .unauthenticated), ("admin", .administrator),
    ]
}
