import Access
import Crypto
import JSON

/// Makes the access keys of identities, and tells whose they are.
///
/// Nothing is stored of them. The session token holds what there is to know, sealed for its access key; the secret is a code over
/// the name of the key. So keys are good until they end, whatever starts in between, and looking at them reads no table.
struct IdentityCredentials: TemporaryCredentials {
    private let seal: Seal
    private let key: [UInt8]
    private let identityPoolID: String
    private let provider: String

    static let lifeSeconds: Int64 = 3_600
    /// The session of those who come by the identity pool itself.
    static let usualSession = "CognitoIdentityCredentials"
    private static let keyPrefix = "ASIA"
    private static let keyBytes = 20
    /// The longest name of a backend's user is six bytes a character in the token, and a third more in base64.
    private static let tokenBytesMax = 12 << 10

    init(_ identifiers: PoolIdentifiers, secret: [UInt8]) {
        seal = Seal(key: secret)
        key = HMACSHA256.code(of: Array("access keys".utf8), key: secret)
        identityPoolID = identifiers.identityPoolID
        provider = identifiers.providerName
    }

    /// Whose keys they are.
    struct Holder: Sendable {
        let identity: String
        let role: IdentityRole
        /// The group whose role it is.
        var group: String?
        /// The `sub` of the user who has signed in; nil: a guest, or a user of the app's backend.
        let subject: String?
        /// The user of the app's backend.
        var developer: DeveloperLogin?
        var session = IdentityCredentials.usualSession
    }

    /// New keys.
    struct Made: Sendable {
        let accessKeyID: String
        let secret: String
        let sessionToken: String
        /// In seconds since 1970.
        let expires: Int64
    }

    func make(for holder: Holder, until expires: Int64) -> Made {
        let accessKeyID = Self.keyPrefix + Base32.text(of: RandomBytes.make(count: 10))
        var content = JSONObject([
            ("i", .string(holder.identity)), ("r", .string(holder.role.stored)), ("e", .integer(expires)),
            ("n", .string(holder.session)),
        ])
        if let subject = holder.subject { content.set("s", to: .string(subject)) }
        if let login = holder.developer {
            content.set("d", to: .array([.string(login.provider), .string(login.name(in: identityPoolID))]))
        }
        if let group = holder.group { content.set("g", to: .string(group)) }
        let sealed = seal.seal(JSONWriter.bytes(of: .object(content)), for: purpose(accessKeyID))
        return Made(
            accessKeyID: accessKeyID, secret: secret(of: accessKeyID), sessionToken: Base64.text(of: sealed, .standard),
            expires: expires)
    }

    func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
        guard accessKeyID.utf8.count == Self.keyBytes, accessKeyID.hasPrefix(Self.keyPrefix),
            sessionToken.utf8.count <= Self.tokenBytesMax,
            let sealed = Base64.bytes(of: sessionToken.utf8, .standard),
            let plain = seal.open(sealed, for: purpose(accessKeyID)),
            let content = try? JSONReader.value(of: plain).object, let identity = content["i"]?.string,
            let role = content["r"]?.string.flatMap(IdentityRole.init(stored:)),
            let expires = content["e"]?.integer, let session = content["n"]?.string
        else { return nil }
        let isInGroupRole = if case .group = role { true } else { false }
        let developer = content["d"]?.array?.compactMap(\.string).map { "\"\($0)\"" }.joined(separator: ",")
        let principal = IAMPrincipal(
            role: role.principalRole, accessKeyID: accessKeyID, identityID: identity, identityPoolID: identityPoolID,
            userARN: role.userARN(session: session), username: role.sessionName(session),
            authProvider: content["s"]?.string.map { "\"\(provider)\",\"\(provider):CognitoSignIn:\($0)\"" }
                ?? developer,
            isInGroupRole: isInGroupRole, group: isInGroupRole ? content["g"]?.string : nil)
        return TemporaryCredential(secret: secret(of: accessKeyID), principal: principal, expires: expires)
    }

    private func purpose(_ accessKeyID: String) -> [UInt8] { Array("credentials \(accessKeyID)".utf8) }

    private func secret(of accessKeyID: String) -> String {
        Base64.text(of: Array(HMACSHA256.code(of: Array(accessKeyID.utf8), key: key).prefix(30)), .standard)
    }
}

extension PoolIdentifiers {
    /// What the user pool is called as a provider of logins.
    package var providerName: String { "cognito-idp.\(region).amazonaws.com/\(userPoolID)" }
}
