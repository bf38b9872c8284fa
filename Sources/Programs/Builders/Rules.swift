import Blueprint
import GraphQL
import Project

/// The functions of `allow`.
struct Rules {
    let arguments: BuilderArguments

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
            RuleBuilder(call: arguments.function, place: place, strategy: strategy, provider: provider)
        }
        switch arguments.function {
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
            rule.field = try fieldName()
            rule.isFieldList = arguments.function == "ownersDefinedIn"
            return rule
        case "group", "groups":
            let rule = make(.groups, try provider(1, nil))
            if arguments.function == "group" {
                rule.groups = [try arguments.text(0).text]
            } else {
                let arguments = arguments
                rule.$groups.keep { () throws(TypeScriptError) in try arguments.texts(0).map(\.text) }
            }
            return rule
        case "groupDefinedIn", "groupsDefinedIn":
            let rule = make(.groups, try provider(1, nil))
            rule.field = try fieldName()
            rule.isFieldList = arguments.function == "groupsDefinedIn"
            return rule
        default:
            let rule = make(.resource, nil)
            if case .function(let function) = arguments.functionTarget(0) { rule.function = function }
            rule.operations = ["query", "mutate", "listen"]
            return rule
        }
    }

    /// The field that a rule names; an empty name is none.
    private func fieldName() throws(TypeScriptError) -> String? {
        let name = try arguments.text(0).text
        return name.isEmpty ? nil : name
    }

    private func provider(_ index: Int, _ known: [String]?) throws(TypeScriptError) -> String? {
        guard let name = try arguments.filledText(index) else { return nil }
        if let known, !known.contains(name) {
            throw arguments.error("Invalid provider (\(name)) given!", at: arguments.position(of: index))
        }
        return name
    }
}
