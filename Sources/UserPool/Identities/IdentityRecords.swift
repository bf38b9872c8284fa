import JSON
import Store

/// An identity that somebody with a login has, or had: guests are not stored.
struct IdentityRecord: Sendable {
    let id: String
    /// The `sub` of its user; nil where the login was taken from it, or where it has logins of a backend alone. Without these it is
    /// nobody's for ever.
    let subject: String?

    func isOf(_ subject: String) -> Bool { self.subject.map { ByteText($0) == ByteText(subject) } ?? false }

    private static let byID = RoomStatement("SELECT id, subject FROM _homeport_identities WHERE id = ?")
    private static let bySubject = RoomStatement("SELECT id, subject FROM _homeport_identities WHERE subject = ?")
    fileprivate static let dated = RoomStatement(
        "SELECT id, subject, created FROM _homeport_identities WHERE id = ?")
    static let insertion = RoomStatement("INSERT INTO _homeport_identities (id, subject, created) VALUES (?, ?, ?)")
    static let linking = RoomStatement("UPDATE _homeport_identities SET subject = ? WHERE id = ? AND subject IS NULL")
    static let unlinking = RoomStatement("UPDATE _homeport_identities SET subject = NULL WHERE id = ? AND subject = ?")

    fileprivate static func first(
        _ statement: RoomStatement, _ value: String, in reading: some RoomReading
    ) throws(PoolError) -> IdentityRecord? {
        var found: IdentityRecord?
        try reading.rows(statement, [.text(value)]) { row throws(PoolError) in
            found = IdentityRecord(id: row.text(0), subject: row.isNull(1) ? nil : row.text(1))
            return false
        }
        return found
    }

    fileprivate static func first(id: String, in reading: some RoomReading) throws(PoolError) -> IdentityRecord? {
        try first(byID, id, in: reading)
    }

    fileprivate static func first(of subject: String, in reading: some RoomReading) throws(PoolError) -> IdentityRecord?
    {
        try first(bySubject, subject, in: reading)
    }
}

extension RoomReading {
    /// The identity of that name, if a user has or had it.
    func identity(_ id: String) throws(PoolError) -> IdentityRecord? { try IdentityRecord.first(id: id, in: self) }

    /// The same with when it was made.
    func datedIdentity(_ id: String) throws(PoolError) -> (record: IdentityRecord, created: Int64)? {
        var found: (record: IdentityRecord, created: Int64)?
        try rows(IdentityRecord.dated, [.text(id)]) { row throws(PoolError) in
            found = (IdentityRecord(id: row.text(0), subject: row.isNull(1) ? nil : row.text(1)), row.integer(2))
            return false
        }
        return found
    }

    /// The identity of a user, by their `sub`.
    func identity(of subject: String) throws(PoolError) -> IdentityRecord? {
        try IdentityRecord.first(of: subject, in: self)
    }
}

extension PoolWriting {
    /// Makes an identity of that name, which nobody may have yet, for a user of the pool or for one of the app's backend.
    func make(_ id: String, for subject: String?) throws(PoolError) {
        try change(IdentityRecord.insertion, [.text(id), subject.map(StoredValue.text) ?? .null, .integer(now)])
    }
}
