import JSON
import Store

/// What is kept of a user's authenticator app beside the secret that signs in: what they call it, and the secret of one that
/// they are setting up.
struct AuthenticatorRecord: Sendable {
    let waiting: [UInt8]?
    let name: String

    fileprivate static let selection = RoomStatement(
        "SELECT waiting, name FROM _homeport_authenticators WHERE user = ?")
    fileprivate static let waitingAssignment = RoomStatement(
        """
        INSERT INTO _homeport_authenticators (user, waiting, name) VALUES (?1, ?2, '')
        ON CONFLICT (user) DO UPDATE SET waiting = ?2
        """)
    fileprivate static let assignment = RoomStatement(
        """
        INSERT INTO _homeport_authenticators (user, waiting, name) VALUES (?1, NULL, ?2)
        ON CONFLICT (user) DO UPDATE SET waiting = NULL, name = ?2
        """)
}

extension RoomReading {
    func authenticator(of user: User) throws(PoolError) -> AuthenticatorRecord? {
        var found: AuthenticatorRecord?
        try rows(AuthenticatorRecord.selection, [.integer(user.number)]) { row throws(PoolError) in
            found = AuthenticatorRecord(waiting: row.isNull(0) ? nil : row.blob(0), name: row.text(1))
            return false
        }
        return found
    }
}

extension PoolWriting {
    /// Keeps the secret of an app that a user sets up, until a code of it is given.
    func begin(authenticator secret: [UInt8], of user: User) throws(PoolError) {
        try change(AuthenticatorRecord.waitingAssignment, [.integer(user.number), .blob(secret)])
    }

    /// What came of a code of an authenticator app. Nothing is thrown for a wrong one: the count of tries has to stand.
    enum AuthenticatorOutcome {
        /// The user with what was accepted, saved.
        case right(User)
        case wrong
        case tooMany
    }

    /// Makes an app the user's own if the code is one of it. Its step is taken with it.
    func set(
        authenticator secret: [UInt8], name: String, code: String, of user: User, isEnabled: Bool
    ) throws(PoolError) -> AuthenticatorOutcome {
        let outcome = try accept(code, under: secret, of: user)
        guard case .right(var user) = outcome else { return outcome }
        user.totpSecret = secret
        if isEnabled, !user.secondFactors.enabled.contains(.totp) { user.secondFactors.enabled.append(.totp) }
        try save(user)
        try change(AuthenticatorRecord.assignment, [.integer(user.number), .text(name)])
        return .right(user)
    }

    /// Compares a code with those of the moment. The try is counted before, and the step that is accepted is stored with it:
    /// neither it nor one before is taken again.
    func accept(_ code: String, under secret: [UInt8], of user: User) throws(PoolError) -> AuthenticatorOutcome {
        let subject = WrongTries.subject(user, UserName(user.name, in: settings), .code)
        guard try beginTry(subject) else { return .tooMany }
        let moment = Timestamp(seconds: now / 1_000, milliseconds: 0)
        guard let step = OneTimeCode(secret: secret).step(of: code, at: moment, after: user.totpCounter) else {
            return .wrong
        }
        var user = user
        user.totpCounter = step
        try save(user)
        try endTries(subject)
        return .right(user)
    }
}
