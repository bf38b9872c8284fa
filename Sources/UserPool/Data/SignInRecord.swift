import Crypto
import JSON
import Store

/// A sign-in and what came of it. Its tokens name it as `origin_jti`; ending it ends them all.
struct SignInRecord: Sendable {
    let id: String
    let user: Int64
    let client: String
    /// In milliseconds since 1970.
    let began: Int64
    let expires: Int64
    let scopes: String
    let tokenDigest: [UInt8]
    let formerDigest: [UInt8]?
    /// When the present token took the place of the one before; 0: never.
    let rotated: Int64
    let isRevoked: Bool
    /// True if its user was disabled: nothing of it is good any more, not even the ID tokens, which outlive a sign-out.
    let isEnded: Bool
    let device: String?

    private static let byID = RoomStatement(
        """
        SELECT id, user, client, began, expires, scopes, token, formerToken, rotated, revoked, device
        FROM _homeport_sign_ins WHERE id = ?
        """)
    static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_sign_ins
            (id, user, client, began, expires, scopes, token, formerToken, rotated, revoked, device)
        VALUES (?, ?, ?, ?, ?, ?, ?, NULL, 0, 0, ?)
        """)
    /// Those of a user beyond the limit, the oldest first, and whatever has ended.
    static let sweep = RoomStatement(
        """
        DELETE FROM _homeport_sign_ins WHERE expires < ?1 OR (user = ?2 AND began <= (
            SELECT began FROM _homeport_sign_ins WHERE user = ?2 ORDER BY began DESC LIMIT 1 OFFSET ?3))
        """)
    static let rotation = RoomStatement(
        "UPDATE _homeport_sign_ins SET token = ?, formerToken = ?, rotated = ? WHERE id = ?")
    /// What was ended for good stays so.
    static let revocation = RoomStatement(
        "UPDATE _homeport_sign_ins SET revoked = CASE WHEN revoked > 1 THEN revoked ELSE 1 END WHERE id = ?")
    static let binding = RoomStatement("UPDATE _homeport_sign_ins SET device = ? WHERE id = ?")
    static let forgettingDevice = RoomStatement(
        "UPDATE _homeport_sign_ins SET device = NULL WHERE device = ? AND user = ?")
    static let revocationOfAll = RoomStatement(
        "UPDATE _homeport_sign_ins SET revoked = CASE WHEN revoked > 1 THEN revoked ELSE 1 END WHERE user = ?")
    fileprivate static let revocationOfOthers = RoomStatement(
        """
        UPDATE _homeport_sign_ins SET revoked = CASE WHEN revoked > 1 THEN revoked ELSE 1 END WHERE user = ? AND id <> ?
        """)
    private static let ended: Int64 = 2
    /// Those of a user who is disabled.
    static let endOfAll = RoomStatement("UPDATE _homeport_sign_ins SET revoked = 2 WHERE user = ?")

    fileprivate init(_ row: borrowing Row) {
        id = row.text(0)
        user = row.integer(1)
        client = row.text(2)
        began = row.integer(3)
        expires = row.integer(4)
        scopes = row.text(5)
        tokenDigest = row.blob(6)
        formerDigest = row.isNull(7) ? nil : row.blob(7)
        rotated = row.integer(8)
        isRevoked = row.boolean(9)
        isEnded = row.integer(9) == Self.ended
        device = row.isNull(10) ? nil : row.text(10)
    }

    fileprivate static func read(_ id: String, in reading: some RoomReading) throws(PoolError) -> SignInRecord? {
        var found: SignInRecord?
        try reading.rows(byID, [.text(id)]) { row throws(PoolError) in
            found = SignInRecord(row)
            return false
        }
        return found
    }
}

extension PoolWriting {
    /// Ends the sign-ins of a user whose password is another one now, with their refresh tokens: whoever has stolen one is out.
    ///
    /// - Parameter kept: that of who has changed it.
    func endSignIns(of user: User, but kept: String? = nil) throws(PoolError) {
        try change(SignInRecord.revocationOfOthers, [.integer(user.number), .text(kept ?? "")])
    }
}

extension RoomReading {
    func signIn(_ id: String) throws(PoolError) -> SignInRecord? { try SignInRecord.read(id, in: self) }
}

/// A refresh token: the name of its sign-in, and a secret of which the database keeps a digest only.
///
/// Half of a secret is random. The other half proves that this pool has made it for that sign-in, so that one which has rotated
/// away long ago is told from one that somebody has made up around the name of a sign-in, which stands in every access token.
struct RefreshToken: Sendable {
    let signIn: String
    let secret: [UInt8]

    private static let secretCount = 32
    private static let randomCount = 16

    /// A new one for a sign-in. `key`: that of the pool; nil where nobody will ask whether it was given.
    init(for signIn: String, key: [UInt8]? = nil) {
        self.signIn = signIn
        guard let key else {
            secret = RandomBytes.make(count: Self.secretCount)
            return
        }
        let random = RandomBytes.make(count: Self.randomCount)
        secret = random + Self.proof(of: random, signIn, key)
    }

    /// Returns whether the pool with that key has given it, whenever that was.
    func isGiven(by key: [UInt8]) -> Bool {
        let random = Array(secret.prefix(Self.randomCount))
        return HMACSHA256.areEqual(secret.dropFirst(Self.randomCount), Self.proof(of: random, signIn, key))
    }

    private static func proof(of random: [UInt8], _ signIn: String, _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(of: Array(signIn.utf8) + random, key: key).prefix(secretCount - randomCount))
    }

    /// Nil for a text that is none.
    init?(_ text: String) {
        let parts = text.parts(separatedBy: ".")
        guard parts.count == 2, UUIDText.isOne(parts[0]), let secret = Base64.bytes(of: parts[1].utf8),
            secret.count == Self.secretCount
        else { return nil }
        signIn = parts[0]
        self.secret = secret
    }

    var text: String { "\(signIn).\(Base64.text(of: secret))" }

    /// What is stored of it. The secret is random and long: a plain digest does.
    var digest: [UInt8] { Digest.sha256.of(secret) }
}
