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

    /// How somebody has signed in: what the password was, as far as it can be told from another one, so that a new password ends
    /// the session; and by which provider.
    static func mark(of user: User, by provider: String?) -> String {
        let password = user.password.map { password in
            Base64.text(of: Array(Digest.sha256.of(password.salt + password.verifier).prefix(16)))
        }
        return "\(password ?? "")\(provider.map { "@\($0)" } ?? "")"
    }

    /// The provider of a mark.
    static func provider(of mark: String) -> String? {
        mark.utf8.firstIndex(of: separator).map { String(Substring(mark.utf8[$0...].dropFirst())) }
    }

    /// Stands in no base64.
    private static let separator = UInt8(ascii: "@")

    /// The member of a flow's answer that holds the browser's new cookie.
    static let member = "PageSession"
}

extension RoomReading {
    /// Who is signed in by a session, if it is good at that moment.
    func pageUser(_ session: SignInRecord?, now: Int64) throws(PoolError) -> User? {
        guard let session, ByteText(session.client) == ByteText(PageSession.client.id), !session.isRevoked,
            session.expires > now, let user = try user(session.user), user.isEnabled
        else { return nil }
        let provider = PageSession.provider(of: session.scopes)
        guard ByteText(session.scopes) == ByteText(PageSession.mark(of: user, by: provider)) else { return nil }
        if let provider, try !isLinked(user, to: provider) { return nil }
        switch user.status {
        case .confirmed: return user
        case .external, .mustChangePassword: return provider == nil ? nil : user
        case .unconfirmed, .mustReset: return nil
        }
    }
}
