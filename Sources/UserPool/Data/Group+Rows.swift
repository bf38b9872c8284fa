import Store

extension Group {
    static let byName = RoomStatement(
        "SELECT name, description, role, precedence, created, modified FROM _homeport_groups WHERE name = ?")
    /// Those behind a name, in the order of the names.
    static let page = RoomStatement(
        """
        SELECT name, description, role, precedence, created, modified FROM _homeport_groups
        WHERE name > ? ORDER BY name LIMIT ?
        """)
    static let countOfAll = RoomStatement("SELECT count(*) FROM _homeport_groups")
    fileprivate static let update = RoomStatement(
        "UPDATE _homeport_groups SET description = ?, role = ?, precedence = ?, modified = ? WHERE name = ?")
    fileprivate static let removal = RoomStatement("DELETE FROM _homeport_groups WHERE name = ?")
    fileprivate static let removalOfMembers = RoomStatement("DELETE FROM _homeport_group_members WHERE groupName = ?")
    fileprivate static let joining = RoomStatement(
        "INSERT INTO _homeport_group_members (user, groupName) VALUES (?, ?) ON CONFLICT (user, groupName) DO NOTHING")
    fileprivate static let leaving = RoomStatement(
        "DELETE FROM _homeport_group_members WHERE user = ? AND groupName = ?")
}

extension RoomReading {
    /// The group of that name.
    func knownGroup(_ name: String) throws(PoolError) -> Group {
        var found: Group?
        try rows(Group.byName, [.text(name)]) { row throws(PoolError) in
            found = Group(row)
            return false
        }
        guard let found else { throw .notFound("Group not found.") }
        return found
    }

    /// Returns whether there are groups of all these names.
    func has(_ groups: [GroupSetting]) throws(StoreError) -> Bool {
        for group in groups {
            var isThere = false
            try rows(Group.byName, [.text(group.name)]) { (_: borrowing Row) throws(StoreError) in
                isThere = true
                return false
            }
            guard isThere else { return false }
        }
        return true
    }

    /// The number that a statement selects.
    func count(_ statement: RoomStatement, _ values: [StoredValue] = []) throws(PoolError) -> Int64 {
        var count: Int64 = 0
        try rows(statement, values) { row throws(PoolError) in
            count = row.integer(0)
            return false
        }
        return count
    }
}

extension PoolWriting {
    /// Writes a group back.
    func save(_ group: Group) throws(PoolError) {
        try change(
            Group.update,
            [
                group.description.map(StoredValue.text) ?? .null, group.role.map(StoredValue.text) ?? .null,
                group.precedence.map(StoredValue.integer) ?? .null, .integer(group.modified), .text(group.name),
            ])
    }

    /// Deletes a group. Nobody is in it any more, also when there is one of that name again.
    func deleteGroup(_ name: String) throws(PoolError) {
        try change(Group.removalOfMembers, [.text(name)])
        try change(Group.removal, [.text(name)])
    }

    /// Puts a user into a group, where they may be already.
    func add(_ user: User, to group: Group) throws(PoolError) {
        let count = try session.groups(of: user.number).count
        guard try change(Group.joining, [.integer(user.number), .text(group.name)]) > 0 else { return }
        guard count < PoolLimits.groupsPerUserMax else {
            throw PoolError("LimitExceededException", "The user is in as many groups as they can be.")
        }
    }

    /// Takes a user out of a group, in which they may not be.
    func remove(_ user: User, from group: Group) throws(PoolError) {
        try change(Group.leaving, [.integer(user.number), .text(group.name)])
    }
}
