import Access

/// The access keys that Amplify's own local mock knows: apps that were set up for it sign with them.
///
/// They are no secret. So they count where the API key of the mock counts: for requests from this machine, and only as long
/// as nobody has configured keys of their own.
enum MockCredentials {
    static let signedInKeyID = "ASIAVJKIAM-AuthRole"
    static let guestKeyID = "ASIAVJKI-UnAuthRole"
    static let secret = "fake"

    static let principals = [
        principal(signedInKeyID, .authenticated), principal(guestKeyID, .unauthenticated),
    ]

    private static func principal(_ accessKeyID: String, _ role: IAMPrincipal.Role) -> PrincipalCredential {
        PrincipalCredential(
            secret: secret, principal: IAMPrincipal(role: role, accessKeyID: accessKeyID), reach: .thisMachine)
    }
}

extension Configuration {
    /// True if the keys of Amplify's mock are accepted from this machine: there are no others, and nobody else can reach
    /// the server.
    var acceptsMockCredentials: Bool {
        auth.principals.isEmpty && isForThisMachineOnly
    }

    /// True if nobody but this machine can reach the server, under none but its own names.
    var isForThisMachineOnly: Bool {
        listeners.allSatisfy(\.isLoopback) && allowedHosts.allSatisfy { HostCheck.isLoopback($0) }
    }
}
