import JSON
import Store

/// A user whom the app's own backend has signed in (a developer identity): the name of the backend as a provider, and the user's name there.
///
/// An identity may have many of them, beside the login of the user pool. What they say is in tables of their own, since most
/// pools have none.
struct DeveloperLogin: Sendable {
    let provider: String
    let user: String

    /// How tokens and identities name it.
    func name(in identityPoolID: String) -> String { "\(provider):\(identityPoolID):\(user)" }

    /// A login as a token's `amr` and a key name it.
    init?(_ name: String, of provider: String, in identityPoolID: String) {
        let prefix = "\(provider):\(identityPoolID):"
        guard name.utf8.starts(with: prefix.utf8), name.utf8.count > prefix.utf8.count else { return nil }
        self.init(provider: provider, user: String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    init(provider: String, user: String) {
        self.provider = provider
        self.user = user
    }

    fileprivate var values: [StoredValue] { [.text(provider), .text(user)] }

    static let tables = RoomTables(
        of: "developer identities", turn: .users,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_developer_logins (
                        provider TEXT NOT NULL, user TEXT NOT NULL, identity TEXT NOT NULL, created INTEGER NOT NULL,
                        PRIMARY KEY (provider, user)
                    ) STRICT, WITHOUT ROWID
                    """),
                RoomStatement(
                    "CREATE INDEX _homeport_developer_logins_identity ON _homeport_developer_logins (identity, provider, user)"
                ),
            ]
        ])

    fileprivate static let selection = RoomStatement(
        "SELECT identity FROM _homeport_developer_logins WHERE provider = ? AND user = ?")
    fileprivate static let ofIdentity = RoomStatement(
        """
        SELECT user FROM _homeport_developer_logins WHERE identity = ? AND provider = ? AND user > ? ORDER BY user
        LIMIT ?
        """)
    fileprivate static let count = RoomStatement("SELECT count(*) FROM _homeport_developer_logins WHERE identity = ?")
    fileprivate static let insertion = RoomStatement(
        "INSERT INTO _homeport_developer_logins (provider, user, identity, created) VALUES (?, ?, ?, ?)")
    fileprivate static let removal = RoomStatement(
        "DELETE FROM _homeport_developer_logins WHERE provider = ? AND user = ? AND identity = ?")
    fileprivate static let moving = RoomStatement(
        "UPDATE _homeport_developer_logins SET identity = ? WHERE identity = ?")

    fileprivate static func areIn(_ reading: some RoomReading) throws(PoolError) -> Bool {
        do throws(StoreError) { return try reading.has(tables) } catch { throw PoolError(error) }
    }
}

extension PoolIdentifiers {
    /// Returns whether a text may be what an app's backend is called as a provider: none that Cognito has.
    package static func isDeveloperProvider(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isWord || $0 == 0x2D || $0 == 0x2E }
            && !name.utf8.reversed().starts(with: ".amazonaws.com".utf8.reversed())
    }
}

extension RoomReading {
    /// The identity of a user of the backend's.
    func identity(of login: DeveloperLogin) throws(PoolError) -> String? {
        guard try DeveloperLogin.areIn(self) else { return nil }
        var found: String?
        try rows(DeveloperLogin.selection, login.values) { row throws(PoolError) in
            found = row.text(0)
            return false
        }
        return found
    }

    /// Returns whether a user of the backend's has that identity.
    func has(_ login: DeveloperLogin, _ identity: String) throws(PoolError) -> Bool {
        try self.identity(of: login).map { ByteText($0) == ByteText(identity) } ?? false
    }

    /// The names that a backend has for an identity, in their order.
    func developerUsers(
        of identity: String, _ provider: String, behind position: String, max: Int
    ) throws(PoolError) -> [String] {
        guard try DeveloperLogin.areIn(self) else { return [] }
        var users: [String] = []
        let values: [StoredValue] = [.text(identity), .text(provider), .text(position), .integer(Int64(max))]
        try rows(DeveloperLogin.ofIdentity, values) { row throws(PoolError) in
            users.append(row.text(0))
            return true
        }
        return users
    }

    func developerLoginCount(of identity: String) throws(PoolError) -> Int64 {
        guard try DeveloperLogin.areIn(self) else { return 0 }
        return try count(DeveloperLogin.count, [.text(identity)])
    }
}

extension PoolWriting {
    /// Gives a user of the backend's an identity. Throws where that has as many as it may.
    func link(_ login: DeveloperLogin, to identity: String) throws(PoolError) {
        try bring(DeveloperLogin.tables)
        guard try session.developerLoginCount(of: identity) < PoolLimits.developerLoginsPerIdentityMax else {
            throw .tooManyLogins
        }
        try change(DeveloperLogin.insertion, login.values + [.text(identity), .integer(now)])
    }

    /// Takes a user of the backend's from their identity. Answers false where they do not have it.
    @discardableResult
    func unlink(_ login: DeveloperLogin, from identity: String) throws(PoolError) -> Bool {
        guard try DeveloperLogin.areIn(session) else { return false }
        return try change(DeveloperLogin.removal, login.values + [.text(identity)]) > 0
    }

    /// Makes all logins of one identity those of another one. The first is nobody's after that.
    func merge(_ source: IdentityRecord, into destination: IdentityRecord) throws(PoolError) {
        let logins = try session.developerLoginCount(of: source.id) + session.developerLoginCount(of: destination.id)
        guard logins <= PoolLimits.developerLoginsPerIdentityMax else { throw .tooManyLogins }
        if let subject = source.subject {
            guard destination.subject == nil else { throw .loginOfAnother }
            try change(IdentityRecord.unlinking, [.text(source.id), .text(subject)])
            try change(IdentityRecord.linking, [.text(subject), .text(destination.id)])
        }
        try change(DeveloperLogin.moving, [.text(destination.id), .text(source.id)])
    }
}

extension PoolError {
    static let tooManyLogins = invalidParameter(
        "An identity can have at most \(PoolLimits.developerLoginsPerIdentityMax) developer user identifiers.")
    static let loginOfAnother = PoolError(
        "ResourceConflictException", "Login is already linked to another identity.")
}
