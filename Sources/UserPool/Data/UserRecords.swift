import JSON
import Store

/// Users in the database.
extension RoomReading {
    /// The user with that number.
    func user(_ number: Int64) throws(PoolError) -> User? {
        try firstUser(UserRow.byNumber, [.integer(number)])
    }

    /// Whom a name means, folded by `UserName`: the user's own name, their `sub`, an address that they sign in by.
    func user(named name: UserName) throws(PoolError) -> User? {
        try firstUser(UserRow.byName, [.text(name.folded)])
    }

    /// The same; where it means nobody, a record is read all the same, which a number chooses: reading one can be felt. So can every
    /// statement more or less, so both are read by the same ones.
    func user(named name: UserName, orLike number: Int64) throws(PoolError) -> User? {
        var meant: Int64?
        try rows(UserRow.numberByName, [.text(name.folded)]) { row throws(PoolError) in
            meant = row.integer(0)
            return false
        }
        // The next one behind the number before a user's is that user.
        let read = try firstUser(UserRow.anyone, [.integer(meant.map { $0 - 1 } ?? number)])
        guard let read, read.number == meant else { return nil }
        return read
    }

    private func firstUser(_ statement: RoomStatement, _ values: [StoredValue]) throws(PoolError) -> User? {
        var found: User?
        try rows(statement, values) { row throws(PoolError) in
            found = try UserRow.user(row)
            return false
        }
        return found
    }

    /// Whether a name is taken: as somebody's name, `sub` or address, whether they sign in by it or not. Addresses that providers tell
    /// of are nobody's names.
    func isTaken(_ name: UserName) throws(PoolError) -> Bool {
        var isTaken = false
        try rows(UserRow.taken, [.text(name.folded), .text(name.folded), .text(name.folded)]) { _ throws(PoolError) in
            isTaken = true
            return false
        }
        return isTaken
    }

    /// The hash of another server that a user has whom a number chooses among all: nil for one who has none.
    func foreignHash(ofSomebodyLike number: Int64) throws(PoolError) -> String? {
        var hash: String?
        try rows(UserRow.sample, [.integer(number)]) { row throws(PoolError) in
            hash = row.isNull(0) ? nil : row.text(0)
            return false
        }
        return hash
    }

    /// The groups of a user, those that count most first.
    func groups(of user: Int64) throws(PoolError) -> [Group] {
        var groups: [Group] = []
        try rows(Group.ofUser, [.integer(user)]) { row throws(PoolError) in
            groups.append(Group(row))
            return groups.count < PoolLimits.groupsPerUserMax
        }
        return groups
    }
}

/// A name by which somebody is meant: what sign-up and sign-in compare.
struct UserName: Sendable, Equatable {
    let given: String
    /// As it is compared. Where names are taken without regard to case, this is the one place that folds them.
    let folded: String

    init(_ given: String, in settings: PoolSettings) {
        self.given = given
        folded = settings.isCaseSensitive ? given : given.lowercased()
    }

    /// Returns whether it begins as the names of a provider's users do, in whatever case.
    func isOfUser(of provider: IdentityProvider) -> Bool {
        given.lowercased().utf8.starts(with: provider.userName(of: "").lowercased().utf8)
    }
}

enum UserRow {
    static let byNumber = RoomStatement(
        """
        SELECT number, sub, name, status, isEnabled, created, modified, attributes, salt, verifier, foreignHash,
            temporaryUntil, secondFactors, totpSecret, totpCounter
        FROM _homeport_users WHERE number = ?
        """)
    static let byName = RoomStatement(
        """
        SELECT number, sub, users.name, status, isEnabled, created, modified, attributes, salt, verifier, foreignHash,
            temporaryUntil, secondFactors, totpSecret, totpCounter
        FROM _homeport_user_names AS names JOIN _homeport_users AS users ON users.number = names.user
        WHERE names.name = ?
        """)
    fileprivate static let numberByName = RoomStatement("SELECT user FROM _homeport_user_names WHERE name = ?")
    static let taken = RoomStatement(
        """
        SELECT 1 FROM _homeport_user_names WHERE name = ?
        UNION ALL SELECT 1 FROM _homeport_users WHERE email = ? AND status <> 'EXTERNAL_PROVIDER'
        UNION ALL SELECT 1 FROM _homeport_users WHERE phone = ? AND status <> 'EXTERNAL_PROVIDER'
        """)
    /// All of them, in the order in which they came.
    static let all = RoomStatement(
        """
        SELECT number, sub, name, status, isEnabled, created, modified, attributes, salt, verifier, foreignHash,
            temporaryUntil, secondFactors, totpSecret, totpCounter
        FROM _homeport_users ORDER BY number
        """, isOpen: true)
    static let countOfAll = RoomStatement("SELECT count(*) FROM _homeport_users")
    fileprivate static let anyone = RoomStatement(
        """
        SELECT number, sub, name, status, isEnabled, created, modified, attributes, salt, verifier, foreignHash,
            temporaryUntil, secondFactors, totpSecret, totpCounter
        FROM _homeport_users
        WHERE number > ? % coalesce((SELECT max(number) FROM _homeport_users), 1) ORDER BY number LIMIT 1
        """)
    fileprivate static let sample = RoomStatement(
        """
        SELECT foreignHash FROM _homeport_users
        WHERE number > ? % coalesce((SELECT max(number) FROM _homeport_users), 1) ORDER BY number LIMIT 1
        """)
    static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_users (sub, name, status, isEnabled, created, modified, attributes, email, phone, salt,
            verifier, foreignHash, temporaryUntil, secondFactors, totpSecret, totpCounter)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    static let update = RoomStatement(
        """
        UPDATE _homeport_users SET status = ?, isEnabled = ?, modified = ?, attributes = ?, email = ?, phone = ?,
            salt = ?, verifier = ?, foreignHash = ?, temporaryUntil = ?, secondFactors = ?, totpSecret = ?, totpCounter = ?
        WHERE number = ?
        """)
    static let naming = RoomStatement(
        "INSERT INTO _homeport_user_names (name, user, kind) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING")
    static let unnaming = RoomStatement("DELETE FROM _homeport_user_names WHERE name = ? AND user = ? AND kind = ?")

    /// The user of a row of one of these selections.
    static func user(_ row: borrowing Row) throws(PoolError) -> User {
        guard let status = User.Status(rawValue: row.text(3)),
            let attributes = (try? JSONReader.value(of: row.text(7)))?.object
        else {
            throw PoolError(StoreError(.unexpected, "the record of user \(row.integer(0)) cannot be read"))
        }
        return User(
            number: row.integer(0), sub: row.text(1), name: row.text(2), status: status, isEnabled: row.boolean(4),
            created: row.integer(5), modified: row.integer(6), attributes: attributes,
            password: row.isNull(9) ? nil : StoredPassword(salt: row.blob(8), verifier: row.blob(9)),
            foreignHash: row.isNull(10) ? nil : row.text(10),
            temporaryUntil: row.isNull(11) ? nil : row.integer(11),
            secondFactors: SecondFactorChoice(stored: row.text(12)), totpSecret: row.isNull(13) ? nil : row.blob(13),
            totpCounter: row.integer(14))
    }
}
