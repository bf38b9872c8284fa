import GraphQL

/// The authorization modes of a `defineData`.
struct DataModes {
    var defaultMode: AuthMode
    var additionalModes: [AuthMode]
    /// Neither modes nor users: then an API key may use types without rules.
    var isSandbox: Bool

    private static let names: [(name: String, mode: AuthMode)] = [
        ("iam", .iam), ("identityPool", .iam), ("userPool", .userPools), ("oidc", .oidc), ("apiKey", .apiKey),
        ("lambda", .lambda),
    ]
    /// The order in which Amplify lists the modes beside the default.
    private static let order: [AuthMode] = [.apiKey, .lambda, .oidc, .userPools, .iam]

    /// - Parameter hasUsers: whether the project has a user pool, as `amplify/auth/resource.ts` defines one.
    init(_ options: PlacedValue?, hasUsers: Bool) throws(TypeScriptError) {
        let members = options?.value.object
        if case .opaque(let opaque)? = options?.value { throw opaque.error }
        func isGiven(_ name: String) -> Bool { members?[name].map { !$0.value.value.isNothing } ?? false }

        var given: [AuthMode] = []
        if isGiven("apiKeyAuthorizationMode") { given.append(.apiKey) }
        if isGiven("lambdaAuthorizationMode") { given.append(.lambda) }
        if isGiven("oidcAuthorizationMode") { given.append(.oidc) }
        isSandbox = members == nil && !hasUsers
        if let written = members?["defaultAuthorizationMode"]?.value, !written.value.isNothing {
            defaultMode = try Self.mode(written)
        } else if members == nil {
            defaultMode = hasUsers ? .userPools : .apiKey
        } else if !hasUsers, given.count == 1 {
            defaultMode = given[0]
        } else if given.isEmpty {
            defaultMode = hasUsers ? .userPools : .apiKey
        } else {
            throw TypeScriptError(
                "A defaultAuthorizationMode is required if multiple authorization modes are configured",
                at: options?.position ?? .none)
        }
        let present = given + [.iam] + (hasUsers ? [.userPools] : [])
        let chosen = defaultMode
        additionalModes = Self.order.filter { present.contains($0) && $0 != chosen }
    }

    private static func mode(_ written: PlacedValue) throws(TypeScriptError) -> AuthMode {
        if case .opaque(let opaque) = written.value { throw opaque.error }
        if let mode = names.first(where: { $0.name == written.value.string })?.mode { return mode }
        let list = names.map(\.name).joined(separator: ", ")
        throw TypeScriptError(
            "there is no mode \(written.value.string.map { "\"\($0)\"" } ?? written.value.description): the modes are \(list)",
            at: written.position)
    }
}
