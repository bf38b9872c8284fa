import Access
import Blueprint
import UserPool

extension CredentialSettings {
    /// What recognises the callers of an API with these modes, as a configuration says. `pool` is the one that is built in.
    init(_ configuration: Configuration, modes: [AuthMode], pool: PoolIdentifiers?) {
        self.init(modes: modes)
        let auth = configuration.auth
        apiKeys = auth.apiKeys
        if let issuer = auth.userPools.issuer {
            issuers.append(
                .userPool(issuer, keys: auth.userPools.jwks.map(Self.keys), clientIDs: auth.userPools.clientIDs))
        } else if let pool {
            issuers.append(
                LocalKeys.tokenIssuer(
                    in: configuration.data, pool, clientIDs: configuration.signIn.pool.clients.map(\.id)))
        }
        if let issuer = auth.oidc.issuer {
            issuers.append(
                .provider(
                    issuer, keys: auth.oidc.jwks.map(Self.keys), clientPattern: auth.oidc.clientID,
                    issuedAtMilliseconds: auth.oidc.issuedAtMilliseconds,
                    authenticatedMilliseconds: auth.oidc.authenticatedMilliseconds))
        }
        principals = (configuration.acceptsMockCredentials ? MockCredentials.principals : []) + auth.principals
        authorizer = auth.authorizerURL.map { AuthorizerSettings(url: $0, cacheSeconds: auth.authorizerCacheSeconds) }
    }

    private static func keys(_ place: String) -> TokenIssuer.Keys {
        place.hasPrefix("http://") || place.hasPrefix("https://") ? .url(place) : .file(place)
    }
}
