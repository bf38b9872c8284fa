import JSON

/// The rules of `@auth` with what they leave out, as clients expect them.
enum IntrospectionRules {
    private static let operations: JSONValue = ["create", "update", "delete", "read"]

    static func completed(_ directive: IntrospectedDirective) -> IntrospectedDirective {
        var directive = directive
        let written: [JSONValue] =
            switch directive.arguments["rules"] {
            case .array(let rules): rules
            case .object(let rule): [.object(rule)]
            default: []
            }
        directive.arguments["rules"] = .array(written.compactMap(\.object).compactMap(completed).map { .object($0) })
        return directive
    }

    /// Nil for a rule that clients are not told of.
    private static func completed(_ rule: JSONObject) -> JSONObject? {
        func given(_ name: String) -> JSONValue? {
            guard let value = rule[name], !value.isNull, value.string?.isEmpty != true else { return nil }
            return value
        }
        let operations = given("operations") ?? given("mutations") ?? Self.operations
        var whole = JSONObject()
        switch rule["allow"]?.string {
        case "owner":
            whole["provider"] = "userPools"
            whole["ownerField"] = given("ownerField") ?? "owner"
            add(rule, to: &whole)
            let claim = given("identityClaim") ?? given("identityField") ?? "username"
            whole["identityClaim"] = claim == "username" ? "cognito:username" : claim
        case "groups":
            guard given("groupField") == nil else { return nil }
            whole["groupClaim"] = "cognito:groups"
            whole["provider"] = "userPools"
            add(rule, to: &whole)
            whole.remove("groupField")
            if given("groups") == nil { whole["groupField"] = "groups" }
        default: add(rule, to: &whole)
        }
        whole["operations"] = operations
        return whole
    }

    private static func add(_ rule: JSONObject, to whole: inout JSONObject) {
        for member in rule { whole[member.key] = member.value }
    }
}

extension IntrospectionDraft {
    /// Completes the rules of all models, and puts them behind the other attributes.
    mutating func completeRules() {
        for number in models.indices {
            let directives = models[number].directives
            models[number].directives =
                directives.filter { $0.name != "auth" }
                + directives.filter { $0.name == "auth" }.map(IntrospectionRules.completed)
        }
    }
}
