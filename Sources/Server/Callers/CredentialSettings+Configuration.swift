import Access
import Blueprint

extension CredentialSettings {
    /// What recognises the callers of an API with these modes, as a configuration says.
    init(_ configuration: Configuration, modes: [AuthMode]) {
        self.init(modes: modes)
        let auth = configuration.auth
        apiKeys = auth.apiKeys.map { APIKey($0.key, expires: $0.expires, isForThisMachine: !$0.isOwn) }
        if let pool = auth.userPools {
            issuers.append(.userPool(pool.issuer, keys: pool.jwks.map(Self.keys), clientIDs: pool.clientIDs))
        } else {
            issuers.append(LocalKeys.tokenIssuer(in: configuration.data))
        }
        if let provider = auth.oidc {
            issuers.append(
                .provider(
                    provider.issuer, keys: provider.jwks.map(Self.keys), clientPattern: provider.clientID,
                    issuedAtMilliseconds: provider.issuedAtMilliseconds,
                    authenticatedMilliseconds: provider.authenticatedMilliseconds))
        }
        principals = configuration.acceptsMockCredentials ? MockCredentials.principals : []
        principals += auth.iamCredentials.map { credential in
            PrincipalCredential(
                secret: credential.secretAccessKey, sessionToken: credential.sessionToken,
                principal: IAMPrincipal(
                    role: credential.role.principalRole, accessKeyID: credential.accessKeyID,
                    identityID: credential.identityID, identityPoolID: credential.identityPoolID,
                    accountID: credential.accountID ?? IAMPrincipal.exampleAccountID))
        }
        authorizer = auth.lambda.map { AuthorizerSettings(url: $0.url, cacheSeconds: $0.cacheSeconds) }
    }

    private static func keys(_ place: String) -> TokenIssuer.Keys {
        place.hasPrefix("http://") || place.hasPrefix("https://") ? .url(place) : .file(place)
    }
}

extension AuthSettings.IAMCredential.Role {
    fileprivate var principalRole: IAMPrincipal.Role {
        switch self {
        case .authenticated: .authenticated
        case .unauthenticated: .unauthenticated
        case .administrator: .administrator
        }
    }
}
