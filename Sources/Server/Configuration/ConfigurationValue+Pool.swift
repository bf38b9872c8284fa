import JSON
import UserPool

extension PoolSettings.SignInName: ConfigurationValue {}
extension PoolSettings.FirstFactor: ConfigurationValue {}
extension AccountRecovery: ConfigurationValue {}
extension PoolSettings.SecondFactorDemand: ConfigurationValue {}
extension PoolSettings.SecondFactor: ConfigurationValue {}
extension PoolSettings.ExistenceErrors: ConfigurationValue {}
extension PoolSettings.DeviceTracking: ConfigurationValue {}
extension PasskeySettings.UserVerification: ConfigurationValue {}

extension AppClient: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let id = value["id"]?.string else { return nil }
        self.init(id)
        secret = value["secret"]?.string
        if let names = value["flows"]?.array?.compactMap(\.string) {
            flows = Set(names.compactMap(Flow.init))
            saysFlows = true
        }
        writeAttributes = value["writeAttributes"]?.array.map { Set(texts: $0.compactMap(\.string)) }
        readAttributes = value["readAttributes"]?.array.map { Set(texts: $0.compactMap(\.string)) }
        accessSeconds = value["accessSeconds"]?.integer ?? accessSeconds
        idSeconds = value["idSeconds"]?.integer ?? idSeconds
        refreshSeconds = value["refreshSeconds"]?.integer ?? refreshSeconds
        sessionSeconds = value["sessionSeconds"]?.integer ?? sessionSeconds
        rotationGraceSeconds = value["rotationGraceSeconds"]?.integer
        redirectURIs = value["callbackUrls"]?.array?.compactMap(\.string) ?? redirectURIs
        logoutURIs = value["logoutUrls"]?.array?.compactMap(\.string) ?? logoutURIs
        scopes = value["scopes"]?.array?.compactMap(\.string) ?? scopes
    }
}

extension IdentityProvider.Kind: ConfigurationValue {}

extension ProviderSetting: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let kind = value["kind"]?.string.flatMap(IdentityProvider.Kind.init) else { return nil }
        self.init(kind)
        name = value["name"]?.string
        clientID = value["clientId"]?.string
        clientSecret = value["clientSecret"]?.string
        clientSecretFile = value["clientSecretFile"]?.string
        teamID = value["teamId"]?.string
        keyID = value["keyId"]?.string
        privateKeyFile = value["privateKeyFile"]?.string
        issuer = value["issuer"]?.string
        authorizationURL = value["authorizeUrl"]?.string
        tokenURL = value["tokenUrl"]?.string
        keysURL = value["jwksUrl"]?.string
        userInfoURL = value["userInfoUrl"]?.string
        scopes = value["scopes"]?.array?.compactMap(\.string)
        attributes = value["attributes"]?.object?.members.map { ($0.key, $0.value.string ?? "") }
            .map { IdentityProvider.Mapping(attribute: $0.0, claim: $0.1) }
        identifiers = value["identifiers"]?.array?.compactMap(\.string) ?? []
        isStandIn = value["standIn"]?.bool
    }
    /// The members that a project can give.
    package var configured: JSONValue {
        var value = JSONObject([("kind", kind.configured)])
        value["name"] = name?.configured
        value["attributes"] = attributes.map { mapping in
            .object(JSONObject(mapping.map { ($0.attribute, $0.claim.configured) }))
        }
        value["identifiers"] = identifiers.isEmpty ? nil : identifiers.configured
        value["scopes"] = scopes?.configured
        return .object(value)
    }
}

extension GroupSetting: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let name = value["name"]?.string else { return nil }
        self.init(name, precedence: value["precedence"]?.integer, role: value["role"]?.string)
    }
    package var configured: JSONValue {
        var value = JSONObject([("name", name.configured)])
        value["precedence"] = precedence?.configured
        value["role"] = role?.configured
        return .object(value)
    }
}

extension AttributeSchema.Custom: ConfigurationValue {
    package init?(configured value: JSONValue) {
        self.init()
        if let name = value["type"]?.string.flatMap(Kind.init) { kind = name }
        isMutable = value["mutable"]?.bool ?? true
        setRange(value["min"]?.integer, value["max"]?.integer)
    }

    mutating func setRange(_ least: Int64?, _ greatest: Int64?) {
        guard least != nil || greatest != nil else { return }
        let least = least ?? .min
        range = least...max(least, greatest ?? .max)
    }

    package var configured: JSONValue {
        var value = JSONObject([("type", kind.configured)])
        value["min"] = range.flatMap { $0.lowerBound == .min ? nil : $0.lowerBound.configured }
        value["max"] = range.flatMap { $0.upperBound == .max ? nil : $0.upperBound.configured }
        value["mutable"] = isMutable.configured
        return .object(value)
    }
}

extension AttributeSchema.Custom.Kind: ConfigurationValue {}

extension MessageTemplate: ConfigurationValue {
    package init?(configured value: JSONValue) {
        self.init(
            subject: value["emailSubject"]?.string, email: value["emailMessage"]?.string,
            sms: value["smsMessage"]?.string)
    }
    package var configured: JSONValue {
        var value = JSONObject()
        value["emailSubject"] = subject?.configured
        value["emailMessage"] = email?.configured
        value["smsMessage"] = sms?.configured
        return value.isEmpty ? .null : .object(value)
    }
}

extension AttributeSchema {
    /// The app's own attributes, as a configuration names them.
    var customByName: [String: Custom] {
        get { Dictionary(custom.map { ($0.key.string, $0.value) }, uniquingKeysWith: { first, _ in first }) }
        set { custom = Dictionary(texts: newValue.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }) }
    }
}
