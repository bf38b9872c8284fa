import GraphQL

/// The functions of `allow`.
struct Rules {
    let calls: BuilderCalls

    /// The rules that there are at a place.
    static func names(_ place: RuleBuilder.Place) -> [String] {
        switch place {
        case .conversation: ["owner"]
        case .operation: ["publicApiKey", "guest", "authenticated", "group", "groups", "custom"]
        case .model, .field: all
        case .schema: all + ["resource"]
        }
    }

    private static let all = [
        "publicApiKey", "guest", "authenticated", "owner", "ownerDefinedIn", "ownersDefinedIn", "group", "groups",
        "groupDefinedIn", "groupsDefinedIn", "custom",
    ]

    func rule(_ place: RuleBuilder.Place) throws(TypeScriptError) -> RuleBuilder {
        func make(_ strategy: RuleBuilder.Strategy, _ provider: String?) -> RuleBuilder {
            RuleBuilder(call: calls.method.name, place: place, strategy: strategy, provider: provider)
        }
        switch calls.method.name {
        case "publicApiKey": return make(.everyone, "apiKey")
        case "guest": return make(.everyone, "identityPool")
        case "authenticated": return make(.signedIn, try provider(0, ["userPools", "oidc", "identityPool"]))
        case "custom": return make(.custom, try provider(0, nil))
        case "owner":
            let given = try provider(0, ["userPools", "oidc"])
            let rule = make(.owner, place == .conversation ? given ?? "userPools" : given)
            rule.field = "owner"
            return rule
        case "ownerDefinedIn", "ownersDefinedIn":
            let rule = make(.owner, try provider(1, ["userPools", "oidc"]))
            rule.field = try calls.name(0).name
            rule.isFieldList = calls.method.name == "ownersDefinedIn"
            return rule
        case "group", "groups":
            let rule = make(.groups, try provider(1, nil))
            rule.groups = calls.method.name == "group" ? [try calls.name(0).name] : try calls.names(0).map(\.name)
            return rule
        case "groupDefinedIn", "groupsDefinedIn":
            let rule = make(.groups, try provider(1, nil))
            rule.field = try calls.name(0).name
            rule.isFieldList = calls.method.name == "groupsDefinedIn"
            return rule
        default:
            let rule = make(.resource, nil)
            if case .opaque(let opaque) = calls.argument(0).value { rule.function = opaque.function }
            rule.operations = ["query", "mutate", "listen"]
            return rule
        }
    }

    private func provider(_ index: Int, _ known: [String]?) throws(TypeScriptError) -> String? {
        if calls.argument(index).value.isNothing { return nil }
        let (name, position) = try calls.name(index)
        if let known, !known.contains(name) { throw calls.error("Invalid provider (\(name)) given!", at: position) }
        return name
    }
}
