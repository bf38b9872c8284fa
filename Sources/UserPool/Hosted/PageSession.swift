import Crypto
import JSON
import Store

/// Somebody who is signed in with a browser: a sign-in like others, of a client that no app can be, without scopes. What ends a
/// user's sign-ins ends it as well.
enum PageSession {
    /// No client has a blank in its name.
    static let client: AppClient = {
        var client = AppClient("hosted pages")
        client.refreshSeconds = PoolLimits.pageSessionSeconds
        return client
    }()

    /// What the password was at the sign-in, as far as it can be told from another one: a new password ends the session.
    static func mark(of user: User) -> String {
        guard let password = user.password else { return "" }
        return Base64.text(of: Array(Digest.sha256.of(password.salt + password.verifier).prefix(16)))
    }

    /// The member of a flow's answer that holds the browser's new cookie.
    static let member = "PageSession"
}

extension RoomReading {
    /// Who is signed in by a session, if it is good at that moment.
    func pageUser(_ session: SignInRecord?, now: Int64) throws(PoolError) -> User? {
        guard let session, ByteText(session.client) == ByteText(PageSession.client.id), !session.isRevoked,
            session.expires > now, let user = try user(session.user), user.isEnabled,
            ByteText(session.scopes) == ByteText(PageSession.mark(of: user))
        else { return nil }
        switch user.status {
        case .confirmed, .external: return user
        case .unconfirmed, .mustChangePassword, .mustReset: return nil
        }
    }
}
