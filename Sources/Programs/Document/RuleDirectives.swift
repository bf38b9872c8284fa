import Blueprint
import GraphQL
import Project

/// Rules as `@auth`, and as the directives of AppSync.
enum RuleDirectives {
    /// `@auth(rules: […])`; nil without rules.
    static func auth(_ rules: [RuleBuilder], at place: Position) -> Directive? {
        guard !rules.isEmpty else { return nil }
        let values = rules.map { rule -> Value in
            var parts = [("allow", SchemaSyntax.word(rule.strategy.rawValue, place))]
            if let provider = rule.provider { parts.append(("provider", SchemaSyntax.word(provider, place))) }
            if let operations = rule.operations {
                parts.append(("operations", SchemaSyntax.words(operations, place)))
            }
            if let field = rule.field {
                parts.append(
                    (rule.strategy == .owner ? "ownerField" : "groupsField", SchemaSyntax.string(field, place)))
            }
            if let groups = rule.groups { parts.append(("groups", SchemaSyntax.strings(groups, place))) }
            if let claim = rule.claim {
                parts.append(
                    (rule.strategy == .owner ? "identityClaim" : "groupClaim", SchemaSyntax.string(claim, place)))
            }
            return SchemaSyntax.object(parts, place)
        }
        return SchemaSyntax.directive("auth", [("rules", .list(ListValue(values, position: place)))], place)
    }

    /// The directives of AppSync: those without groups first, then one for each provider of groups.
    static func native(
        _ rules: [RuleBuilder], isHandler: Bool, at place: Position
    ) throws(TypeScriptError) -> [Directive] {
        var general: [String] = []
        var groups: [(name: String, groups: [String])] = []
        for rule in rules {
            let name = try name(of: rule, isHandler: isHandler, at: place)
            guard let added = rule.groups else {
                if !general.contains(name) { general.append(name) }
                continue
            }
            let number = groups.firstIndex { $0.name == name } ?? groups.count
            if number == groups.count { groups.append((name, [])) }
            for group in added where !groups[number].groups.contains(group) { groups[number].groups.append(group) }
        }
        return general.map { SchemaSyntax.directive($0, place) }
            + groups.filter { !general.contains($0.name) }.map {
                SchemaSyntax.directive($0.name, [("cognito_groups", SchemaSyntax.strings($0.groups, place))], place)
            }
    }

    private static func name(
        of rule: RuleBuilder, isHandler: Bool, at place: Position
    ) throws(TypeScriptError) -> String {
        if isHandler, rule.provider == "identityPool" {
            throw TypeScriptError(
                "identityPool-based auth (allow.guest() and allow.authenticated('identityPool')) is not supported with a.handler.custom",
                at: place)
        }
        switch (rule.strategy, rule.provider) {
        case (.everyone, "identityPool"), (.signedIn, "identityPool"): return "aws_iam"
        case (.everyone, _): return "aws_api_key"
        case (.signedIn, "oidc"): return "aws_oidc"
        case (.signedIn, _): return "aws_cognito_user_pools"
        case (.groups, "oidc") where isHandler:
            throw TypeScriptError("OIDC group auth is not supported with a.handler.custom", at: place)
        case (.groups, let provider?) where provider != "userPools":
            throw TypeScriptError("Unsupported provider for custom handlers: \(provider)", at: place)
        case (.groups, _): return "aws_cognito_user_pools"
        case (.custom, _): return "aws_lambda"
        case (.owner, _), (.resource, _):
            throw TypeScriptError(
                "Unsupported auth strategy for custom handlers: \(rule.strategy.rawValue)", at: place)
        }
    }
}
