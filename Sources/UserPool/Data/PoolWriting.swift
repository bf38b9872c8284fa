import JSON
import Store

/// A change of the pool's data, within one transaction. What it throws undoes it.
struct PoolWriting {
    let session: WriteSession
    let settings: PoolSettings
    /// In milliseconds since 1970.
    let now: Int64
    /// True if a sign-in is a browser's on the pages, and no app's yet.
    var isForPages = false
    /// What refresh tokens are proved by; nil where no sign-in is made.
    var tokenKey: [UInt8]?
    /// What the app has said about messages to a user.
    var wording: UserWording?

    @discardableResult
    func change(_ statement: RoomStatement, _ values: [StoredValue] = []) throws(PoolError) -> Int {
        do throws(StoreError) { return try session.change(statement, values) } catch { throw PoolError(error) }
    }

    /// Makes the tables, or brings them to this version.
    func bring(_ tables: RoomTables) throws(PoolError) {
        do throws(StoreError) { try session.bring(tables) } catch { throw PoolError(error) }
    }

    /// The number of the row that was put in last.
    func lastNumber() throws(PoolError) -> Int64 {
        do throws(StoreError) { return try session.lastRowNumber } catch { throw PoolError(error) }
    }

    // MARK: Users

    /// Puts a new user in and gives them their names. Throws where one of these is taken.
    func create(_ user: User, names: [(name: UserName, kind: String)]) throws(PoolError) -> User {
        for name in names where try session.isTaken(name.name) { throw Self.taken(name.kind) }
        try change(UserRow.insertion, [.text(user.sub), .text(user.name)] + values(of: user, withCreation: true))
        let number = try lastNumber()
        for name in names { try give(name.name, name.kind, to: number) }
        guard let made = try session.user(number) else {
            throw PoolError(StoreError(.unexpected, "a user who was made is not there"))
        }
        return made
    }

    /// Writes a user back, as changed now or, where an import says so, then.
    func save(_ user: User, modified: Int64? = nil) throws(PoolError) {
        var user = user
        user.modified = modified ?? now
        try change(UserRow.update, values(of: user, withCreation: false) + [.integer(user.number)])
    }

    /// Lets a user be meant by a name; throws where somebody else is.
    func give(_ name: UserName, _ kind: String, to user: Int64) throws(PoolError) {
        let isNew = try change(UserRow.naming, [.text(name.folded), .integer(user), .text(kind)]) > 0
        guard !isNew else { return }
        guard try session.user(named: name)?.number == user else { throw Self.taken(kind) }
    }

    /// Ends that.
    func take(_ name: UserName, _ kind: String, from user: Int64) throws(PoolError) {
        try change(UserRow.unnaming, [.text(name.folded), .integer(user), .text(kind)])
    }

    private static func taken(_ kind: String) -> PoolError {
        switch kind {
        case "email": PoolError("UsernameExistsException", "An account with the given email already exists.")
        case "phone_number":
            PoolError("UsernameExistsException", "An account with the given phone_number already exists.")
        default: PoolError("UsernameExistsException", "User already exists")
        }
    }

    private func values(of user: User, withCreation: Bool) -> [StoredValue] {
        var values: [StoredValue] = [.text(user.status.rawValue), .boolean(user.isEnabled)]
        if withCreation { values.append(.integer(user.created)) }
        values += [
            .integer(user.modified), .utf8(JSONWriter.bytes(of: .object(user.attributes))),
            folded(user.attribute("email")), folded(user.attribute("phone_number")),
            user.password.map { .blob($0.salt) } ?? .null, user.password.map { .blob($0.verifier) } ?? .null,
            user.foreignHash.map(StoredValue.text) ?? .null, user.temporaryUntil.map(StoredValue.integer) ?? .null,
            .text(user.secondFactors.stored), user.totpSecret.map(StoredValue.blob) ?? .null,
            .integer(user.totpCounter),
        ]
        return values
    }

    /// An address as it is searched for.
    private func folded(_ address: String?) -> StoredValue {
        address.map { .text(UserName($0, in: settings).folded) } ?? .null
    }
}
