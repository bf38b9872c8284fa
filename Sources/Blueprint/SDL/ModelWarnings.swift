import GraphQL

/// What of a schema serves nobody: models that nobody may call, and a schema that stores nothing.
extension SDLReading {
    mutating func warnOfModels() {
        warnOfClosedModels()
        warnOfNoModels()
    }

    /// AppSync denies whatever no rule admits. One warning names all such models: projects mostly have rules on all of
    /// them, or on none.
    private mutating func warnOfClosedModels() {
        guard !isLegacy else { return }
        let opensToKeys = notes.isSandbox && settings.modes.contains(.apiKey)
        let closed = modelOrder.compactMap { models[$0] }.filter { model in
            guard !model.isJoin else { return false }
            return model.matrix.map(\.admitsNobody) ?? !opensToKeys
        }
        guard let first = closed.first else { return }
        let names = closed.map(\.name)
        let isOne = names.count == 1
        let who = settings.enableIamAccess ? "only administrators with IAM credentials" : "nobody"
        let reason =
            notes.isSandbox && !opensToKeys
            ? "input AMPLIFY opens \(isOne ? "it" : "them") to API keys, and API_KEY is no mode of this API"
            : "\(isOne ? "it has" : "they have") no \(notes.isOfTypeScript ? "" : "@auth ")rules that admit anybody"
        log.warning(
            "\(who) may call \(Self.list(names)): \(reason)", at: first.definition.name.position,
            step: .resolvers(.auth), hint: hintForClosedModels)
    }

    private var hintForClosedModels: String {
        if notes.isSandbox { return Self.hint(toAdd: [.apiKey]) }
        if notes.isOfTypeScript {
            let rule = settings.modes.contains(.apiKey) ? "publicApiKey" : "authenticated"
            return "Say whom each admits, as in Todo: a.model({ … }).authorization((allow) => [allow.\(rule)()])."
        }
        let strategy = settings.modes.contains(.apiKey) ? "public" : "private"
        let own = "Say whom each admits, as in type Todo @model @auth(rules: [{ allow: \(strategy) }])"
        guard settings.modes.contains(.apiKey) else { return own + "." }
        return own
            + ", or let API keys use all models without rules: "
            + "input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }"
    }

    private mutating func warnOfNoModels() {
        guard modelOrder.isEmpty, !hasOperations else { return }
        let types = schema.definitions.compactMap { definition in
            if case .type(.object(let type)) = definition { type } else { nil }
        }
        let candidate = types.first { !schema.roots.contains($0.name.text) }
        let name = candidate?.name.text ?? "Todo"
        guard !notes.isOfTypeScript else {
            log.warning(
                "the schema has no a.model, so nothing is stored",
                at: (candidate ?? types.first)?.name.position ?? .none, step: .visit(.model),
                hint: "Write one, as in Todo: a.model({ name: a.string() }).authorization((allow) => [allow.owner()]).")
            return
        }
        log.warning(
            "no type has @model, so nothing is stored", at: (candidate ?? types.first)?.name.position ?? .none,
            step: .visit(.model),
            hint: candidate == nil
                ? "Write a type that has it, as in type Todo @model @auth(rules: [{ allow: public }]) { name: String }."
                : "A type is stored when it says so: type \(name) @model @auth(rules: [{ allow: public }]).")
    }

    /// True if something computes a field of a root type: an API of functions needs no models.
    private var hasOperations: Bool {
        resolvers.keys.contains { schema.roots.contains($0.type) }
    }

    /// `A`, `A and B`, `A, B and C`.
    static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}
