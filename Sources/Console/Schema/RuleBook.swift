import Access
import Blueprint
import GraphQL
import JSON

/// The rules of a schema by names of their own, as the page speaks of them: `Post#0`, `Post.secret#0`.
struct RuleBook: Sendable {
    /// A rule, with where it stands.
    struct Entry: Sendable {
        let id: String
        let rule: AccessRule
        let field: String?
    }

    private let byOwner: [ByteText: [Entry]]
    let places: SchemaPlaces

    init(_ blueprint: Blueprint, _ places: SchemaPlaces) {
        self.places = places
        var byOwner: [ByteText: [Entry]] = [:]
        func add(_ owner: String, _ rules: [AccessRule]?, field: String?) {
            guard let rules else { return }
            byOwner[ByteText(owner)] = rules.enumerated().map { number, rule in
                Entry(id: "\(owner)#\(number)", rule: rule, field: field)
            }
        }
        for model in blueprint.models {
            add(model.name, model.rules, field: nil)
            for field in model.fields { add("\(model.name).\(field.name)", field.rules, field: field.name) }
        }
        for type in blueprint.types {
            for field in type.fields { add("\(type.name).\(field.name)", field.rules, field: field.name) }
        }
        self.byOwner = byOwner
    }

    /// The rules of a model (`Post`) or of a field (`Post.secret`).
    func entries(of owner: String) -> [Entry] { byOwner[ByteText(owner)] ?? [] }

    /// The rule that a step of a trace is about.
    func entry(labelled label: String, of model: String, _ field: String?) -> Entry? {
        let ofField = field.map { entries(of: "\(model).\($0)") } ?? []
        return (ofField + entries(of: model)).first { $0.rule.traceLabels.contains { ByteText($0) == ByteText(label) } }
    }

    func json(_ entry: Entry) -> JSONValue {
        [
            "id": .string(entry.id), "text": .string(Self.text(entry.rule)), "place": places.place(entry.rule.position),
            "field": .text(entry.field), "provider": .string(entry.rule.provider.rawValue),
            "strategy": .string(entry.rule.strategy.rawValue),
            "operations": .texts(Self.operations(of: entry.rule)), "who": .string(Self.who(entry.rule)),
        ]
    }

    private static let named: [(OperationSet, String)] = [
        (.create, "create"), (.update, "update"), (.delete, "delete"), (.get, "get"), (.list, "list"),
        (.sync, "sync"), (.search, "search"), (.listen, "listen"),
    ]

    static func operations(of rule: AccessRule) -> [String] {
        named.filter { rule.operations.isSuperset(of: $0.0) }.map(\.1)
    }

    /// The rule as a schema has it.
    static func text(_ rule: AccessRule) -> String {
        var parts = ["allow: \(rule.strategy.rawValue)"]
        if rule.provider != rule.strategy.defaultProvider { parts.append("provider: \(rule.provider.rawValue)") }
        if let field = rule.ownerField { parts.append("ownerField: \"\(field)\"") }
        if let field = rule.groupsField { parts.append("groupsField: \"\(field)\"") }
        if let groups = rule.groups {
            parts.append("groups: [\(groups.map { "\"\($0)\"" }.joined(separator: ", "))]")
        }
        if let claim = rule.identityClaim { parts.append("identityClaim: \"\(claim)\"") }
        if let claim = rule.groupClaim { parts.append("groupClaim: \"\(claim)\"") }
        if rule.operations != .all {
            var names = operations(of: rule)
            if rule.operations.isSuperset(of: .read) {
                names.removeAll { ["get", "list", "sync", "search", "listen"].contains($0) }
                names.insert("read", at: 0)
            }
            parts.append("operations: [\(names.joined(separator: ", "))]")
        }
        return "{ \(parts.joined(separator: ", ")) }"
    }

    /// Whom it is for, in words.
    static func who(_ rule: AccessRule) -> String {
        switch (rule.strategy, rule.provider) {
        case (.owner, _): "the owner, whom \(rule.ownerField ?? AccessRule.defaultOwnerField) names"
        case (.groups, _):
            if let groups = rule.groups, rule.groupsField == nil {
                groups.count == 1 ? "the group \(groups[0])" : "the groups \(groups.joined(separator: ", "))"
            } else {
                "the group that \(rule.groupsField ?? AccessRule.defaultGroupsField) names"
            }
        case (.public, .apiKey): "everybody with the API key"
        case (.public, _): "guests of the identity pool"
        case (.private, .iam), (.private, .identityPool): "signed-in identities of the identity pool"
        case (.private, _): "everybody who is signed in"
        case (.custom, _): "whom the authorizer lets in"
        }
    }
}
