import Access
import Blueprint
import JSON

/// A kind of caller, as a column of the matrix: somebody made up who is of that kind and of no other, with the records that would
/// be theirs.
struct MatrixCaller: Sendable {
    enum Kind: Sendable {
        /// Nothing of a record is theirs.
        case stranger
        /// Records name them as the owner.
        case owner
        /// Records name their group, in this field.
        case groupField(String)
        /// A caller who is there: records name them as the owner, and where `withGroups` says so one of their groups.
        case someone(withGroups: Bool)
    }

    let id: String
    let label: String
    let provider: AccessRule.Provider
    let identity: Identity
    let kind: Kind
    let wish: JSONValue

    var json: JSONValue {
        [
            "id": .string(id), "label": .string(label), "provider": .string(provider.rawValue), "as": wish,
        ]
    }

    /// The same caller, whose groups records name.
    func named(withGroups: Bool) -> MatrixCaller {
        MatrixCaller(
            id: id, label: label, provider: provider, identity: identity, kind: .someone(withGroups: withGroups),
            wish: wish)
    }

    private static let strangerName = "somebody else"
    static let groupOfRecord = "group-of-the-record"

    /// What a field of a record holds that is theirs, or, where they have none, that is nobody's.
    func record(_ model: Model, isOwn: Bool) -> @Sendable (String) -> JSONValue? {
        var values = JSONObject()
        for role in model.matrix?.roles ?? [] where !role.isStatic {
            guard let field = role.entity else { continue }
            var value = Self.strangerName
            switch (kind, role.strategy) {
            case (.owner, .owner) where isOwn && role.provider.mode == identity.mode:
                value = Self.owner(role.claim ?? "sub::username", identity) ?? value
            case (.someone, .owner) where isOwn && role.provider.mode == identity.mode:
                value = Self.owner(role.claim ?? "sub::username", identity) ?? value
            case (.someone(withGroups: true), .groups) where isOwn && role.provider.mode == identity.mode:
                value = Self.group(role.claim ?? AccessRule.defaultGroupClaim, identity) ?? value
            case (.groupField(let own), .groups) where isOwn && own.utf8.elementsEqual(field.utf8):
                value = Self.groupOfRecord
            default: break
            }
            // Several rules may be about one field: what is theirs by one of them is theirs.
            if let present = values[field], present != Self.stored(Self.strangerName, role) { continue }
            values.set(field, to: Self.stored(value, role))
        }
        let known = values
        return { known[$0] }
    }

    private static func stored(_ value: String, _ role: Role) -> JSONValue {
        role.isEntityList ? [.string(value)] : .string(value)
    }

    /// What the rules write as the owner: the claims that it names, joined.
    private static func owner(_ claim: String, _ identity: Identity) -> String? {
        guard let claims = identity.token?.claims else { return nil }
        let parts = claim.parts(separatedBy: AccessRule.claimSeparator).map { name in
            claims[name]?.string ?? (name == "username" ? claims["cognito:username"]?.string : nil)
        }
        return parts.contains { $0 == nil } ? nil : parts.compactMap(\.self).joined(separator: "::")
    }

    /// A group of a caller who is there.
    private static func group(_ claim: String, _ identity: Identity) -> String? {
        let claimed = identity.token?.claims[claim]
        return claimed?.array?.first?.string ?? claimed?.string
    }

    // MARK: All of a schema

    /// The kinds that the modes of a schema let in and its rules speak of, in the order of the page.
    static func all(of blueprint: Blueprint) -> [MatrixCaller] {
        let modes = blueprint.settings.modes
        let rules =
            blueprint.models.flatMap { model in
                (model.rules ?? []) + model.fields.flatMap { $0.rules ?? [] }
            } + blueprint.types.flatMap { $0.fields.flatMap { $0.rules ?? [] } }
        var callers: [MatrixCaller] = []
        if modes.contains(.apiKey) {
            callers.append(
                MatrixCaller(
                    id: "apiKey", label: "API key", provider: .apiKey, identity: .apiKey, kind: .stranger,
                    wish: ["kind": "apiKey"]))
        }
        if modes.contains(.iam) {
            callers += [
                MatrixCaller(
                    id: "guest", label: "Guest", provider: .identityPool,
                    identity: .iam(.unauthenticated, identityID: "us-east-1:guest"), kind: .stranger,
                    wish: ["kind": "guest"]),
                MatrixCaller(
                    id: "iam", label: "Signed-in identity", provider: .identityPool,
                    identity: .iam(.authenticated, identityID: "us-east-1:identity"), kind: .stranger,
                    wish: ["kind": "iam", "role": "authenticated"]),
            ]
        }
        for (mode, provider) in [(AuthMode.userPools, AccessRule.Provider.userPools), (.oidc, .oidc)]
        where modes.contains(mode) {
            callers += ofTokens(
                provider, rules.filter { $0.provider == provider },
                isOnly: !(modes.contains(.userPools) && modes.contains(.oidc)))
        }
        if modes.contains(.lambda) {
            callers.append(
                MatrixCaller(
                    id: "function", label: "Authorizer", provider: .function, identity: .lambda(), kind: .stranger,
                    wish: .null))
        }
        return callers
    }

    private static func claims(_ added: [(String, JSONValue)], groups: [String]) -> JSONObject {
        var claims = JSONObject(added)
        claims.set("sub", to: "someone-sub")
        if !groups.isEmpty { claims.set("cognito:groups", to: .texts(groups)) }
        return claims
    }

    private static func ofTokens(
        _ provider: AccessRule.Provider, _ rules: [AccessRule], isOnly: Bool
    ) -> [MatrixCaller] {
        let prefix = isOnly || provider == .userPools ? "" : "oidc:"
        let suffix = prefix.isEmpty ? "" : " (OpenID Connect)"
        let claims = rules.flatMap { [$0.identityClaim].compactMap(\.self) }
            .flatMap { $0.parts(separatedBy: AccessRule.claimSeparator) }.eachOnce()
        func caller(_ id: String, _ label: String, groups: [String], claim: String, _ kind: Kind) -> MatrixCaller {
            var added: [(String, JSONValue)] = [("username", "someone")]
            for name in claims where !["sub", "username", "cognito:username"].contains(name) {
                added.append((name, .string("someone-\(name)")))
            }
            if claim != AccessRule.defaultGroupClaim { added.append((claim, .texts(groups))) }
            let own = claim == AccessRule.defaultGroupClaim ? groups : []
            let identity: Identity =
                provider == .userPools
                ? .userPool(username: "someone", sub: "someone-sub", groups: own, claims: added)
                : .oidc(claims: Self.claims(added, groups: own))
            return MatrixCaller(
                id: prefix + id, label: label + suffix, provider: provider, identity: identity, kind: kind,
                wish: [
                    "kind": "made", "username": "someone", "groups": .texts(own),
                    "claims": .object(JSONObject(added.filter { $0.0 != "username" })),
                    "provider": .string(provider == .oidc ? "oidc" : "userPools"),
                ])
        }
        let usual = AccessRule.defaultGroupClaim
        var callers = [caller("signedIn", "Signed in", groups: [], claim: usual, .stranger)]
        if rules.contains(where: { $0.strategy == .owner }) {
            callers.append(caller("owner", "Owner", groups: [], claim: usual, .owner))
        }
        var seen: Set<ByteText> = []
        for rule in rules where rule.strategy == .groups {
            let claim = rule.groupClaim ?? usual
            if let groups = rule.groups, rule.groupsField == nil {
                for group in groups where seen.insert(ByteText("\(claim) \(group)")).inserted {
                    callers.append(caller("group:\(group)", group, groups: [group], claim: claim, .stranger))
                }
            } else {
                let field = rule.groupsField ?? AccessRule.defaultGroupsField
                guard seen.insert(ByteText("field \(claim) \(field)")).inserted else { continue }
                callers.append(
                    caller(
                        "groupField:\(field)", "Group in \(field)", groups: [groupOfRecord], claim: claim,
                        .groupField(field)))
            }
        }
        return callers
    }
}
