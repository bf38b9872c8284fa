import JSON
import Store

extension HostedRun {
    /// `/oauth2/authorize`: a code at once for who is signed in with this browser; else the way to the form.
    func authorize(_ authorization: AuthorizationRequest) async throws(HostedFault) -> HostedAnswer {
        let provider = try provider(of: authorization)
        if !authorization.demandsSignIn, let session = try await liveSession(authorization, by: provider),
            let answer = try await goBack(authorization, session: session)
        {
            return answer
        }
        guard !authorization.isSilent else { throw .app(authorization, .loginRequired) }
        if let provider { return try await send(authorization, to: provider) }
        return redirect(to: authorization.page(.login))
    }

    /// The provider that the app names; nil for the pool itself.
    func provider(of authorization: AuthorizationRequest) throws(HostedFault) -> IdentityProvider? {
        if let name = authorization.provider {
            if ByteText(name) == "COGNITO" { return nil }
            guard let provider = usableProviders.first(where: { ByteText($0.name) == ByteText(name) }) else {
                throw .app(authorization, .request("there is no provider \(name)"))
            }
            return provider
        }
        guard let identifier = authorization.providerIdentifier else { return nil }
        let found = usableProviders.first { provider in
            provider.identifiers.contains { ByteText($0) == ByteText(identifier) }
        }
        guard let found else { throw .app(authorization, .request("there is no provider for \(identifier)")) }
        return found
    }

    /// The name of the sign-in of this browser, where there is one that is good and young enough. Whoever is to come by a provider
    /// has to have come by that one.
    private func liveSession(
        _ authorization: AuthorizationRequest, by provider: IdentityProvider?
    ) async throws(HostedFault) -> String? {
        let cookie = cookie
        guard cookie.isKnown else { return nil }
        let now = now
        return try await orFault { () async throws(PoolError) in
            let found = try await run().read { reader throws(PoolError) -> SignInRecord? in
                guard let signIn = try reader.signIn(cookie.token.signIn), signIn.isOf(cookie.token),
                    try reader.pageUser(signIn, now: now) != nil
                else { return nil }
                return signIn
            }
            guard let signIn = found else { return nil }
            if let provider,
                PageSession.provider(of: signIn.scopes).map({ ByteText($0) }) != ByteText(provider.name)
            {
                return nil
            }
            if let ageMax = authorization.ageMax, (now - signIn.began) / 1_000 >= ageMax { return nil }
            return signIn.id
        }
    }

    /// Back to the app, with a code; nil where the sign-in has ended meanwhile.
    func goBack(
        _ authorization: AuthorizationRequest, session: String
    ) async throws(HostedFault) -> HostedAnswer? {
        let code = try await orFault { () async throws(PoolError) in
            try await run().write { change throws(PoolError) in
                try change.makeAuthorizationCode(for: authorization, session: session)
            }
        }
        return code.map { redirect(to: authorization.address([("code", $0)]), formTarget: authorization.redirect) }
    }

    /// Ends the sign-in of this browser.
    func endSession() async throws(HostedFault) {
        let cookie = cookie
        guard cookie.isKnown else { return }
        try await orFault { () async throws(PoolError) in
            let found = try await run().read { reader throws(PoolError) in try reader.signIn(cookie.token.signIn) }
            guard let signIn = found, signIn.isOf(cookie.token) else { return }
            try await run().write { change throws(PoolError) in
                _ = try change.change(SignInRecord.revocation, [.text(signIn.id)])
            }
        }
    }

    /// `/logout`: ends the browser's sign-in and goes back to the app, or to a new sign-in for it.
    func logOut() async throws(HostedFault) -> HostedAnswer {
        guard let query = request.query else {
            throw .wrong("The address of this page is not well-formed, or says something twice.")
        }
        let target: String
        if query["logout_uri"] != nil || query["redirect_uri"] == nil {
            guard let id = query["client_id"], let client = pool.clients[id] else {
                throw .wrong("client_id names no client of this user pool.")
            }
            guard let address = query["logout_uri"],
                client.logoutURIs.contains(where: { ByteText($0) == ByteText(address) })
            else {
                throw .wrong(
                    "logout_uri is none that is registered for this client. It has to be one of its logout addresses, "
                        + "character by character.")
            }
            target = address
        } else {
            let authorization = try AuthorizationRequest(query, of: pool.clients)
            target = authorization.page(.login)
        }
        try await endSession()
        var answer = redirect(to: target)
        answer.fields += BrowserCookie.removal(isSecure: request.isSecure)
        return answer
    }
}
