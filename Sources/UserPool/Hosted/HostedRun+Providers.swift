import Access
import Crypto
import JSON
import Store

/// Signing in at a provider, and coming back from it.
///
///     /oauth2/authorize?identity_provider=NAME ─▶ the provider's own page ─▶ /oauth2/idpresponse ─▶ the app, with a code
///
/// What is needed on the way back travels with the browser, sealed, and is good for that browser, once.
extension HostedRun {
    /// The providers that can be asked for: a stand-in believes everybody, so it is there for this machine alone.
    var usableProviders: [IdentityProvider] {
        settings.providers.filter { !$0.isStandIn || request.isFromThisMachine }
    }

    /// Sends somebody to a provider's page.
    func send(
        _ authorization: AuthorizationRequest, to provider: IdentityProvider
    ) async throws(HostedFault) -> HostedAnswer {
        let cookie = cookie
        let state = ProviderState(provider, for: authorization, in: cookie, base: request.base, now: now)
        guard let sealed = state.sealed(by: pool.pageSeal) else {
            throw .app(authorization, .request("the request is too long to be sent along to a provider"))
        }
        let document: ProviderDocument
        do throws(ProviderFault) {
            document = try await connection(to: provider).document(using: outside(of: provider), now: now / 1_000)
        } catch {
            throw told(error, authorization)
        }
        var pairs = FormPairs()
        pairs.append("response_type", "code")
        pairs.append("client_id", provider.clientID)
        pairs.append("redirect_uri", state.redirect)
        pairs.append("scope", provider.scopes.joined(separator: " "))
        pairs.append("state", sealed)
        pairs.append("nonce", state.nonce)
        pairs.append("code_challenge", state.challenge)
        pairs.append("code_challenge_method", "S256")
        if provider.answersByForm { pairs.append("response_mode", "form_post") }
        if let hint = authorization.hint { pairs.append("login_hint", hint) }
        // Whoever is sent there although they are signed in here is to prove anew who they are.
        if authorization.demandsSignIn || authorization.ageMax != nil { pairs.append("prompt", "login") }
        let page = provider.isStandIn ? HostedPath.standIn.rawValue : document.endpoints.authorization
        var answer = redirect(to: "\(page)\(page.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")\(pairs.encoded)")
        keep(cookie, &answer)
        return answer
    }

    private func connection(to provider: IdentityProvider) -> ProviderConnection {
        shard.connection(to: provider, report: pool.report)
    }

    private func outside(of provider: IdentityProvider) throws(ProviderFault) -> any OutsideService {
        if provider.isStandIn { return pool.standIn }
        guard let outside = shard.outside else { throw .failed(provider, "there is no way out") }
        return outside
    }

    /// What the app is told, where the log is told more.
    private func told(_ fault: ProviderFault, _ authorization: AuthorizationRequest) -> HostedFault {
        if let reason = fault.reason { pool.report("sign-in at \(reason)") }
        return .app(authorization, fault.answer)
    }

    // MARK: Coming back

    /// `/oauth2/idpresponse`: what a provider has answered, as a browser brings it.
    func takeProviderAnswer() async throws(HostedFault) -> HostedAnswer {
        guard request.method == .get else { return try bringToSameSite() }
        guard let query = request.query else { throw Self.foreignAnswer }
        guard let text = query["state"], let state = ProviderState(text, openedBy: pool.pageSeal),
            state.isOf(cookie), state.expires > now,
            let provider = usableProviders.first(where: { ByteText($0.name) == ByteText(state.provider) })
        else { throw Self.foreignAnswer }
        let authorization = try AuthorizationRequest(FormPairs(state.query.utf8), of: pool.clients)
        let isFirst = try await orFault { () async throws(PoolError) in
            try await run().write { change throws(PoolError) in try change.use(state.id, until: state.expires) }
        }
        guard isFirst else { throw Self.foreignAnswer }
        if let issuer = query["iss"], !provider.isIssuer(issuer) {
            throw told(.refused(provider, "the answer is another provider's"), authorization)
        }
        if let error = query["error"] { throw .app(authorization, ProviderFault.told(provider, error)) }
        guard let code = query["code"], !code.isEmpty, code.utf8.count <= PoolLimits.providerCodeBytesMax else {
            throw told(.refused(provider, "there is no code in it"), authorization)
        }
        let claims: JSONObject
        do throws(ProviderFault) {
            claims = try await connection(to: provider).claims(
                for: code, of: state, using: outside(of: provider), now: now / 1_000)
        } catch {
            throw told(error, authorization)
        }
        let arrival = ProviderArrival(provider, claims, person: query["user"])
        let flow = run(["ClientId": .string(authorization.client.id)])
        return try await orTold(authorization) { () async throws(PoolError) in
            try await goOn(with: flow.signIn(arrival, for: authorization.client), authorization)
        }
    }

    /// A form from the provider's page comes without our cookie, for it is another site's. Sent once more by its browser, as an
    /// address, it comes with it.
    private func bringToSameSite() throws(HostedFault) -> HostedAnswer {
        guard let form = request.form, let state = form["state"],
            ProviderState(state, openedBy: pool.pageSeal) != nil
        else { throw Self.foreignAnswer }
        let limits = [
            ("state", 2 * PoolLimits.providerStateBytesMax), ("code", PoolLimits.providerCodeBytesMax),
            ("user", PoolLimits.providerPersonBytesMax), ("error", PoolLimits.providerPersonBytesMax),
            ("iss", PoolLimits.providerPersonBytesMax),
        ]
        var pairs = FormPairs()
        for (name, bytesMax) in limits {
            guard let value = form[name] else { continue }
            guard value.utf8.count <= bytesMax else { throw Self.foreignAnswer }
            pairs.append(name, value)
        }
        var answer = redirect(to: "\(HostedPath.providerAnswer.rawValue)?\(pairs.encoded)")
        answer.status = 303
        return answer
    }

    private static let foreignAnswer = HostedFault.wrong(
        "This sign-in was begun with another browser or too long ago, or it was finished before. Please begin it again in the app."
    )

    /// Tells the app why the pool refuses somebody who has come by a provider.
    private func orTold(
        _ authorization: AuthorizationRequest, _ work: () async throws(PoolError) -> HostedAnswer
    ) async throws(HostedFault) -> HostedAnswer {
        do throws(PoolError) { return try await work() } catch {
            if let reason = error.reason { pool.report("\(request.path.rawValue): \(reason)") }
            let code =
                switch error.status {
                case 500: "server_error"
                case 429: "temporarily_unavailable"
                default: "invalid_request"
                }
            throw .app(authorization, AuthorizationFault(error: code, description: error.message))
        }
    }

    // MARK: The stand-in's page

    /// `/oauth2/stand-in`: asks who somebody wants to be, as a provider's page would ask who they are.
    func standIn() async throws(HostedFault) -> HostedAnswer {
        guard let query = request.query, let text = query["state"],
            let state = ProviderState(text, openedBy: pool.pageSeal), state.isOf(cookie), state.expires > now,
            let provider = usableProviders.first(where: { ByteText($0.name) == ByteText(state.provider) }),
            provider.isStandIn, let redirect = query["redirect_uri"], ByteText(redirect) == ByteText(state.redirect),
            let nonce = query["nonce"], let challenge = query["code_challenge"]
        else { throw Self.foreignAnswer }
        let authorization = try AuthorizationRequest(FormPairs(state.query.utf8), of: pool.clients)
        let page = StandInPage(run: self, provider: provider, authorization: authorization, query: query)
        guard request.method == .post else { return page.answer() }
        guard let form = ownForm else { return page.answer(problem: Self.foreignForm, status: 403) }
        func back(_ name: String, _ value: String) -> HostedAnswer {
            var pairs = FormPairs()
            pairs.append(name, value)
            pairs.append("state", text)
            return self.redirect(to: "\(redirect)?\(pairs.encoded)", formTarget: authorization.redirect)
        }
        guard form["cancel"] == nil else { return back("error", "access_denied") }
        let email = form["email"] ?? ""
        guard ContactAddress.isEmail(email) else {
            return page.answer(problem: "This is no e-mail address.", status: 400)
        }
        let name = form["name"] ?? ""
        guard name.utf8.count <= AttributeSchema.valueBytesMax else {
            return page.answer(problem: "This name is too long.", status: 400)
        }
        let person = StandIn.Person(
            email: email,
            name: name.isEmpty ? String(Substring(email.utf8.prefix { $0 != UInt8(ascii: "@") })) : name)
        return back(
            "code",
            pool.standIn.code(for: person, provider, nonce: nonce, challenge: challenge, redirect: redirect))
    }
}
