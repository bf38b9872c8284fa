import Crypto
import JSON

/// An issuer of tokens on this machine, with a key of its own: with it a person tries rules in a minute.
///
/// A server that is given this issuer accepts its tokens as those of a user pool.
package struct LocalIssuer: Sendable {
    package static let issuer = "https://homeport.invalid/local"
    package static let clientID = "homeport-local"

    private let key: PrivateKey
    private let keyID: String

    package init(_ key: PrivateKey) {
        self.key = key
        let modulus = key.publicKey.rsaNumbers?.modulus ?? []
        keyID = Base64.text(of: Array(Digest.sha256.of(modulus).prefix(12)))
    }

    /// The issuer, as a server is told of those whose tokens are good.
    package var tokenIssuer: TokenIssuer {
        .userPool(Self.issuer, keys: .fixed(KeySet(key.publicKey, id: keyID)), clientIDs: [Self.clientID])
    }

    /// Its public key, for others (RFC 7517).
    package var keySet: JSONValue {
        let numbers = key.publicKey.rsaNumbers
        return .object([
            (
                "keys",
                .array([
                    .object([
                        ("kty", "RSA"), ("use", "sig"), ("alg", "RS256"), ("kid", .string(keyID)),
                        ("n", .string(Base64.text(of: numbers?.modulus ?? []))),
                        ("e", .string(Base64.text(of: numbers?.exponent ?? []))),
                    ])
                ])
            )
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
        var all = JSONObject([("sub", .string(Self.subject(of: username))), ("iss", .string(Self.issuer))])
        switch use {
        case .id:
            all.set("aud", to: .string(Self.clientID))
            all.set("token_use", to: "id")
            all.set("cognito:username", to: .string(username))
        case .access:
            all.set("client_id", to: .string(Self.clientID))
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
        let header: JSONValue = .object([("alg", "RS256"), ("typ", "JWT"), ("kid", .string(keyID))])
        let parts = [header, .object(claims)].map { Base64.text(of: JSONWriter.bytes(of: $0)) }
        let text = parts.joined(separator: ".")
        let signature = key.signature(of: Array(text.utf8), by: .rs256) ?? []
        return "\(text).\(Base64.text(of: signature))"
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
