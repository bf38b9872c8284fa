import Blueprint

/// The authorization modes of an API in which nobody can prove who they are, and credentials for modes that it has not.
struct CredentialNotices {
    private let blueprint: Blueprint
    private let resolution: ConfigurationResolver.Resolution
    private let now: Int64

    init(_ blueprint: Blueprint, _ resolution: ConfigurationResolver.Resolution, now: Int64) {
        self.blueprint = blueprint
        self.resolution = resolution
        self.now = now
    }

    private var auth: AuthSettings { resolution.configuration.auth }

    var diagnostics: [Diagnostic] {
        AuthMode.allCases.flatMap { mode in
            let isThere = blueprint.settings.modes.contains(mode)
            return switch mode {
            case .apiKey: isThere ? keys : unused("auth.apiKeys", mode)
            // Without the mode they are the administrator's of sign-in and files all the same.
            case .iam: isThere ? signatures : []
            case .oidc:
                isThere
                    ? missing(
                        "auth.oidc.issuer", mode, isMissing: auth.oidc.issuer == nil,
                        "Name the issuer of the tokens: \"auth\": {\"oidc\": {\"issuer\": \"https://…\"}}.")
                    : unused("auth.oidc.issuer", mode)
            case .lambda:
                isThere
                    ? missing(
                        "auth.lambda.url", mode, isMissing: auth.authorizerURL == nil,
                        "Name the function that decides about tokens: \"auth\": {\"lambda\": {\"url\": \"http://…\"}}.")
                    : unused("auth.lambda.url", mode)
            case .userPools: isThere ? [] : unused("auth.userPools.issuer", mode)
            }
        }
    }

    private var keys: [Diagnostic] {
        let keys = auth.apiKeys
        let hint = "Name one that is good: HOMEPORT_AUTH_API_KEYS=da2-… or auth.apiKeys in the configuration."
        if keys.isEmpty {
            return [
                warning("auth.apiKeys", "API_KEY is a mode of this API, but there is no key: nobody can use it", hint)
            ]
        }
        let ended = keys.enumerated().filter { !$0.element.isCurrent(now: now) }
        if ended.count == keys.count {
            return [
                warning(
                    "auth.apiKeys", "API_KEY is a mode of this API, but every key has ended: nobody can use it", hint)
            ]
        }
        return ended.map { number, key in
            warning("auth.apiKeys", "key \(number) has ended and is not accepted any more", "Remove it.")
        }
    }

    private var signatures: [Diagnostic] {
        // A Gen 2 API has this mode whether anybody asks for it or not.
        guard auth.principals.isEmpty, !resolution.configuration.acceptsMockCredentials, asksForSignatures else {
            return []
        }
        return [
            warning(
                "auth.iam.credentials",
                "rules ask for AWS_IAM, but there are no credentials: no signed request can be accepted",
                "Name some: \"auth\": {\"iam\": {\"credentials\": [{\"accessKeyId\": \"…\", \"secretAccessKey\": \"…\", "
                    + "\"role\": \"unauth\"}]}}.")
        ]
    }

    /// True if callers with signed requests are admitted anywhere.
    private var asksForSignatures: Bool {
        let settings = blueprint.settings
        if settings.defaultMode == .iam { return true }
        let ofModels = blueprint.models.flatMap { model in
            (model.rules ?? []) + model.fields.flatMap { $0.rules ?? [] }
        }
        let ofTypes = blueprint.types.flatMap { type in type.fields.flatMap { $0.rules ?? [] } }
        return (ofModels + ofTypes).contains { $0.provider.mode == .iam }
    }

    private func missing(_ key: String, _ mode: AuthMode, isMissing: Bool, _ hint: String) -> [Diagnostic] {
        guard isMissing else { return [] }
        let message = "\(mode.rawValue) is a mode of this API, but \(key) is not set: nobody can use it"
        return [warning(key, message, hint)]
    }

    private func unused(_ path: String, _ mode: AuthMode) -> [Diagnostic] {
        guard let setting = resolution.settings.first(where: { $0.key.path == path }), setting.origin != .standard,
            !setting.value.isNull, setting.value.array?.isEmpty != true
        else { return [] }
        return [
            warning(
                path, "it is not used: \(mode.rawValue) is no mode of this API",
                "Add \(mode.rawValue) to auth.additional, or remove \(path).")
        ]
    }

    private func warning(_ path: String, _ message: String, _ hint: String) -> Diagnostic {
        let origin = resolution.settings.first { $0.key.path == path }?.origin ?? .standard
        return Diagnostic(
            severity: .warning, message: "\(path): \(message)", hint: hint,
            file: origin == .standard ? nil : origin.description)
    }
}
