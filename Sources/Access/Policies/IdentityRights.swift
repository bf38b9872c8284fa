import JSON

/// The rights of the identity pool's roles at the services that ask for them, by the project: none by default, and none that could not be read.
package final class IdentityRights: Sendable {
    private let users: RolePolicy
    private let guests: RolePolicy
    private let groups: [ByteText: RolePolicy]

    /// A role in which an identity acts.
    package enum Role: Sendable {
        case users
        case guests
        case group(String)
    }

    /// Without any, nobody may do anything.
    package init(
        users: RolePolicy = RolePolicy(), guests: RolePolicy = RolePolicy(), groups: [(name: String, RolePolicy)] = []
    ) {
        (self.users, self.guests) = (users, guests)
        self.groups = Dictionary(texts: groups.map { ($0.name, $0.1) }, uniquingKeysWith: { first, _ in first })
    }

    /// True if no role has any rights.
    package var isEmpty: Bool {
        groups.isEmpty && [users, guests].allSatisfy { $0.statements.isEmpty && $0.unread.isEmpty }
    }

    /// The verdict on an action in a role.
    package func verdict(
        of role: Role, on action: String, _ resource: PolicyResource, _ call: PolicyCall
    ) -> RolePolicy.Verdict {
        let policy: RolePolicy? =
            switch role {
            case .users: users
            case .guests: guests
            case .group(let name): groups[name]
            }
        return policy?.verdict(on: action, resource, call) ?? .notAllowed
    }
}
