import Access
import Crypto
import JSON

/// What one loop knows of a provider, and how it asks: its description and its keys, which are kept for a while, and what a code
/// is worth.
///
///     description ─▶ code for tokens ─▶ keys ─▶ ID token proved ─▶ claims, with what the provider tells beside
///
/// While a provider does not answer, it is not asked again for a few seconds, whoever tries; what was known before goes on being
/// used for a day.
final class ProviderConnection {
    private let provider: IdentityProvider
    private let report: @Sendable (String) -> Void
    private var document: ProviderDocument?
    private var readAt = Int64.min
    private var triedAt = Int64.min
    private var failure: ProviderFault?
    private var isLoading = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var keys: KeySetStore?
    private var keysAddress: String?

    init(_ provider: IdentityProvider, report: @escaping @Sendable (String) -> Void) {
        self.provider = provider
        self.report = report
        document = provider.endpoints.map(ProviderDocument.init)
    }

    // MARK: What it says of itself

    /// Where its doors are. `now` is in seconds since 1970, here and in what follows.
    func document(using outside: any OutsideService, now: Int64) async throws(ProviderFault) -> ProviderDocument {
        if provider.endpoints == nil, age(at: now) > PoolLimits.providerDocumentSeconds {
            await load(using: outside, now)
        }
        if provider.endpoints == nil, age(at: now) > PoolLimits.providerStaleSeconds { document = nil }
        guard let document else { throw failure ?? .failed(provider, "it is being asked by too many") }
        return document
    }

    private func age(at now: Int64) -> Int64 { Self.seconds(from: readAt, to: now) }

    private static func seconds(from past: Int64, to now: Int64) -> Int64 { past == .min ? .max : now - past }

    private func load(using outside: any OutsideService, _ now: Int64) async {
        guard !isLoading else {
            guard waiters.count < PoolLimits.providerWaitersMax else { return }
            return await withCheckedContinuation { waiters.append($0) }
        }
        guard Self.seconds(from: triedAt, to: now) >= PoolLimits.providerRetrySeconds else { return }
        isLoading = true
        triedAt = now
        do throws(ProviderFault) {
            let base = provider.issuer.hasSuffix("/") ? String(provider.issuer.dropLast()) : provider.issuer
            let bytes = try await answer(
                of: outside, to: "\(base)/.well-known/openid-configuration", fields: [("accept", "application/json")])
            document = try ProviderDocument(bytes, of: provider)
            readAt = now
            failure = nil
        } catch {
            failure = error
            if document != nil, let reason = error.reason { report(reason) }
        }
        isLoading = false
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }

    // MARK: What a code is worth

    /// Who has signed in there: the claims of the ID token that the provider gives for its code.
    func claims(
        for code: String, of state: ProviderState, using outside: any OutsideService, now: Int64
    ) async throws(ProviderFault) -> JSONObject {
        let document = try await document(using: outside, now: now)
        let tokens = try await tokens(for: code, of: state, document, using: outside, now: now)
        guard let text = tokens["id_token"]?.string else { throw .refused(provider, "there is no ID token in it") }
        let accessToken = tokens["access_token"]?.string
        let token = try ProviderToken(text, of: provider)
        let key = try await key(of: token, document, using: outside, now: now)
        var claims = try token.claims(
            signedBy: key, of: provider, nonce: state.nonce, accessToken: accessToken, now: now)
        guard provider.kind == .oidc, let place = document.endpoints.userInfo, let accessToken else { return claims }
        let told = try await userInfo(at: place, accessToken, using: outside)
        guard told["sub"]?.text == claims["sub"]?.text else {
            throw .refused(provider, "it tells of somebody else than its ID token")
        }
        // What is signed counts.
        for member in told where claims[member.key] == nil { claims.set(member.key, to: member.value) }
        return claims
    }

    private func tokens(
        for code: String, of state: ProviderState, _ document: ProviderDocument, using outside: any OutsideService,
        now: Int64
    ) async throws(ProviderFault) -> JSONObject {
        var form = FormPairs()
        form.append("grant_type", "authorization_code")
        form.append("code", code)
        form.append("redirect_uri", state.redirect)
        form.append("client_id", provider.clientID)
        form.append("code_verifier", state.verifier)
        var fields = [("accept", "application/json"), ("content-type", HostedRequest.formType)]
        let secret: String? =
            switch provider.proof {
            case .none: nil
            case .secret(let secret): secret
            case .apple(let key): key.secret(of: provider.clientID, for: provider.issuer, now: now)
            }
        if let secret {
            if document.takesSecretAsPassword {
                // Both are in escapes there (RFC 6749, 2.3.1).
                let pair = "\(FormPairs.encoded(provider.clientID)):\(FormPairs.encoded(secret))"
                fields.append(("authorization", "Basic \(Base64.text(of: Array(pair.utf8), .standard))"))
            } else {
                form.append("client_secret", secret)
            }
        }
        let bytes = try await answer(
            of: outside, to: document.endpoints.token, method: "POST", fields: fields, body: Array(form.encoded.utf8))
        return try object(bytes, "its answer to the code")
    }

    private func key(
        of token: ProviderToken, _ document: ProviderDocument, using outside: any OutsideService, now: Int64
    ) async throws(ProviderFault) -> PublicKey {
        let keys = keys(at: document.endpoints.keys)
        var answer = keys.key(token.token.keyID, for: token.algorithm, now: now)
        if case .needsDownload = answer {
            await keys.download(using: outside, now: now)
            answer = keys.key(token.token.keyID, for: token.algorithm, now: now, isLast: true)
        }
        guard case .key(let key) = answer else {
            throw .refused(provider, "its ID token is signed by a key that it does not have")
        }
        return key
    }

    private func keys(at address: String) -> KeySetStore {
        if let keys, keysAddress.map({ ByteText($0) }) == ByteText(address) { return keys }
        let made = KeySetStore(.provider(provider.issuer, keys: .url(address)), report: report)
        keys = made
        keysAddress = address
        return made
    }

    private func userInfo(
        at place: String, _ accessToken: String, using outside: any OutsideService
    ) async throws(ProviderFault) -> JSONObject {
        guard accessToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .refused(provider, "its access token has characters that none has")
        }
        let bytes = try await answer(
            of: outside, to: place,
            fields: [("accept", "application/json"), ("authorization", "Bearer \(accessToken)")])
        return try object(bytes, "what it tells of its user")
    }

    // MARK: Asking

    private func object(_ bytes: [UInt8], _ what: String) throws(ProviderFault) -> JSONObject {
        let limits = JSONLimits(
            bytesMax: PoolLimits.providerAnswerBytesMax, nestingMax: PoolLimits.bodyNestingMax)
        guard let object = try? JSONReader.value(of: bytes, limits: limits).object else {
            throw .failed(provider, "\(what) is no JSON object")
        }
        return object
    }

    private func answer(
        of outside: any OutsideService, to place: String, method: String = "GET",
        fields: [(name: String, value: String)], body: [UInt8] = []
    ) async throws(ProviderFault) -> [UInt8] {
        let response: OutsideResponse
        do throws(OutsideError) {
            response = try await outside.send(
                OutsideRequest(
                    method: method, url: place, fields: fields, body: body,
                    timeoutMilliseconds: PoolLimits.providerTimeoutMilliseconds,
                    responseBytesMax: PoolLimits.providerAnswerBytesMax))
        } catch {
            throw .failed(provider, "\(place): \(error)")
        }
        guard response.status == 200 else {
            // What it says of a code that it does not take is in its own words, without secrets of ours.
            let content = try? JSONReader.value(of: response.body)
            let error = content?["error"]?.string.map { ", \($0.prefix(80))" } ?? ""
            if method == "POST", (400..<500).contains(response.status) {
                throw .refused(provider, "it answers \(response.status) to the code\(Self.shown(error))")
            }
            throw .failed(provider, "\(place) answers \(response.status)\(Self.shown(error))")
        }
        return response.body
    }

    private static func shown(_ text: String) -> String {
        String(decoding: text.utf8.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
    }
}
