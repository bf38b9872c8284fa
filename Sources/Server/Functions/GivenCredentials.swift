import Access
import UserPool

/// The access keys that this server gives out for a time: those of identities, of functions and of data sources.
struct GivenCredentials: TemporaryCredentials {
    private let givers: [any TemporaryCredentials]

    init(_ pool: UserPool?, _ functions: RunningFunctions?) {
        givers = [pool?.temporaryCredentials, functions?.roles].compactMap(\.self)
    }

    /// Those of the roles that work for the app: its functions, and the data sources of its resolvers.
    init(_ functions: FunctionRoles?, _ sources: SourceRoles) {
        var givers: [any TemporaryCredentials] = [sources]
        if let functions { givers.insert(functions, at: 0) }
        self.givers = givers
    }

    func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
        for giver in givers {
            if let credential = giver.credential(ofKey: accessKeyID, sessionToken: sessionToken) { return credential }
        }
        return nil
    }
}
