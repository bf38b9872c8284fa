import JSON

/// What a provider says of itself (OpenID Connect Discovery, 3), or what the settings say in its place.
struct ProviderDocument: Sendable {
    let endpoints: IdentityProvider.Endpoints
    /// True if a secret is sent as name and password of the request, and not in its form.
    let takesSecretAsPassword: Bool

    private static let bytesMax = PoolLimits.providerAnswerBytesMax
    private static let nestingMax = 16
    private static let addressBytesMax = 2_048

    init(_ endpoints: IdentityProvider.Endpoints) {
        self.endpoints = endpoints
        takesSecretAsPassword = false
    }

    init(_ bytes: [UInt8], of provider: IdentityProvider) throws(ProviderFault) {
        let limits = JSONLimits(bytesMax: Self.bytesMax, nestingMax: Self.nestingMax)
        guard let content = try? JSONReader.value(of: bytes, limits: limits) else {
            throw .failed(provider, "what it says of itself is no JSON")
        }
        // Somebody else's description must not lend its doors to this issuer.
        guard content["issuer"]?.text == ByteText(provider.issuer) else {
            throw .failed(provider, "what stands at \(provider.issuer) describes another issuer")
        }
        func address(_ name: String) throws(ProviderFault) -> String {
            guard let text = content[name]?.string, Self.isAddress(text, of: provider) else {
                throw .failed(provider, "\(name) is missing, or no address that can be called")
            }
            return text
        }
        endpoints = IdentityProvider.Endpoints(
            authorization: try address("authorization_endpoint"), token: try address("token_endpoint"),
            keys: try address("jwks_uri"),
            userInfo: content["userinfo_endpoint"] == nil ? nil : try address("userinfo_endpoint"))
        let methods = content["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.text)
        takesSecretAsPassword =
            provider.kind == .oidc && !(methods?.contains("client_secret_post") ?? false)
            && (methods?.contains("client_secret_basic") ?? true)
    }

    /// Returns whether people and requests can be sent there. Where the issuer is reached by https, everything of it is.
    static func isAddress(_ text: String, of provider: IdentityProvider) -> Bool {
        let isSecure = text.hasPrefix("https://")
        guard isSecure || (text.hasPrefix("http://") && provider.issuer.hasPrefix("http://")),
            text.utf8.count <= addressBytesMax,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"#\"<>\\^`{|}".utf8.contains($0) })
        else { return false }
        let authority = text.utf8.dropFirst(isSecure ? 8 : 7).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        return !authority.isEmpty && !authority.contains(UInt8(ascii: "@"))
    }
}
