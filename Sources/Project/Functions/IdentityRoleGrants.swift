/// What a project gives the roles of its identity pool, as far as its files say it.
package struct IdentityRoleGrants: Sendable, Equatable {
    /// A role in which identities act.
    package enum Role: Sendable, Hashable {
        /// All who have signed in, but for members of groups with a role.
        case users
        case guests
        case group(String)

        /// False for those that are named in the plural.
        package var isOfOne: Bool { if case .group = self { true } else { false } }
    }

    package var users = FunctionGrants()
    package var guests = FunctionGrants()
    package var groups: [(name: String, grants: FunctionGrants)] = []

    package init() {}

    package mutating func add(_ grants: FunctionGrants, to role: Role) {
        switch role {
        case .users: users.add(grants)
        case .guests: guests.add(grants)
        case .group(let name):
            if let place = groups.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                groups[place].grants.add(grants)
            } else {
                groups.append((name, grants))
            }
        }
    }

    package static func == (left: IdentityRoleGrants, right: IdentityRoleGrants) -> Bool {
        left.users == right.users && left.guests == right.guests && left.groups.count == right.groups.count
            && zip(left.groups, right.groups).allSatisfy { $0.name == $1.name && $0.grants == $1.grants }
    }
}
