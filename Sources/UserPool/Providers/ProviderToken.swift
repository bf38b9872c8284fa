import Access
import Cloud
import Crypto
import JSON

/// What an ID token of a provider has to say (OpenID Connect Core, 3.1.3.7), beside being signed by it.
struct ProviderToken {
    let token: JSONWebToken
    let algorithm: SignatureAlgorithm

    /// Takes a token apart. Nothing in it is true yet.
    init(_ text: String, of provider: IdentityProvider) throws(ProviderFault) {
        guard let token = JSONWebToken(text) else { throw .refused(provider, "its ID token is none") }
        guard let algorithm = SignatureAlgorithm(rawValue: token.algorithmName) else {
            throw .refused(provider, "its ID token is signed in a way that is not taken")
        }
        self.token = token
        self.algorithm = algorithm
    }

    /// The claims, where the key has signed them and they are about this sign-in. `now` is in seconds since 1970.
    func claims(
        signedBy key: PublicKey, of provider: IdentityProvider, nonce: String, accessToken: String?, now: Int64
    ) throws(ProviderFault) -> JSONObject {
        guard key.verifies(token.signature, of: token.signed, by: algorithm) else {
            throw .refused(provider, "its ID token is not signed by its key")
        }
        let claims = token.claims
        guard let issuer = claims["iss"]?.string, provider.isIssuer(issuer) else {
            throw .refused(provider, "its ID token was issued by somebody else")
        }
        guard isFor(provider.clientID) else { throw .refused(provider, "its ID token is for somebody else") }
        guard let expires = token.time("exp"), expires > now else {
            throw .refused(provider, "its ID token has expired, or does not say when it does")
        }
        let latest = now + AccessLimits.tokenSkewSeconds
        guard let issued = token.time("iat"), issued <= latest else {
            throw .refused(provider, "its ID token does not say when it was issued, or names a time to come")
        }
        if claims["nbf"] != nil {
            guard let begins = token.time("nbf"), begins <= latest else {
                throw .refused(provider, "its ID token is not good yet")
            }
        }
        guard let told = claims["nonce"]?.string, ConstantTime.areEqual(told, nonce) else {
            throw .refused(provider, "its ID token belongs to another sign-in")
        }
        if let digest = claims["at_hash"] {
            guard let accessToken, digest.text == ByteText(halfDigest(of: accessToken)) else {
                throw .refused(provider, "its ID token belongs to another access token")
            }
        }
        guard let subject = claims["sub"]?.string, Self.isSubject(subject, of: provider) else {
            throw .refused(provider, "its ID token names nobody who could be a user here")
        }
        return claims
    }

    /// Of several audiences one has to be the party that the token was made for, or others could use theirs here.
    private func isFor(_ client: String) -> Bool {
        let client = ByteText(client)
        if let party = token.claims["azp"], party.text != client { return false }
        switch token.claims["aud"] {
        case .string(let name)?: return ByteText(name) == client
        case .array(let names)?:
            guard names.allSatisfy({ $0.string != nil }), names.contains(where: { $0.text == client }) else {
                return false
            }
            return names.count == 1 || token.claims["azp"] != nil
        default: return false
        }
    }

    /// What an ID token says of the access token beside it (OpenID Connect Core, 3.1.3.6).
    private func halfDigest(of accessToken: String) -> String {
        let digest = algorithm.digest.of(Array(accessToken.utf8))
        return Base64.text(of: Array(digest.prefix(digest.count / 2)))
    }

    /// Returns whether somebody can have a name here that ends so.
    private static func isSubject(_ text: String, of provider: IdentityProvider) -> Bool {
        !text.isEmpty && provider.userName(of: text).unicodeScalars.count <= PoolLimits.usernameLengthMax
            && MemberPattern.name.admits(text)
    }
}
