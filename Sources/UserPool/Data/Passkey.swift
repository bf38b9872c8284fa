import JSON
import Store

/// A passkey of a user's: what signs lies with their authenticator, what proves it here.
struct Passkey: Sendable {
    /// As the authenticator has named it, for all users.
    let id: [UInt8]
    let user: Int64
    let relyingPartyID: String
    /// The public key, as the authenticator wrote it.
    let key: [UInt8]
    /// How often the authenticator says that it has signed; 0 where it does not count.
    let counter: Int64
    let name: String
    let attachment: String
    /// Names with blanks between them.
    let transports: String
    /// In milliseconds since 1970.
    let created: Int64

    fileprivate static let byID = RoomStatement(
        """
        SELECT id, user, relyingParty, key, counter, name, attachment, transports, created
        FROM _homeport_passkeys WHERE id = ?
        """)
    fileprivate static let ofUser = RoomStatement(
        """
        SELECT id, user, relyingParty, key, counter, name, attachment, transports, created
        FROM _homeport_passkeys WHERE user = ? AND id > ? ORDER BY id LIMIT ?
        """)
    fileprivate static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_passkeys (id, user, relyingParty, key, counter, name, attachment, transports, created)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
        """)
    fileprivate static let counting = RoomStatement("UPDATE _homeport_passkeys SET counter = ? WHERE id = ?")
    fileprivate static let removal = RoomStatement("DELETE FROM _homeport_passkeys WHERE id = ? AND user = ?")

    init(
        id: [UInt8], user: Int64, relyingPartyID: String, key: [UInt8], counter: Int64, name: String,
        attachment: String, transports: String, created: Int64
    ) {
        self.id = id
        self.user = user
        self.relyingPartyID = relyingPartyID
        self.key = key
        self.counter = counter
        self.name = name
        self.attachment = attachment
        self.transports = transports
        self.created = created
    }

    fileprivate init(_ row: borrowing Row) {
        self.init(
            id: row.blob(0), user: row.integer(1), relyingPartyID: row.text(2), key: row.blob(3),
            counter: row.integer(4), name: row.text(5), attachment: row.text(6), transports: row.text(7),
            created: row.integer(8))
    }

    fileprivate var values: [StoredValue] {
        [
            .blob(id), .integer(user), .text(relyingPartyID), .blob(key), .integer(counter), .text(name),
            .text(attachment), .text(transports), .integer(created),
        ]
    }
}

extension RoomReading {
    /// The passkey that an authenticator calls so.
    func passkey(_ id: [UInt8]) throws(PoolError) -> Passkey? {
        var found: Passkey?
        try rows(Passkey.byID, [.blob(id)]) { row throws(PoolError) in
            found = Passkey(row)
            return false
        }
        return found
    }

    /// So many passkeys of a user, by their names, behind one of them.
    func passkeys(
        of user: Int64, after id: [UInt8] = [], limit: Int = PoolLimits.passkeysPerUserMax
    ) throws(PoolError) -> [Passkey] {
        var passkeys: [Passkey] = []
        try rows(Passkey.ofUser, [.integer(user), .blob(id), .integer(Int64(limit))]) { row throws(PoolError) in
            passkeys.append(Passkey(row))
            return true
        }
        return passkeys
    }
}

extension PoolWriting {
    /// Puts a passkey in. False where there is one of that name, whoever's.
    func create(_ passkey: Passkey) throws(PoolError) -> Bool {
        try change(Passkey.insertion, passkey.values) > 0
    }

    /// Notes how often a passkey has signed. False where it does not count on: then there are two of it.
    func count(_ counter: UInt32, of passkey: Passkey) throws(PoolError) -> Bool {
        guard counter > 0 || passkey.counter > 0 else { return true }
        guard Int64(counter) > passkey.counter else { return false }
        try change(Passkey.counting, [.integer(Int64(counter)), .blob(passkey.id)])
        return true
    }

    /// Deletes a passkey of a user's. False where they have none of that name.
    func deletePasskey(_ id: [UInt8], of user: User) throws(PoolError) -> Bool {
        try change(Passkey.removal, [.blob(id), .integer(user.number)]) > 0
    }
}
