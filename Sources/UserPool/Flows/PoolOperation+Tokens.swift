import Crypto
import JSON
import Store

extension PoolOperation {
    /// The life of tokens behind a sign-in.
    static let tokens: [PoolOperation] = [
        PoolOperation(
            "GetTokensFromRefreshToken", .open,
            [
                .init("RefreshToken", .accessToken, isRequired: true), .init("ClientId", .clientID, isRequired: true),
                .init("ClientSecret", .text(1...64, isSecret: true)), .init("DeviceKey", .text(0...55)),
            ] + .clientNotes
        ) { run throws(PoolError) in
            let client = try run.clientBySecret()
            return try await run.refresh(run.input.required("RefreshToken"), for: client)
        },
        PoolOperation(
            "RevokeToken", .open,
            [
                .init("Token", .accessToken, isRequired: true), .init("ClientId", .clientID, isRequired: true),
                .init("ClientSecret", .text(1...64, isSecret: true)),
            ]
        ) { run throws(PoolError) in
            let client = try run.clientBySecret()
            try await run.revoke(run.input.required("Token"), for: client)
            return JSONObject()
        },
        PoolOperation("GlobalSignOut", .open, [.init("AccessToken", .accessToken, isRequired: true)]) {
            run throws(PoolError) in
            let caller = try await run.signedInUser()
            try await run.write { change throws(PoolError) in
                _ = try change.change(SignInRecord.revocationOfAll, [.integer(caller.user.number)])
            }
            return JSONObject()
        },
    ]
}

extension PoolRun {
    /// The client of a request that proves it by the secret itself.
    func clientBySecret() throws(PoolError) -> AppClient {
        let id = try input.required("ClientId")
        guard let client = pool.clients[id] else { throw .unknownClient(id) }
        guard let secret = client.secret else { return client }
        guard let given = input.text("ClientSecret"), ConstantTime.areEqual(secret, given) else {
            throw .notAuthorized("Client \(id) is configured with secret but it was not received")
        }
        return client
    }

    /// New tokens, as older clients ask for them.
    func refreshByFlow() async throws(PoolError) -> JSONObject {
        let member = "AuthParameters"
        let token = try demandedParameter("REFRESH_TOKEN", of: member)
        // The hash is made over a name that this request does not have to tell: that of the token's user.
        let hash = parameter("SECRET_HASH", of: member)
        let username: String? =
            if hash != nil, let token = RefreshToken(token) {
                try await read { reader throws(PoolError) in
                    guard let signIn = try reader.signIn(token.signIn) else { return nil }
                    return try reader.user(signIn.user)?.name
                }
            } else {
                nil
            }
        let client = try client(username: username, secretHash: hash)
        guard client.flows.contains(.refresh) else {
            throw .invalidParameter("REFRESH_TOKEN_AUTH flow not enabled for this client")
        }
        guard client.rotationGraceSeconds == nil else {
            throw .invalidParameter("REFRESH_TOKEN_AUTH is not supported with refresh token rotation enabled")
        }
        var answer = try await refresh(token, for: client)
        answer.set("ChallengeParameters", to: .object(JSONObject()))
        return answer
    }

    /// New tokens for a refresh token. Where tokens rotate, the old one is no good any more behind its time of grace; seeing it
    /// then means that two have it, and ends the sign-in for both.
    func refresh(_ text: String, for client: AppClient) async throws(PoolError) -> JSONObject {
        let (subject, next) = try await refreshed(text, for: client)
        let tokens = try await tokens(of: subject, refresh: next, .refresh)
        return JSONObject([("AuthenticationResult", .object(tokens.result))])
    }

    /// Whose tokens a refresh token renews, and the refresh token that takes its place.
    func refreshed(_ text: String, for client: AppClient) async throws(PoolError) -> (TokenSubject, RefreshToken?) {
        guard let token = RefreshToken(text) else { throw .invalidRefreshToken }
        let outcome: Result<(TokenSubject, RefreshToken?), PoolError>
        if client.rotationGraceSeconds == nil {
            // Nothing is written: a sign-out beside it ends what is made here, since all of it names the sign-in.
            let now = now
            outcome = try await read { reader throws(PoolError) in
                try reader.refreshed(token, for: client, now: now).map { ($0, nil) }
            }
        } else {
            outcome = try await write { change throws(PoolError) in try change.rotate(token, for: client) }
        }
        return try outcome.get()
    }

    /// Ends the sign-in of a refresh token. One that is unknown is none: it ends nothing.
    func revoke(_ text: String, for client: AppClient) async throws(PoolError) {
        guard let token = RefreshToken(text) else {
            throw PoolError("UnsupportedTokenTypeException", "Unsupported token type")
        }
        let key = pool.tokenKey
        let fault = try await write { change throws(PoolError) -> PoolError? in
            guard let signIn = try change.session.signIn(token.signIn) else { return nil }
            guard ByteText(signIn.client) == ByteText(client.id) else {
                return PoolError("UnauthorizedException", "Invalid client for the token")
            }
            guard signIn.isOf(token) || token.isGiven(by: key) else { return nil }
            try change.change(SignInRecord.revocation, [.text(signIn.id)])
            return nil
        }
        if let fault { throw fault }
    }
}

extension SignInRecord {
    /// Returns whether a token is the sign-in's, the present one or the one before.
    func isOf(_ token: RefreshToken) -> Bool {
        ConstantTime.areEqual(tokenDigest, token.digest)
            || formerDigest.map { ConstantTime.areEqual($0, token.digest) } ?? false
    }
}

extension RoomReading {
    /// Whose tokens a refresh token renews. `isGiven`: whether it is known to be the sign-in's, if neither the present one nor the
    /// one before.
    fileprivate func refreshed(
        _ token: RefreshToken, for client: AppClient, now: Int64, isGiven: Bool = false
    ) throws(PoolError) -> Result<TokenSubject, PoolError> {
        guard let signIn = try signIn(token.signIn), ByteText(signIn.client) == ByteText(client.id),
            isGiven || signIn.isOf(token)
        else { return .failure(.invalidRefreshToken) }
        guard !signIn.isRevoked else { return .failure(.notAuthorized("Refresh Token has been revoked")) }
        guard signIn.expires > now else { return .failure(.notAuthorized("Refresh Token has expired")) }
        guard let user = try user(signIn.user) else { return .failure(.userNotFound) }
        guard user.isEnabled else { return .failure(.disabled) }
        switch user.status {
        case .unconfirmed: return .failure(.notConfirmed)
        case .mustReset: return .failure(.resetRequired)
        case .confirmed, .external, .mustChangePassword: break
        }
        var subject = TokenSubject(
            user: user, groups: try groups(of: user.number), client: client, origin: signIn.id,
            authenticated: signIn.began / 1_000, scopes: signIn.scopes)
        subject.device = signIn.device
        return .success(subject)
    }
}

extension PoolWriting {
    fileprivate func rotate(
        _ token: RefreshToken, for client: AppClient
    ) throws(PoolError) -> Result<(TokenSubject, RefreshToken?), PoolError> {
        let subject: TokenSubject
        let isGiven = tokenKey.map { token.isGiven(by: $0) } ?? false
        switch try session.refreshed(token, for: client, now: now, isGiven: isGiven) {
        case .failure(let error): return .failure(error)
        case .success(let found): subject = found
        }
        guard let signIn = try session.signIn(token.signIn) else { return .failure(.invalidRefreshToken) }
        let isPresent = ConstantTime.areEqual(signIn.tokenDigest, token.digest)
        let isFormer = signIn.formerDigest.map { ConstantTime.areEqual($0, token.digest) } ?? false
        // The one before has its time of grace, those before that have none: whoever has them has not got what came of them.
        guard isPresent || isFormer && now - signIn.rotated < (client.rotationGraceSeconds ?? 0) * 1_000 else {
            try change(SignInRecord.revocation, [.text(signIn.id)])
            return .failure(PoolError("RefreshTokenReuseException", "Refresh token has been reused"))
        }
        let next = RefreshToken(for: signIn.id, key: tokenKey)
        let former = isPresent ? signIn.tokenDigest : signIn.formerDigest ?? token.digest
        try change(
            SignInRecord.rotation,
            [
                .blob(next.digest), .blob(former), .integer(isPresent ? now : signIn.rotated), .text(signIn.id),
            ])
        return .success((subject, next))
    }
}
