import Blueprint
import GraphQL
import Project

/// Reads `externalProviders` of `defineAuth`.
struct ExternalProviderReader {
    private let members: MemberReader

    init(_ members: MemberReader) {
        self.members = members
    }

    /// The scopes as they are written, with Cognito's names for them.
    private static let scopes: [(written: String, name: String)] = [
        ("PHONE", "phone"), ("EMAIL", "email"), ("OPENID", "openid"), ("PROFILE", "profile"),
        ("COGNITO_ADMIN", "aws.cognito.signin.user.admin"),
    ]

    func read() -> AuthResource.ExternalProviders {
        var providers = AuthResource.ExternalProviders()
        providers.social = AuthResource.SocialProvider.Kind.allCases.compactMap(social)
        providers.openIDConnect = members.list("oidc").compactMap(openID)
        providers.saml = members.members("saml").flatMap(saml)
        providers.scopes = members.texts("scopes", of: Self.scopes.map(\.written))?.compactMap { scope in
            Self.scopes.first { $0.written == scope.text }?.name
        }
        providers.callbackURLs = addresses("callbackUrls") ?? DeclaredPool.usualCallbackURLs
        providers.logoutURLs = addresses("logoutUrls") ?? []
        members.finish()
        return providers
    }

    /// Nil where none are written: Amplify's first versions had no need of them, and the pool gets the one that the CDK gives it.
    private func addresses(_ name: String) -> [String]? {
        guard let texts = members.texts(name) else {
            if !members.has(name) {
                members.warn(
                    "`externalProviders` has no `\(name)`, so no app can come back from the hosted pages",
                    hint: "Write \(name): ['http://localhost:3000/'].")
            }
            return nil
        }
        let elements = texts.map(\.text)
        if elements.isEmpty {
            members.refuse("You must define \(name) when configuring external login providers.", at: name)
        }
        return elements
    }

    // MARK: Providers

    private func social(_ kind: AuthResource.SocialProvider.Kind) -> AuthResource.SocialProvider? {
        guard let written = members.members(kind.rawValue) else { return nil }
        defer { written.finish() }
        return AuthResource.SocialProvider(
            kind: kind,
            secrets: Dictionary(uniqueKeysWithValues: kind.secrets.map { ($0, written.secret($0)) }),
            scopes: written.texts("scopes")?.map(\.text) ?? [], mapping: mapping(written),
            apiVersion: kind == .facebook ? written.text("apiVersion") : nil)
    }

    private enum Method: String, CaseIterable {
        case get = "GET"
        case post = "POST"
    }

    private func openID(_ written: MemberReader) -> AuthResource.OpenIDProvider? {
        defer { written.finish() }
        var provider = AuthResource.OpenIDProvider(
            name: written.text("name"), clientID: written.secret("clientId"),
            clientSecret: written.secret("clientSecret"),
            issuerURL: written.neededText("issuerUrl") ?? "")
        if let endpoints = written.members("endpoints") {
            for name in ["authorization", "token", "userInfo", "jwksUri"] {
                provider.endpoints[name] = endpoints.neededText(name)
            }
            endpoints.finish()
        }
        provider.identifiers = written.texts("identifiers")?.map(\.text) ?? []
        provider.scopes = written.texts("scopes")?.map(\.text) ?? []
        provider.mapping = mapping(written)
        provider.asksByPost = written.choice("attributeRequestMethod", Method.self) == .post
        return provider
    }

    private enum MetadataKind: String, CaseIterable {
        case address = "URL"
        case file = "FILE"
    }

    private func saml(_ written: MemberReader) -> AuthResource.SAMLProvider? {
        defer { written.finish() }
        var content = ""
        var kind: MetadataKind?
        if let metadata = written.members("metadata") {
            content = metadata.neededText("metadataContent") ?? ""
            kind = metadata.choice("metadataType", MetadataKind.self)
            if kind == nil, !metadata.has("metadataType") {
                metadata.refuse("`metadata` needs `metadataType`: URL or FILE")
            }
            metadata.finish()
        } else if !written.has("metadata") {
            written.refuse("`externalProviders.saml` needs `metadata`")
        }
        var provider = AuthResource.SAMLProvider(written.text("name"), metadata: content, isURL: kind == .address)
        provider.identifiers = written.texts("identifiers")?.map(\.text) ?? []
        provider.mapping = mapping(written)
        provider.signsOut = written.flag("idpSignout") ?? false
        provider.signsRequests = written.text("requestSigningAlgorithm") != nil
        provider.demandsEncryption = written.flag("encryptedResponses") ?? false
        return provider
    }

    // MARK: Attributes

    private static let attributes =
        AuthResource.UserAttribute.standardNames.map(\.written) + ["emailVerified", "phoneNumberVerified"]

    private func mapping(_ provider: MemberReader) -> [AuthResource.AttributeMapping] {
        guard let written = provider.members("attributeMapping") else { return [] }
        defer { written.finish() }
        var mapping = Self.attributes.compactMap { name in
            written.textOrWarning(name).map { AuthResource.AttributeMapping(attribute: name, claim: $0) }
        }
        if let custom = written.members("custom") {
            mapping += custom.names().compactMap { name in
                custom.textOrWarning(name).map {
                    // Amplify hands the name on as it is written.
                    AuthResource.AttributeMapping(
                        attribute: name.hasPrefix("custom:") ? name : "custom:\(name)", claim: $0)
                }
            }
        }
        return mapping
    }
}
