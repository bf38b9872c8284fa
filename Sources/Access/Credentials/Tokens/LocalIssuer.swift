import Crypto
import JSON

/// Issues tokens of the pool that is built in without a sign-in: with it a person tries rules in a minute.
package struct LocalIssuer: Sendable {
    private let signer: TokenSigner
    private let poolID: String
    private let clientID: String
    private let issuer: String

    /// - Parameter base: scheme and authority of the server, which the issuer begins with.
    package init(_ signer: TokenSigner, ofPool poolID: String, clientID: String, base: String) {
        self.signer = signer
        self.poolID = poolID
        self.clientID = clientID
        issuer = "\(base)/\(poolID)"
    }

    /// The issuer, as a server is told of those whose tokens are good.
    package var tokenIssuer: TokenIssuer {
        .builtInPool(poolID, keys: .fixed(KeySet(signer.publicKey, id: signer.keyID)), clientIDs: [clientID])
    }

    /// Its public key, for others (RFC 7517).
    package var keySet: JSONValue { .object([("keys", .array([Self.entry(signer.publicKey, id: signer.keyID)]))]) }

    /// A public key as a member of the set that others verify with (RFC 7517).
    package static func entry(_ key: PublicKey, id: String) -> JSONValue {
        let numbers = key.rsaNumbers
        return .object([
            ("kty", "RSA"), ("use", "sig"), ("alg", "RS256"), ("kid", .string(id)),
            ("n", .string(Base64.text(of: numbers?.modulus ?? []))),
            ("e", .string(Base64.text(of: numbers?.exponent ?? []))),
        ])
    }

    /// What a token of a user pool is for.
    package enum Use: String, Sendable, CaseIterable {
        /// It tells an app who its user is.
        case id
        /// It is what Amplify's libraries send to an API.
        case access
    }

    /// The scope of who has signed in by the API of a user pool.
    private static let scope = "aws.cognito.signin.user.admin"

    /// A token like those of a user pool. `claims` are added, over those that it has anyway.
    package func token(
        _ use: Use = .id, username: String, groups: [String] = [], claims: JSONObject = JSONObject(),
        lifeSeconds: Int64 = 3_600, now: Int64 = Timestamp.now.seconds
    ) -> String {
        var all = JSONObject([("sub", .string(Self.subject(of: username))), ("iss", .string(issuer))])
        switch use {
        case .id:
            all.set("aud", to: .string(clientID))
            all.set("token_use", to: "id")
            all.set("cognito:username", to: .string(username))
        case .access:
            all.set("client_id", to: .string(clientID))
            all.set("token_use", to: "access")
            all.set("scope", to: .string(Self.scope))
            all.set("username", to: .string(username))
            // Without it, Amplify's JavaScript does not give a token back when its user signs out.
            for name in ["origin_jti", "jti"] {
                all.set(name, to: .string(Self.identifier(RandomBytes.make(count: 16))))
            }
        }
        all.set("auth_time", to: .integer(now))
        all.set("iat", to: .integer(now))
        all.set("exp", to: .integer(now.addingReportingOverflow(lifeSeconds).partialValue))
        if !groups.isEmpty { all["cognito:groups"] = .array(groups.map(JSONValue.string)) }
        for member in claims { all[member.key] = member.value }
        return signed(all)
    }

    /// Any claims, signed.
    package func signed(_ claims: JSONObject) -> String {
        signer.token(claims: JSONWriter.bytes(of: .object(claims)))
    }

    /// The same name has the same subject, in the form that Cognito gives it.
    package static func subject(of username: String) -> String {
        identifier(Array(Digest.sha256.of(Array("homeport-user:\(username)".utf8)).prefix(16)))
    }

    /// Sixteen bytes in the form of a UUID.
    private static func identifier(_ bytes: [UInt8]) -> String {
        let digits = Hexadecimal.text(of: bytes)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
            String(digits.dropFirst(range.lowerBound).prefix(range.count))
        }
        return parts.joined(separator: "-")
    }
}

extension JSONValue {
    fileprivate static func object(_ members: [(String, JSONValue)]) -> JSONValue { .object(JSONObject(members)) }
}
