import JSON
import Store

extension PoolWriting {
    private static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_groups (name, description, role, precedence, created, modified)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING
        """)

    /// Makes the groups that the settings name, where they are not there yet.
    func makeGroups() throws(PoolError) {
        for group in settings.groups {
            try create(
                Group(
                    name: group.name, description: nil, role: group.role, precedence: group.precedence, created: now,
                    modified: now))
        }
    }

    /// Gives a group what its setting says by now.
    func apply(_ setting: GroupSetting) throws(PoolError) {
        var group = try session.knownGroup(setting.name)
        (group.precedence, group.role, group.modified) = (setting.precedence, setting.role, now)
        try save(group)
    }

    /// Puts a group in. False where there is one of that name.
    @discardableResult
    func create(_ group: Group) throws(PoolError) -> Bool {
        try change(
            Self.insertion,
            [
                .text(group.name), group.description.map(StoredValue.text) ?? .null,
                group.role.map(StoredValue.text) ?? .null, group.precedence.map(StoredValue.integer) ?? .null,
                .integer(group.created), .integer(group.modified),
            ]) > 0
    }
}
