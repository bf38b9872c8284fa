import JSON

/// The rights that `amplify add storage` gives: three levels in folders of their own, and a folder that is only written to.
///
///     public/…           what the role may do
///     protected/{id}/…   what the role may do, for the identity with that id; reading for every role that may read
///     private/{id}/…     what the role may do, for the identity with that id alone
///     uploads/…          writing, for every role that may write
///
/// A group has its rights in the whole bucket. Its members have no others: the group's role takes the place of that of all
/// signed-in users.
package struct Version1Rights: FileRights {
    private let users: FileActions
    private let guests: FileActions
    private let groups: [ByteText: FileActions]
    private let functions: [ByteText: FileActions]

    package init(
        users: FileActions, guests: FileActions = [], groups: [String: FileActions] = [:],
        functions: [String: FileActions] = [:]
    ) {
        self.users = users
        self.guests = guests
        self.groups = Dictionary(texts: groups.map { ($0, $1) }, uniquingKeysWith: { $0.intersection($1) })
        self.functions = Dictionary(texts: functions.map { ($0, $1) }, uniquingKeysWith: { $0.intersection($1) })
    }

    package func allow(_ action: FileAction, _ key: String, to caller: FileCaller) -> Bool {
        switch caller {
        case .anonymous: false
        case .administrator: true
        case .guest: guests.allow(action) && Self.isOpen(key, to: action)
        case .user(let identity):
            users.allow(action) && (Self.isOpen(key, to: action) || Self.isOwn(key, of: identity))
        case .member(let group, _): groups[group]?.allow(action) ?? false
        case .function(let name, _): functions[name]?.allow(action) ?? false
        }
    }

    /// Returns whether the key is where a role may do what it may do at all, whoever is in it.
    private static func isOpen(_ key: String, to action: FileAction) -> Bool {
        if key.hasPrefix("public/") { return true }
        return switch action {
        case .get, .list: key.hasPrefix("protected/")
        case .put: key.hasPrefix("uploads/")
        case .delete: false
        }
    }

    private static func isOwn(_ key: String, of identity: String) -> Bool {
        OwnFolder.holds(key, below: "protected/", of: identity) || OwnFolder.holds(key, below: "private/", of: identity)
    }
}
