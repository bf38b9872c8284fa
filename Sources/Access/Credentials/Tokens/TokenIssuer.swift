import Blueprint
import Crypto
import JSON
import Patterns

/// Somebody whose tokens are good, and what must hold for them.
package struct TokenIssuer: Sendable {
    /// Where the issuer's keys are.
    package enum Keys: Sendable {
        /// At hand, and never changing.
        case fixed(KeySet)
        /// On this machine, read whenever they are looked up. The room reads no files: the closure does, at most that many
        /// bytes.
        case local(name: String, read: @Sendable (_ bytesMax: Int) -> [UInt8]?)
        case url(String)
        /// Where the issuer's own description says (`/.well-known/openid-configuration`).
        case discovered
    }

    /// Which clients of the issuer may use the API.
    package enum Clients: Sendable {
        case all
        case named(Set<ByteText>)
        /// Those whose identifier matches a `Pattern`, which is to say as a whole.
        case matching(String)
    }

    /// `.userPools` or `.oidc`.
    package let mode: AuthMode
    /// What tokens say that issued them; of the pool that is built in, its identifier alone: before it stands the address by
    /// which the server was called.
    package let issuer: String
    package let isBuiltIn: Bool
    package let keys: Keys
    package let clients: Clients
    /// How many milliseconds a token is good after it was issued, or its owner signed in; 0: as long as it says.
    package let issuedAtMilliseconds: Int64
    package let authenticatedMilliseconds: Int64
    package let algorithms: Set<SignatureAlgorithm>

    /// The tokens of the pool that is built in.
    package static func builtInPool(_ id: String, keys: Keys, clientIDs: [String]) -> TokenIssuer {
        TokenIssuer(
            mode: .userPools, issuer: id, isBuiltIn: true, keys: keys, clients: .named(Set(texts: clientIDs)),
            issuedAtMilliseconds: 0, authenticatedMilliseconds: 0, algorithms: [.rs256])
    }

    /// Returns whether a text names this issuer.
    package func isNamed(_ text: String) -> Bool {
        isBuiltIn ? Self.isAddress(text, ofPool: issuer) : text == issuer
    }

    /// Returns whether a text is a scheme, an authority and the pool's identifier, and nothing else: the issuer of a pool that may be
    /// called by several names.
    package static func isAddress(_ text: String, ofPool id: String) -> Bool {
        builtInPool(of: text).map { ByteText($0) == ByteText(id) } ?? false
    }

    /// The identifier at the end of such an issuer; nil for another one.
    static func builtInPool(of issuer: String) -> String? {
        let parts = issuer.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].elementsEqual("http:".utf8) || parts[0].elementsEqual("https:".utf8),
            parts[1].isEmpty, !parts[2].isEmpty, parts[3].contains(UInt8(ascii: "_"))
        else { return nil }
        return String(parts[3])
    }

    /// The tokens of a Cognito user pool. Without `keys`, they are where a pool has them.
    package static func userPool(_ issuer: String, keys: Keys? = nil, clientIDs: [String] = []) -> TokenIssuer {
        TokenIssuer(
            mode: .userPools, issuer: issuer, isBuiltIn: false, keys: keys ?? .url("\(issuer)/.well-known/jwks.json"),
            clients: clientIDs.isEmpty ? .all : .named(Set(texts: clientIDs)), issuedAtMilliseconds: 0,
            authenticatedMilliseconds: 0, algorithms: [.rs256, .rs384, .rs512])
    }

    /// The tokens of an OpenID Connect provider.
    package static func provider(
        _ issuer: String, keys: Keys? = nil, clientPattern: String? = nil, issuedAtMilliseconds: Int64 = 0,
        authenticatedMilliseconds: Int64 = 0
    ) -> TokenIssuer {
        TokenIssuer(
            mode: .oidc, issuer: issuer, isBuiltIn: false, keys: keys ?? .discovered,
            clients: clientPattern.map(Clients.matching) ?? .all, issuedAtMilliseconds: issuedAtMilliseconds,
            authenticatedMilliseconds: authenticatedMilliseconds,
            algorithms: [.rs256, .rs384, .rs512, .es256, .es384])
    }
}

/// What a token must say, checked before its signature: it costs less.
struct TokenCheck {
    let issuer: TokenIssuer
    /// Nil unless the issuer's clients are given by one.
    private let clientPattern: Pattern?

    init(_ issuer: TokenIssuer) throws(PatternError) {
        self.issuer = issuer
        clientPattern = if case .matching(let pattern) = issuer.clients { try Pattern(pattern) } else { nil }
    }

    /// Until when a token is good, in seconds since 1970, if its claims are.
    func expiry(of token: JSONWebToken, now: Int64) throws(Refusal) -> Int64 {
        guard let name = token.claims["iss"]?.string, issuer.isNamed(name), isForThisAPI(token) else {
            throw .notAuthorized.because("the token was made for another client of its issuer, or for another use")
        }
        guard let expires = token.time("exp") else {
            throw .notAuthorized.because("the token does not say when it ends")
        }
        let latest = now + AccessLimits.tokenSkewSeconds
        if token.claims["nbf"] != nil {
            guard let begins = token.time("nbf"), begins <= latest else {
                throw .notAuthorized.because("the token is not good yet: nbf")
            }
        }
        var expiry = expires
        for (claim, milliseconds) in [
            ("iat", issuer.issuedAtMilliseconds), ("auth_time", issuer.authenticatedMilliseconds),
        ] {
            guard token.claims[claim] != nil || milliseconds > 0 else { continue }
            guard let time = token.time(claim), time <= latest else {
                throw .notAuthorized.because("the token's \(claim) is missing, or lies ahead")
            }
            guard milliseconds > 0 else { continue }
            expiry = min(expiry, time.addingReportingOverflow(milliseconds / 1000).partialValue)
        }
        guard now < expiry else {
            throw .expiredToken.because(
                "the token ended \(now.subtractingReportingOverflow(expiry).partialValue) seconds ago")
        }
        return expiry
    }

    private func isForThisAPI(_ token: JSONWebToken) -> Bool {
        guard issuer.mode == .userPools else { return admits(audiences(token)) }
        switch token.claims["token_use"]?.string {
        case "id": return admits(audiences(token))
        case "access": return admits(token.claims["client_id"]?.string.map { [$0] } ?? [])
        default: return false
        }
    }

    /// Returns whether one of a token's clients may use the API. Nothing has proved the token yet: all of them together get the
    /// steps of one.
    private func admits(_ identifiers: [String]) -> Bool {
        switch issuer.clients {
        case .all: return true
        case .named(let names): return identifiers.contains { names.contains($0) }
        case .matching:
            guard let clientPattern else { return false }
            let steps = AccessLimits.patternStepsMax / max(1, identifiers.count)
            return identifiers.contains { clientPattern.outcome(of: $0, stepsMax: steps) == .matches }
        }
    }

    private func audiences(_ token: JSONWebToken) -> [String] {
        let audience =
            switch token.claims["aud"] {
            case .string(let name)?: [name]
            case .array(let names)?: names.compactMap(\.string)
            default: [String]()
            }
        guard issuer.mode == .oidc, let party = token.claims["azp"]?.string else { return audience }
        return audience + [party]
    }
}

extension TokenIssuer {
    /// Why a signature is not that of the issuer's keys.
    var faultOfKey: String {
        switch keys {
        case .local(let name, _):
            "the token is signed by another key than that of \(name); it was printed from another data folder (--data)"
        default: "the token is not signed by a key of \(issuer)"
        }
    }
}
