import Crypto
import JSON

/// OAuth's doors for programs.
extension HostedRun {
    /// `/oauth2/token`.
    func tokens() async throws(HostedFault) -> HostedAnswer {
        let form = try programForm()
        let client = try provenClient(form)
        guard let grant = form["grant_type"] else { throw .program(.request) }
        switch ByteText(grant) {
        case "authorization_code": return try await tokensByCode(form, client)
        case "refresh_token": return try await tokensByRefresh(form, client)
        case "client_credentials": return try await tokensOfClient(form, client)
        default: throw .program(.grantType)
        }
    }

    private func tokensByCode(_ form: FormPairs, _ client: AppClient) async throws(HostedFault) -> HostedAnswer {
        guard let code = form["code"], let redirect = form["redirect_uri"] else { throw .program(.request) }
        let verifier = form["code_verifier"]
        return try await orFault { () async throws(PoolError) in
            let run = run(["ClientId": .string(client.id)])
            let given = try await run.write { change throws(PoolError) in
                try change.redeem(code, for: client, redirect: redirect, verifier: verifier)
            }
            guard let (subject, refresh) = given else { throw .invalidRefreshToken }
            return json(
                .object(Self.content(try await run.tokens(of: subject, refresh: refresh, .hosted), subject.scopes)))
        }
    }

    private func tokensByRefresh(_ form: FormPairs, _ client: AppClient) async throws(HostedFault) -> HostedAnswer {
        guard let token = form["refresh_token"] else { throw .program(.request) }
        guard client.flows.contains(.refresh) else { throw .program(.unauthorizedClient) }
        let asked = form["scope"].map(\.words)
        if let asked, let token = RefreshToken(token) {
            // Asked before anything changes: less is given, more never. Who does not hold the token is told nothing of it.
            let signIn = try await orFault { () async throws(PoolError) in
                try await run().read { reader throws(PoolError) in try reader.signIn(token.signIn) }
            }
            if let signIn, signIn.isOf(token), ByteText(signIn.client) == ByteText(client.id) {
                let scopes = Set(texts: signIn.scopes.words)
                guard asked.allSatisfy({ scopes.contains($0) }) else { throw .program(.scope) }
            }
        }
        return try await orFault { () async throws(PoolError) in
            let run = run(["ClientId": .string(client.id)])
            var (subject, next) = try await run.refreshed(token, for: client)
            if let asked, !asked.isEmpty { subject.scopes = asked.joined(separator: " ") }
            return json(
                .object(Self.content(try await run.tokens(of: subject, refresh: next, .refresh), subject.scopes)))
        }
    }

    /// A token of the program itself, for scopes of an API of its own.
    private func tokensOfClient(_ form: FormPairs, _ client: AppClient) async throws(HostedFault) -> HostedAnswer {
        guard client.secret != nil else { throw .program(.unauthorizedClient) }
        let own = client.scopes.filter { $0.utf8.contains(UInt8(ascii: "/")) }
        guard !own.isEmpty else { throw .program(.unauthorizedClient) }
        let asked = (form["scope"] ?? "").words
        guard asked.allSatisfy({ name in own.contains { ByteText($0) == ByteText(name) } }) else {
            throw .program(.scope)
        }
        let scopes = (asked.isEmpty ? own : asked).joined(separator: " ")
        return try await orFault { () async throws(PoolError) in
            let token = try await run().clientToken(client, scopes: scopes)
            return json([
                "access_token": .string(token), "expires_in": .integer(client.accessSeconds), "token_type": "Bearer",
            ])
        }
    }

    private static func content(_ tokens: IssuedTokens, _ scopes: String) -> JSONObject {
        var content = JSONObject([
            ("access_token", .string(tokens.access)), ("expires_in", .integer(tokens.accessSeconds)),
        ])
        if scopes.words.contains("openid") {
            content.set("id_token", to: .string(tokens.id))
        }
        if let refresh = tokens.refresh { content.set("refresh_token", to: .string(refresh)) }
        content.set("token_type", to: "Bearer")
        return content
    }

    /// `/oauth2/revoke` (RFC 7009).
    func revoke() async throws(HostedFault) -> HostedAnswer {
        let form = try programForm()
        let client = try provenClient(form)
        guard let token = form["token"] else { throw .program(.request) }
        try await orFault { () async throws(PoolError) in try await run().revoke(token, for: client) }
        return HostedAnswer(status: 200, fields: [("cache-control", "no-store")], body: [])
    }

    /// `/oauth2/userInfo` (OpenID Connect Core, 5.3).
    func userInfo() async throws(HostedFault) -> HostedAnswer {
        guard request.authorizations.count == 1, request.query?.isEmpty ?? false,
            request.method == .get || request.form?.isEmpty ?? true
        else { throw .program(.token) }
        let parts = request.authorizations[0].words
        guard parts.count == 2, ByteText(parts[0].lowercased()) == "bearer" else { throw .program(.token) }
        let caller: SignedInUser
        do throws(PoolError) {
            caller = try await run().signedInUser(parts[1], needing: "openid")
        } catch {
            if error.status >= 429 { throw .pool(error) }
            throw .program(error == .missingScope ? .tokenScope : .token)
        }
        let shown = ShownAttributes(caller.scopes)
        var content = JSONObject([("sub", .string(caller.user.sub))])
        for attribute in caller.user.attributes
        where shown.contains(attribute.key) && caller.client.shows(attribute.key) {
            content.set(attribute.key, to: attribute.value)
        }
        content.set("username", to: .string(caller.user.name))
        return json(.object(content))
    }

    // MARK: Who asks

    /// The form of a program: all there is, and nothing in the address.
    private func programForm() throws(HostedFault) -> FormPairs {
        guard let form = request.form, request.query?.isEmpty ?? false else { throw .program(.request) }
        return form
    }

    /// The client that a form names, or the field for it; both have to say the same.
    private func provenClient(_ form: FormPairs) throws(HostedFault) -> AppClient {
        guard request.authorizations.count <= 1 else { throw .program(.request) }
        var id = form["client_id"]
        var secret = form["client_secret"]
        if let field = request.authorizations.first {
            guard let basic = Self.basic(field) else { throw .program(.client) }
            if let id, ByteText(id) != ByteText(basic.id) { throw .program(.client) }
            if let secret, !ConstantTime.areEqual(secret, basic.secret) { throw .program(.client) }
            id = basic.id
            secret = basic.secret
        }
        guard let id else { throw .program(.request) }
        guard let client = pool.clients[id] else { throw .program(.client) }
        guard let held = client.secret else {
            // Who sends a secret thinks that there is one.
            guard secret?.isEmpty ?? true else { throw .program(.client) }
            return client
        }
        guard let secret, ConstantTime.areEqual(secret, held) else { throw .program(.client) }
        return client
    }

    private static func basic(_ field: String) -> (id: String, secret: String)? {
        let parts = field.words
        guard parts.count == 2, ByteText(parts[0].lowercased()) == "basic",
            let bytes = Base64.bytes(of: parts[1].utf8, .standard),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let id = FormPairs.decoded(bytes[..<colon]),
            let secret = FormPairs.decoded(bytes[(colon + 1)...])
        else { return nil }
        return (id, secret)
    }
}

extension PoolRun {
    /// A token of a client itself: nobody has signed in.
    fileprivate func clientToken(_ client: AppClient, scopes: String) async throws(PoolError) -> String {
        let keys = try await pool.tokenKeys()
        let seconds = now / 1_000
        let claims = JSONWriter.bytes(
            of: .object(
                JSONObject([
                    ("sub", .string(client.id)), ("iss", .string(issuer)), ("client_id", .string(client.id)),
                    ("token_use", "access"), ("scope", .string(scopes)), ("auth_time", .integer(seconds)),
                    ("exp", .integer(seconds + client.accessSeconds)), ("iat", .integer(seconds)), ("version", 2),
                    ("jti", .string(UUIDText.random())),
                ])))
        return try await aside { keys.signer.token(claims: claims) }
    }
}
