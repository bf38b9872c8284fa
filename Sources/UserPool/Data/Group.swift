import Store

/// A group of users.
struct Group: Sendable {
    let name: String
    var description: String?
    var role: String?
    var precedence: Int64?
    let created: Int64
    var modified: Int64
}

extension Group {
    /// Those that count most first: a small precedence, then the name.
    static let ofUser = RoomStatement(
        """
        SELECT groups.name, description, role, precedence, created, modified
        FROM _homeport_group_members AS members JOIN _homeport_groups AS groups ON groups.name = members.groupName
        WHERE members.user = ? ORDER BY precedence IS NULL, precedence, groups.name
        """)

    /// The group of a row of such a selection.
    init(_ row: borrowing Row) {
        name = row.text(0)
        description = row.isNull(1) ? nil : row.text(1)
        role = row.isNull(2) ? nil : row.text(2)
        precedence = row.isNull(3) ? nil : row.integer(3)
        created = row.integer(4)
        modified = row.integer(5)
    }
}
