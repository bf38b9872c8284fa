import Blueprint
import Crypto
import JSON

/// Recognises callers by what their requests prove. One for each loop, used on that loop's thread only.
///
///     x-api-key                           an API key
///     authorization: AWS4-HMAC-SHA256 …   a signature of IAM credentials
///     authorization: <token>              a token of an issuer, else one for the Lambda authorizer
///
/// Where a request has both fields, the token or signature counts if it is good, else the key.
package final class Authenticator: @unchecked Sendable {
    // Safe to share: other threads just hold the reference.

    private let modes: Set<AuthMode>
    private let keys: APIKeyRing
    private var signatures: SignatureVerifier
    /// By issuer.
    private let issuers: [ByteText: (check: TokenCheck, keys: KeySetStore)]
    /// The pool that is built in has as many names as the server has addresses. Nil where it is none of the API's.
    private let builtIn: String?
    private let authorizer: LambdaAuthorizer?
    private let now: @Sendable () -> Int64
    private let report: @Sendable (String) -> Void
    private var hasToldOfPublished = false
    private var verified = GenerationCache<Identity>(countMax: AccessLimits.rememberedTokensMax)

    /// Who is calling, as far as can be told at once.
    package enum Answer: Sendable {
        case identity(Identity)
        case refused(Refusal)
        /// Keys must be downloaded, or an authorizer asked.
        case pending(PendingIdentity)
    }

    /// Throws when a pattern of the settings is none.
    ///
    /// - Parameters:
    ///   - memory: what the Lambda authorizer has said, for all loops.
    ///   - report: gets what a person should know, such as keys that cannot be downloaded.
    package init(
        _ settings: CredentialSettings, sharing memory: AuthorizerMemory = AuthorizerMemory(),
        now: @escaping @Sendable () -> Int64 = { Timestamp.now.seconds },
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        modes = settings.modes
        keys = APIKeyRing(settings.apiKeys)
        signatures = SignatureVerifier(
            settings.principals, SignatureDemands(service: settings.signedService))
        issuers = Dictionary(
            texts: try settings.issuers.filter { settings.modes.contains($0.mode) }.map { issuer in
                (issuer.issuer, (try TokenCheck(issuer), KeySetStore(issuer, report: report)))
            }, uniquingKeysWith: { first, _ in first })
        builtIn = settings.issuers.first { $0.isBuiltIn && settings.modes.contains($0.mode) }?.issuer
        authorizer =
            settings.modes.contains(.lambda)
            ? try settings.authorizer.map { try LambdaAuthorizer($0, sharing: memory, report: report) } : nil
        self.now = now
        self.report = report
    }

    /// Lets those in who sign with keys that were given out for a time. Called before the first request.
    package func accept(_ temporary: any TemporaryCredentials) {
        signatures.temporary = temporary
    }

    /// Who is calling. Hot path for keys and for tokens that were seen before.
    package func identify(_ request: CredentialRequest) -> Answer { identify(request.fields) { request } }

    /// The same of a request that is made only for a token or a signature: a key needs the fields alone.
    package func identify(_ fields: any CredentialFields, of request: () -> CredentialRequest) -> Answer {
        let sentKey = ShownCredential(fields.values(of: "x-api-key"))
        let sentToken = ShownCredential(fields.values(of: "authorization").filter { !$0.isEmpty })
        // Two that differ: whoever stands between may have looked at the other one.
        guard !sentKey.isContradictory, !sentToken.isContradictory else {
            return .refused(.notAuthorized.because("the request shows two credentials of one kind that differ"))
        }
        let now = now()
        let keyHolder =
            modes.contains(.apiKey)
            ? sentKey.value.flatMap {
                keys.identity(of: $0, now: now, isFromThisMachine: fields.areFromThisMachine)
            } : nil
        guard let token = sentToken.value else {
            if let keyHolder { return .identity(keyHolder) }
            if let key = sentKey.value { tellOfPublished(key, now: now) }
            guard let key = sentKey.value else {
                return .refused(.noCredential.because("the request has neither x-api-key nor authorization"))
            }
            return .refused(.notAuthorized.because(fault(of: key, now: now)))
        }
        let answer = identify(token, of: request(), now: now)
        guard let keyHolder else { return answer }
        switch answer {
        case .identity: return answer
        case .refused: return .identity(keyHolder)
        case .pending(let pending): return .pending(pending.otherwise(keyHolder))
        }
    }

    /// Returns whether the proof of an identity still holds. The identity has the proof's end, where there is one.
    package func isInForce(_ identity: Identity) -> Bool { identity.expires.map { now() < $0 } ?? true }

    /// Why a request will be refused whatever its body is: it shows nothing, or a key that is none. Nil where its body
    /// must be known, or somebody must be asked. Reads what never changes only, so any thread may ask.
    package func refusal(ofHead fields: any CredentialFields) -> Refusal? {
        let sentKey = ShownCredential(fields.values(of: "x-api-key"))
        let sentToken = ShownCredential(fields.values(of: "authorization").filter { !$0.isEmpty })
        guard !sentKey.isContradictory, !sentToken.isContradictory else { return .notAuthorized }
        guard sentToken.value == nil else { return nil }
        guard let key = sentKey.value else { return .noCredential }
        let holder =
            modes.contains(.apiKey)
            ? keys.identity(of: key, now: now(), isFromThisMachine: fields.areFromThisMachine) : nil
        return holder == nil ? .notAuthorized : nil
    }

    /// Says once why a key that is configured was refused.
    private func tellOfPublished(_ key: String, now: Int64) {
        guard !hasToldOfPublished, modes.contains(.apiKey),
            keys.identity(of: key, now: now, isFromThisMachine: true) != nil
        else { return }
        hasToldOfPublished = true
        report(
            "a request with an API key that everybody knows was refused: it did not come from this machine, or through a "
                + "proxy; those clients need a key of your own, in auth.apiKeys")
    }

    /// Why a key was refused. It is never named.
    private func fault(of key: String, now: Int64) -> String {
        guard modes.contains(.apiKey) else { return "API_KEY is no mode of this API" }
        if keys.identity(of: key, now: now, isFromThisMachine: true) != nil {
            return "the API key is one that everybody knows, and the request did not come from this machine"
        }
        return keys.identity(of: key, now: .min, isFromThisMachine: true) == nil
            ? "the API key is none of auth.apiKeys" : "the API key has ended"
    }

    /// Why nobody answers for a token's issuer.
    private func fault(ofIssuer issuer: String?) -> String {
        guard let issuer else { return "the token names no issuer" }
        if let builtIn, let pool = TokenIssuer.builtInPool(of: issuer) {
            return
                "the token is of the user pool \(pool.prefix(60)), and this server's is \(builtIn): it was printed from "
                + "another data folder (--data)"
        }
        let known = issuers.keys.sorted().map(\.string).joined(separator: ", ")
        let name = String(issuer.prefix(200))
        return known.isEmpty
            ? "the token is of \(name), and this API takes no tokens of issuers"
            : "the token is of \(name), and this API takes those of \(known)"
    }

    private func identify(_ text: String, of request: CredentialRequest, now: Int64) -> Answer {
        if SignatureHeader.begins(text) { return identifySigner(text, of: request, now: now) }
        let token = Self.withoutScheme(text)
        if let identity = verified.value(of: token, now: now) { return .identity(identity) }
        guard let parsed = JSONWebToken(token) else {
            return ask(about: token, of: request, now: now)
                ?? .refused(.unparsableToken.because("authorization is neither a token nor a signature"))
        }
        guard let issuer = knownIssuer(parsed.claims["iss"]?.string) else {
            return ask(about: token, of: request, now: now)
                ?? .refused(.notAuthorized.because(fault(ofIssuer: parsed.claims["iss"]?.string)))
        }
        return verify(token, parsed, from: issuer, now: now, isLast: false)
    }

    /// What an issuer is kept under here; nil for one that nobody answers for.
    private func knownIssuer(_ name: String?) -> String? {
        guard let name else { return nil }
        if let builtIn, TokenIssuer.isAddress(name, ofPool: builtIn) { return builtIn }
        guard let issuer = issuers[name], !issuer.check.issuer.isBuiltIn else { return nil }
        return name
    }

    private static func withoutScheme(_ text: String) -> String {
        let scheme = "bearer "
        guard text.utf8.prefix(scheme.utf8.count).map({ $0 | 0x20 }).elementsEqual(scheme.utf8) else { return text }
        return String(text.dropFirst(scheme.count)).trimmingBlanks
    }

    private func identifySigner(_ text: String, of request: CredentialRequest, now: Int64) -> Answer {
        guard modes.contains(.iam) else {
            return .refused(.notAuthorized.because("the request is signed, and AWS_IAM is no mode of this API"))
        }
        do throws(Refusal) {
            return .identity(try signatures.identity(of: request, signedBy: text, now: now))
        } catch {
            return .refused(error)
        }
    }

    // Tokens of issuers.

    private func verify(
        _ text: String, _ token: JSONWebToken, from name: String, now: Int64, isLast: Bool
    ) -> Answer {
        guard let issuer = issuers[name],
            let algorithm = SignatureAlgorithm(rawValue: token.algorithmName),
            issuer.check.issuer.algorithms.contains(algorithm)
        else {
            return .refused(.notAuthorized.because("the token is signed by an algorithm that its issuer does not use"))
        }
        let expiry: Int64
        do throws(Refusal) {
            expiry = try issuer.check.expiry(of: token, now: now)
        } catch {
            return .refused(error)
        }
        switch issuer.keys.key(token.keyID, for: algorithm, now: now, isLast: isLast) {
        case .none: return .refused(.notAuthorized.because(issuer.check.issuer.faultOfKey))
        case .needsDownload: return .pending(PendingIdentity(.keys(text, token, issuer: name), self))
        case .key(let key):
            guard key.verifies(token.signature, of: token.signed, by: algorithm) else {
                return .refused(.notAuthorized.because(issuer.check.issuer.faultOfKey))
            }
            let identity = Identity(
                mode: issuer.check.issuer.mode, proof: .token(TokenClaims(claims: token.claims)), expires: expiry)
            // A key that its issuer takes back must not be good for ever.
            verified.insert(identity, for: text, expires: min(expiry, now + AccessLimits.keySetLifeSeconds))
            return .identity(identity)
        }
    }

    fileprivate func verifyAfterDownload(
        _ text: String, _ token: JSONWebToken, from name: String, using outside: any OutsideService
    ) async throws(Refusal) -> Identity {
        await issuers[name]?.keys.download(using: outside, now: now())
        switch verify(text, token, from: name, now: now(), isLast: true) {
        case .identity(let identity): return identity
        case .refused(let refusal): throw refusal
        case .pending: throw .notAuthorized
        }
    }

    // The authorizer.

    private func ask(about token: String, of request: CredentialRequest, now: Int64) -> Answer? {
        guard let authorizer else { return nil }
        return switch authorizer.known(token, of: request, now: now) {
        case .success(let identity)?: .identity(identity)
        case .failure(let refusal)?: .refused(refusal)
        case nil: .pending(PendingIdentity(.authorizer(token, request), self))
        }
    }

    fileprivate func askAuthorizer(
        about token: String, of request: CredentialRequest, using outside: any OutsideService
    ) async throws(Refusal) -> Identity {
        guard let authorizer else { throw .notAuthorized }
        return try await authorizer.ask(token, of: request, using: outside, now: now)
    }
}

/// Who is calling, once somebody outside has answered.
package struct PendingIdentity: Sendable {
    fileprivate enum Question: Sendable {
        case keys(String, JSONWebToken, issuer: String)
        case authorizer(String, CredentialRequest)
    }

    private let question: Question
    private let authenticator: Authenticator
    private var fallback: Identity?

    /// True if an authorizer has to be asked.
    package var asksAuthorizer: Bool {
        if case .authorizer = question { true } else { false }
    }

    fileprivate init(_ question: Question, _ authenticator: Authenticator) {
        self.question = question
        self.authenticator = authenticator
    }

    fileprivate func otherwise(_ identity: Identity) -> PendingIdentity {
        var pending = self
        pending.fallback = identity
        return pending
    }

    /// Waits for the answer. `outside` is that of the loop on which the request is.
    package func identity(using outside: any OutsideService) async throws(Refusal) -> Identity {
        do throws(Refusal) {
            switch question {
            case .keys(let text, let token, let issuer):
                return try await authenticator.verifyAfterDownload(text, token, from: issuer, using: outside)
            case .authorizer(let token, let request):
                return try await authenticator.askAuthorizer(about: token, of: request, using: outside)
            }
        } catch {
            if let fallback { return fallback }
            throw error
        }
    }
}
