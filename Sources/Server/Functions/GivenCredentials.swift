import Access
import UserPool

/// The access keys that this server gives out for a time: those of identities, and those of functions.
struct GivenCredentials: TemporaryCredentials {
    private let givers: [any TemporaryCredentials]

    init(_ pool: UserPool?, _ functions: RunningFunctions?) {
        givers = [pool?.temporaryCredentials, functions?.roles].compactMap(\.self)
    }

    func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
        for giver in givers {
            if let credential = giver.credential(ofKey: accessKeyID, sessionToken: sessionToken) { return credential }
        }
        return nil
    }
}
