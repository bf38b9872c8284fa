import Access
import Cloud
import JSON
import Store

extension Group {
    /// The name that Amplify gives the role of a group, behind the pool's.
    fileprivate static func usualRole(of name: String, in pool: PoolIdentifiers) -> String {
        ARN(
            "iam", region: "", account: IAMPrincipal.exampleAccountID, "role/\(pool.userPoolID)-\(name)GroupRole"
        ).description
    }
}

extension UserPool {
    /// The same groups, with roles for those that rules name and that have none of their own.
    func withRoles(_ groups: [Group]) -> [Group] {
        groups.map { group in
            guard group.role == nil, settings.groupsWithRoles.contains(group.name) else { return group }
            var group = group
            group.role = Group.usualRole(of: group.name, in: identifiers)
            return group
        }
    }

    /// The group whose role that is: of those that the user is in now, the one that counts most. Nil where they are in none.
    func group(ofRole arn: String, among groups: [Group]) -> String? {
        withRoles(groups).first { $0.role == arn }?.name
    }
}
