import JSON
import Network
import UserPool

/// The settings of a provider by whom users may sign in.
package struct ProviderSetting: Sendable, Equatable {
    package let kind: IdentityProvider.Kind
    package var name: String?
    package var clientID: String?
    package var clientSecret: String?
    package var clientSecretFile: String?
    package var teamID: String?
    package var keyID: String?
    package var privateKeyFile: String?
    package var issuer: String?
    package var authorizationURL: String?
    package var tokenURL: String?
    package var keysURL: String?
    package var userInfoURL: String?
    package var scopes: [String]?
    package var attributes: [IdentityProvider.Mapping]?
    package var identifiers: [String] = []
    /// Nil: where there is no client.
    package var isStandIn: Bool?

    package init(_ kind: IdentityProvider.Kind) {
        self.kind = kind
    }

    /// The fault, and the way out.
    package struct Fault: Error, Equatable {
        package let message: String
    }

    private static let secretBytesMax = 64 << 10

    /// What users know it by, also where it cannot be used.
    var givenName: String? { name ?? kind.serviceName }

    /// The provider as it is used.
    func provider(at place: String, _ schema: AttributeSchema, isForThisMachineOnly: Bool) throws(Fault)
        -> IdentityProvider
    {
        func fault(_ message: String) -> Fault { Fault(message: "\(place): \(message)") }
        guard let name = givenName else { throw fault("a provider of the kind oidc needs a name") }
        var provider: IdentityProvider
        if isStandIn ?? (clientID == nil) {
            guard isForThisMachineOnly else {
                throw fault(
                    "\(name) has \(isStandIn == nil ? "no clientId" : "standIn"), so a page of this server would stand in for it and "
                        + "let anybody be anybody, and others than this machine can reach the server. Set clientId, or listen on "
                        + "127.0.0.1 alone")
            }
            provider = IdentityProvider(standInFor: kind, name: name)
        } else {
            guard let clientID, !clientID.isEmpty else { throw fault("\(name) needs its clientId") }
            guard kind.speaksOpenID else {
                throw fault("\(name) does not speak OpenID Connect; leave clientId out, and a page stands in for it")
            }
            guard issuer != nil || kind.issuer != nil else { throw fault("\(name) needs its issuer") }
            provider = IdentityProvider(kind, name: name, clientID: clientID, issuer: issuer)
            provider.proof = try proof(fault)
            provider.endpoints = try endpoints(fault)
        }
        if let scopes { provider.scopes = scopes }
        if kind != .apple, !provider.scopes.contains("openid") { throw fault("the scopes of \(name) need openid") }
        if let attributes { provider.mapping = attributes }
        for mapping in provider.mapping {
            guard !mapping.claim.isEmpty, schema.canBeMapped(mapping.attribute) else {
                throw fault("attributes: no claim can become the attribute \(mapping.attribute)")
            }
        }
        provider.identifiers = identifiers
        return provider
    }

    private func proof(_ fault: (String) -> Fault) throws(Fault) -> IdentityProvider.Proof {
        if let privateKeyFile {
            guard let teamID, let keyID else { throw fault("privateKeyFile needs teamId and keyId beside it") }
            let pem = try read(privateKeyFile, fault)
            guard let key = AppleClientKey(team: teamID, keyID: keyID, pem: pem) else {
                throw fault("\(privateKeyFile) holds no private key for ES256")
            }
            return .apple(key)
        }
        if kind == .apple, clientSecret == nil, clientSecretFile == nil {
            throw fault("Apple needs privateKeyFile, teamId and keyId")
        }
        if let clientSecretFile {
            guard clientSecret == nil else { throw fault("there are both clientSecret and clientSecretFile") }
            let bytes = try read(clientSecretFile, fault)
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            guard !line.isEmpty else { throw fault("\(clientSecretFile) is empty") }
            return .secret(String(decoding: line, as: UTF8.self))
        }
        return clientSecret.map(IdentityProvider.Proof.secret) ?? .none
    }

    private func read(_ path: String, _ fault: (String) -> Fault) throws(Fault) -> [UInt8] {
        do throws(SystemError) {
            return try SmallFile.read(path, bytesMax: Self.secretBytesMax)
        } catch {
            throw fault("\(path) cannot be read: \(error)")
        }
    }

    private func endpoints(_ fault: (String) -> Fault) throws(Fault) -> IdentityProvider.Endpoints? {
        guard authorizationURL != nil || tokenURL != nil || keysURL != nil else { return nil }
        guard let authorizationURL, let tokenURL, let keysURL else {
            throw fault("authorizeUrl, tokenUrl and jwksUrl are set together, or none of them")
        }
        return IdentityProvider.Endpoints(
            authorization: authorizationURL, token: tokenURL, keys: keysURL, userInfo: userInfoURL)
    }
}

extension Configuration {
    /// The providers by whom users may sign in.
    func identityProviders() throws(ProviderSetting.Fault) -> [IdentityProvider] {
        var providers: [IdentityProvider] = []
        for (index, setting) in signIn.providers.enumerated() {
            let place = "auth.providers[\(index)]"
            let provider = try setting.provider(
                at: place, signIn.pool.attributes, isForThisMachineOnly: isForThisMachineOnly)
            // The names of their users begin with it, and are told apart without regard to case.
            if providers.contains(where: { $0.name.lowercased() == provider.name.lowercased() }) {
                throw ProviderSetting.Fault(message: "\(place): there are two providers of the name \(provider.name)")
            }
            providers.append(provider)
        }
        return providers
    }
}
