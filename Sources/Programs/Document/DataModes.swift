import Blueprint
import GraphQL
import Project

/// The authorization modes of a `defineData`.
struct DataModes {
    let defaultMode: AuthMode
    let additionalModes: [AuthMode]
    /// Neither modes nor users: then an API key may use types without rules.
    let isSandbox: Bool

    private static let names: [(name: String, mode: AuthMode)] = [
        ("iam", .iam), ("identityPool", .iam), ("userPool", .userPools), ("oidc", .oidc), ("apiKey", .apiKey),
        ("lambda", .lambda),
    ]
    /// The order in which Amplify lists the modes beside the default.
    private static let order: [AuthMode] = [.apiKey, .lambda, .oidc, .userPools, .iam]
    /// The days for which AppSync makes an API key.
    private static let keyDays = 1.0...365.0

    /// - Parameter hasUsers: whether the project has a user pool, as `amplify/auth/resource.ts` defines one.
    init(_ options: ModeOptions?, hasUsers: Bool) throws(TypeScriptError) {
        isSandbox = options == nil && !hasUsers
        if let options {
            defaultMode = try Self.standard(options, hasUsers: hasUsers)
            try Self.check(options, defaultMode)
        } else {
            defaultMode = hasUsers ? .userPools : .apiKey
        }
        let present = (options?.given ?? []) + [.iam] + (hasUsers ? [.userPools] : [])
        let chosen = defaultMode
        additionalModes = Self.order.filter { present.contains($0) && $0 != chosen }
    }

    private static func standard(_ options: ModeOptions, hasUsers: Bool) throws(TypeScriptError) -> AuthMode {
        if let written = options.standard { return try mode(written) }
        guard !hasUsers, options.count == 1, let only = options.given.first else {
            throw TypeScriptError(
                "A defaultAuthorizationMode is required if multiple authorization modes are configured",
                at: options.position,
                hint: "Write defaultAuthorizationMode: '\(hasUsers ? "userPool" : "apiKey")', for example.")
        }
        return only
    }

    private static func check(_ options: ModeOptions, _ mode: AuthMode) throws(TypeScriptError) {
        if mode == .oidc || mode == .lambda, !options.given.contains(mode),
            let name = ModeOptions.optionNames.first(where: { $0.mode == mode })?.name
        {
            throw TypeScriptError(
                "the default mode is \(mode == .oidc ? "oidc" : "lambda"), and there is no \(name) that says what it is",
                at: options.standard?.position ?? options.position)
        }
        if let key = options.keyDays, !keyDays.contains(key.days) {
            throw TypeScriptError("API key expiration must be between 1 and 365 days.", at: key.position)
        }
    }

    private static func mode(_ written: PlacedGiven) throws(TypeScriptError) -> AuthMode {
        let name: String
        switch written.value {
        case .refused(let error): throw error
        case .text(let text):
            if let mode = names.first(where: { $0.name == text })?.mode { return mode }
            name = "\"\(text)\""
        default: name = written.value.description
        }
        throw TypeScriptError(
            "there is no mode \(name): the modes are \(names.map(\.name).joined(separator: ", "))",
            at: written.position)
    }
}
