import Blueprint
import Project
import UserPool

extension AuthResource {
    /// Adds the providers of the configuration to those of the project.
    mutating func add(_ settings: [ProviderSetting]) {
        guard !settings.isEmpty else { return }
        var providers = login.providers ?? ExternalProviders()
        let configured = settings.compactMap(\.kind.socialKind)
        providers.social = SocialProvider.Kind.allCases.compactMap { kind in
            providers.social.first { $0.kind == kind }
                ?? (configured.contains(kind)
                    ? SocialProvider(kind: kind) : nil)
        }
        login.providers = providers
    }
}

extension IdentityProvider.Kind {
    /// How a project names it; nil for those that clients are not told of.
    fileprivate var socialKind: AuthResource.SocialProvider.Kind? {
        switch self {
        case .google: .google
        case .facebook: .facebook
        case .amazon: .amazon
        case .apple: .apple
        case .oidc: nil
        }
    }
}
