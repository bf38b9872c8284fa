@testable import Access
import Crypto
import JSON

/// A caller with a token, and what the token says.
struct TokenIdentity: Sendable {
    private enum Kind {
        case identity, access, provider
    }

    static let poolIssuer = "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Conform01"
    static let providerIssuer = "https://oidc.homeport.test"
    static let clientID = "conformanceclient01"

    /// Signs for both issuers: the server is given one set of keys for them. Making the key takes tenths of a second.
    static let signer = LocalIssuer(
        TokenSigner(.makeRSA()), ofPool: "us-east-1_Conform01", clientID: clientID,
        base: "https://cognito-idp.us-east-1.amazonaws.com")

    private let kind: Kind
    private let subject: String
    private let username: String
    private let groups: [JSONValue]
    private let issuer: String
    private let clientID: String
    private let lifeSeconds: Int64
    private let hasGoodSignature: Bool
    /// Claims over those that it has anyway; null takes one out.
    private let claims: JSONObject

    init(_ fields: CaseFields, isOfUserPool: Bool) throws(CaseFormError) {
        try fields.expectOnly([
            "type", "username", "sub", "groups", "token", "issuer", "clientId", "expiresIn", "signature", "claims",
        ])
        switch try (isOfUserPool, fields.text("token", or: "id")) {
        case (false, _): kind = .provider
        case (true, "id"): kind = .identity
        case (true, "access"): kind = .access
        case (true, let other): throw CaseFormError("a user pool has no \(other) tokens")
        }
        subject = try fields.text("sub", or: fields.text("username", or: "subject"))
        username = try fields.text("username", or: subject)
        groups = try fields.array("groups")
        issuer = try fields.text("issuer", or: isOfUserPool ? Self.poolIssuer : Self.providerIssuer)
        clientID = try fields.text("clientId", or: Self.clientID)
        lifeSeconds = Int64(try fields.integer("expiresIn", or: 3_600))
        hasGoodSignature = try fields.text("signature", or: "good") != "bad"
        claims = try fields.object("claims")
    }

    /// The token, as it would be issued now.
    func token(now: Int64 = Timestamp.now.seconds) -> String {
        let token = Self.signer.signed(allClaims(now: now))
        return hasGoodSignature ? token : Self.spoiled(token)
    }

    private func allClaims(now: Int64) -> JSONObject {
        // One that has expired was issued before it did.
        let issued = min(now, now + lifeSeconds - 60)
        var all = JSONObject([
            ("sub", .string(subject)), ("iss", .string(issuer)), ("iat", .integer(issued)),
            ("auth_time", .integer(issued)), ("exp", .integer(now + lifeSeconds)),
        ])
        if kind != .provider {
            all["event_id"] = "00000000-0000-4000-8000-000000000000"
            all["jti"] = .string("jti-\(subject)")
            if !groups.isEmpty { all["cognito:groups"] = .array(groups) }
        }
        switch kind {
        case .provider:
            all["aud"] = .string(clientID)
        case .access:
            all["token_use"] = "access"
            all["username"] = .string(username)
            all["client_id"] = .string(clientID)
            all["scope"] = "aws.cognito.signin.user.admin"
        case .identity:
            all["token_use"] = "id"
            all["cognito:username"] = .string(username)
            all["aud"] = .string(clientID)
            all["email"] = .string("\(username)@example.test")
            all["email_verified"] = true
        }
        for member in claims {
            if member.value.isNull { all.remove(member.key) } else { all.set(member.key, to: member.value) }
        }
        return all
    }

    /// The token with another signature.
    static func spoiled(_ token: String) -> String {
        let parts = token.split(separator: ".")
        var signature = Base64.bytes(of: (parts.last ?? "").utf8) ?? []
        if let first = signature.first { signature[0] = ~first }
        return (parts.dropLast().map(String.init) + [Base64.text(of: signature)]).joined(separator: ".")
    }
}
