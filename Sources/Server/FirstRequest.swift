import Blueprint

/// A request that a person can send to an API at once: a list that its rules allow, with the credential that they ask for.
struct FirstRequest {
    private let credential: String
    private let query: String

    /// Nil where no credential is known that a line could have.
    init?(_ configuration: Configuration, _ blueprint: Blueprint, hasPool: Bool, now: Int64) {
        let modes = blueprint.settings.modes
        let hasKey = modes.contains(.apiKey)
        if hasKey, configuration.auth.acceptsWellKnownKey(now: now) {
            credential = "-H 'x-api-key: \(AuthSettings.wellKnownKey)'"
            query = Self.query(blueprint, .apiKey)
        } else if hasPool, modes.contains(.userPools) {
            credential = "-H \"authorization: $(homeport token --username ann)\""
            query = Self.query(blueprint, .userPools)
        } else if hasKey {
            credential = "-H \"x-api-key: $API_KEY\""
            query = Self.query(blueprint, .apiKey)
        } else {
            return nil
        }
    }

    func command(at url: String) -> String { "curl \(url) \(credential) -d '{\"query\": \"\(query)\"}'" }

    /// A list of the first model whose rules let such callers read all of it, else a query that every API answers.
    private static func query(_ blueprint: Blueprint, _ provider: AccessRule.Provider) -> String {
        for model in blueprint.models where !model.isJoin {
            guard let list = model.operations.list,
                let rule = model.rules?.first(where: { rule in
                    rule.provider == provider && rule.operations.contains(.list)
                        && (rule.strategy == .public || rule.strategy == .private || rule.strategy == .owner)
                })
            else { continue }
            let key = model.key.partition.field
            // A rule of the field's own may leave these callers out.
            let isOpen = rule.strategy != .owner && model.matrix?.hasOwnRules(field: key) == false
            return "{ \(list) { items { \(isOpen ? key : "__typename") } } }"
        }
        return "{ __typename }"
    }
}
