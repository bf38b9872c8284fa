/// Who gave out access keys for a time, and can tell whose they are by the session token that comes with them.
///
/// Nothing is looked up for it: a session token says by itself what was given. Every service whose requests are signed asks the
/// same one, whatever the service in the scope of its signatures is.
package protocol TemporaryCredentials: Sendable {
    /// What was given out as that key with that token; nil where it was not given here, or the token is another key's. Keys
    /// whose time is over are told too: they are refused in other words.
    func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential?
}

/// Access keys that were given out for a time.
package struct TemporaryCredential: Sendable {
    package let secret: String
    package let principal: IAMPrincipal
    /// When they end, in seconds since 1970.
    package let expires: Int64

    package init(secret: String, principal: IAMPrincipal, expires: Int64) {
        self.secret = secret
        self.principal = principal
        self.expires = expires
    }
}
