import Crypto
import JSON
import Store

/// What an app gets when somebody has signed in on a page, and gives back for tokens: once, soon, with the verifier that only
/// it knows. The database keeps a digest.
struct AuthorizationCode: Sendable {
    let user: Int64
    let client: String
    let redirect: String
    let scopes: String
    let challenge: String?
    let nonce: String?
    /// The browser's sign-in.
    let session: String
    let expires: Int64
    let isSpent: Bool
    /// The sign-in that it has given.
    let signIn: String?

    static let secretCount = 32

    fileprivate static let selection = RoomStatement(
        """
        SELECT user, client, redirect, scopes, challenge, nonce, session, expires, isSpent, signIn
        FROM _homeport_authorization_codes WHERE digest = ?
        """)
    fileprivate static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_authorization_codes
            (digest, user, client, redirect, scopes, challenge, nonce, session, made, expires, isSpent, signIn)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL)
        """)
    /// A code that gave a sign-in is remembered for a day: seen again, it ends that.
    fileprivate static let sweep = RoomStatement(
        """
        DELETE FROM _homeport_authorization_codes WHERE made < ?1 OR (expires < ?2 AND signIn IS NULL) OR (user = ?3
            AND made <= (SELECT made FROM _homeport_authorization_codes WHERE user = ?3
                ORDER BY made DESC LIMIT 1 OFFSET ?4))
        """)
    fileprivate static let spending = RoomStatement(
        "UPDATE _homeport_authorization_codes SET isSpent = 1 WHERE digest = ?")
    fileprivate static let result = RoomStatement(
        "UPDATE _homeport_authorization_codes SET signIn = ? WHERE digest = ?")

    fileprivate init(_ row: borrowing Row) {
        user = row.integer(0)
        client = row.text(1)
        redirect = row.text(2)
        scopes = row.text(3)
        challenge = row.isNull(4) ? nil : row.text(4)
        nonce = row.isNull(5) ? nil : row.text(5)
        session = row.text(6)
        expires = row.integer(7)
        isSpent = row.boolean(8)
        signIn = row.isNull(9) ? nil : row.text(9)
    }

    /// Returns whether a verifier is the one whose digest the app has sent before (RFC 7636, 4.6). Where there was no digest, there is
    /// no verifier either: one would mean that somebody has taken the digest out on the way.
    fileprivate func accepts(verifier: String?) -> Bool {
        guard let challenge, let verifier else { return challenge == nil && verifier == nil }
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(PercentCoding.isUnreserved) else {
            return false
        }
        return ConstantTime.areEqual(Base64.text(of: Digest.sha256.of(Array(verifier.utf8))), challenge)
    }
}

extension PoolWriting {
    /// Makes a code for who is signed in with a browser; nil when they are not any more.
    func makeAuthorizationCode(
        for request: AuthorizationRequest, session id: String
    ) throws(PoolError) -> String? {
        guard let signIn = try session.signIn(id), let user = try session.pageUser(signIn, now: now) else { return nil }
        let secret = RandomBytes.make(count: AuthorizationCode.secretCount)
        try change(
            AuthorizationCode.sweep,
            [
                .integer(now - PoolLimits.usedCodeMilliseconds), .integer(now), .integer(user.number),
                .integer(PoolLimits.authorizationCodesPerUserMax - 1),
            ])
        try change(
            AuthorizationCode.insertion,
            [
                .blob(Digest.sha256.of(secret)), .integer(user.number), .text(request.client.id),
                .text(request.redirect), .text(request.scopes), request.challenge.map(StoredValue.text) ?? .null,
                request.nonce.map(StoredValue.text) ?? .null, .text(id), .integer(now),
                .integer(now + PoolLimits.authorizationCodeMilliseconds),
            ])
        return Base64.text(of: secret)
    }

    /// What a code gives: a sign-in. Whatever comes of it, the code has had its use; what a first use gave ends with a second.
    func redeem(
        _ code: String, for client: AppClient, redirect: String, verifier: String?
    ) throws(PoolError) -> (TokenSubject, RefreshToken)? {
        guard let secret = Base64.bytes(of: code.utf8), secret.count == AuthorizationCode.secretCount else {
            return nil
        }
        let digest = Digest.sha256.of(secret)
        var found: AuthorizationCode?
        try session.rows(AuthorizationCode.selection, [.blob(digest)]) { row throws(PoolError) in
            found = AuthorizationCode(row)
            return false
        }
        guard let found else { return nil }
        guard !found.isSpent else {
            if let signIn = found.signIn { try change(SignInRecord.revocation, [.text(signIn)]) }
            return nil
        }
        try change(AuthorizationCode.spending, [.blob(digest)])
        guard found.expires > now, ByteText(found.client) == ByteText(client.id),
            ByteText(found.redirect) == ByteText(redirect), found.accepts(verifier: verifier),
            let browser = try session.signIn(found.session), let user = try session.pageUser(browser, now: now),
            user.number == found.user
        else { return nil }
        let refresh = try makeSignIn(
            of: user, client: client, scopes: found.scopes, device: nil, began: browser.began)
        try change(AuthorizationCode.result, [.text(refresh.signIn), .blob(digest)])
        let subject = TokenSubject(
            user: user, groups: try session.groups(of: user.number), client: client, origin: refresh.signIn,
            authenticated: browser.began / 1_000, scopes: found.scopes, nonce: found.nonce)
        return (subject, refresh)
    }
}
