import Access
import Blueprint
import JSON

/// Those whom a rule would let in, each to become with a click: for a rule about the record, whom the record at hand names.
///
///     {"label": "ann", "as": {"kind": "made", "username": "ann", …}, "field": "author", "claim": "username"}
struct AdmittedCallers: Sendable {
    let rule: AccessRule
    /// What was compared of the record at hand.
    let compared: [DecisionTrace.Compared]
    let settings: Settings

    private static let namesMax = 20
    private static let somebody = "someone"

    var json: [JSONValue] {
        switch (rule.strategy, rule.provider) {
        case (.groups, _):
            guard let groups = rule.groups, rule.groupsField == nil else {
                return ofField(groupsField, claim: groupClaim)
            }
            return groups.map { Self.caller("group \($0)", member(of: $0)) }
        case (.owner, _):
            return ofField(
                rule.ownerField ?? AccessRule.defaultOwnerField,
                claim: rule.identityClaim ?? settings.defaultIdentityClaim)
        case (.public, .apiKey): return [Self.caller("API key", ["kind": "apiKey"])]
        case (.public, _): return [Self.caller("guest", ["kind": "guest"])]
        case (.private, .iam), (.private, .identityPool):
            return [Self.caller("a signed-in identity", ["kind": "iam", "role": "authenticated"])]
        case (.private, _): return [Self.caller("anybody who is signed in", made(Self.somebody))]
        case (.custom, _): return []
        }
    }

    private var groupsField: String { rule.groupsField ?? AccessRule.defaultGroupsField }
    private var groupClaim: String { rule.groupClaim ?? AccessRule.defaultGroupClaim }

    private static func caller(_ label: String, _ wish: JSONValue) -> JSONValue {
        ["label": .string(label), "as": wish]
    }

    // MARK: Whom the record names

    /// Where no record is at hand, or it names nobody, nobody can be become: the field and the claim are all that is known.
    private func ofField(_ field: String, claim: String) -> [JSONValue] {
        let values = compared.last { ByteText($0.field) == ByteText(field) }?.value
        let names = (values?.array ?? values.map { [$0] } ?? []).compactMap(\.string).filter { !$0.isEmpty }
        let isGroup = rule.strategy == .groups
        guard !names.isEmpty else {
            let whom = isGroup ? "the group that \(field) names" : "the owner, whom \(field) names"
            return [["label": .string(whom), "as": .null, "field": .string(field), "claim": .string(claim)]]
        }
        return names.prefix(Self.namesMax).map { name in
            [
                "label": .string(isGroup ? "group \(name)" : OwnerText.shown(name)),
                "as": isGroup ? member(of: name) : owner(name, claim),
                "field": .string(field), "claim": .string(claim),
            ]
        }
    }

    /// Somebody whose claims say what a record has as its owner.
    private func owner(_ stored: String, _ claim: String) -> JSONValue {
        let shown = OwnerText.shown(stored)
        let parts = claim.parts(separatedBy: AccessRule.claimSeparator)
        let values = stored.parts(separatedBy: AccessRule.claimSeparator)
        // One of several parts stands for the owner by itself: then it is the last one that people know them by.
        let pairs =
            parts.count == values.count
            ? Array(zip(parts, values)) : [(parts.last ?? claim, settings.transformerVersion == 1 ? stored : shown)]
        var claims = JSONObject()
        for (name, value) in pairs where name != "username" { claims.set(name, to: .string(value)) }
        return made(pairs.last { $0.0 == "username" }?.1 ?? shown, claims: claims)
    }

    private func member(of group: String) -> JSONValue {
        guard ByteText(groupClaim) != ByteText(AccessRule.defaultGroupClaim) else {
            return made(Self.somebody, groups: [group])
        }
        return made(Self.somebody, claims: JSONObject([(groupClaim, .array([.string(group)]))]))
    }

    private func made(_ name: String, groups: [String] = [], claims: JSONObject = JSONObject()) -> JSONValue {
        [
            "kind": "made", "username": .string(name), "groups": .texts(groups), "claims": .object(claims),
            "provider": .string(rule.provider == .oidc ? "oidc" : "userPools"),
        ]
    }
}
