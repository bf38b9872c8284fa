import Store

/// What there is of a user beside their record, table by table. Whoever keeps something of users adds its line here.
enum UserTraces {
    fileprivate static let removals = [
        RoomStatement("DELETE FROM _homeport_user_names WHERE user = ?"),
        RoomStatement("DELETE FROM _homeport_user_codes WHERE user = ?"),
        RoomStatement("DELETE FROM _homeport_waiting_addresses WHERE user = ?"),
        RoomStatement("DELETE FROM _homeport_sign_ins WHERE user = ?"),
        RoomStatement("DELETE FROM _homeport_authorization_codes WHERE user = ?"),
        RoomStatement("DELETE FROM _homeport_group_members WHERE user = ?"),
        RoomStatement("DELETE FROM _homeport_user_links WHERE user = ?"),
        RoomStatement("DELETE FROM _homeport_authenticators WHERE user = ?"),
        RoomStatement("DELETE FROM _homeport_devices WHERE user = ?"),
        RoomStatement("DELETE FROM _homeport_passkeys WHERE user = ?"),
    ]
    fileprivate static let removal = RoomStatement("DELETE FROM _homeport_users WHERE number = ?")
    fileprivate static let removalOfCodes = RoomStatement("DELETE FROM _homeport_user_codes WHERE user = ?")
    fileprivate static let removalOfPurpose = RoomStatement(
        "DELETE FROM _homeport_user_codes WHERE user = ? AND purpose = ?")
}

extension PoolWriting {
    /// Deletes a user with everything that is theirs. Their number is never given again, so whatever they still carry, tokens
    /// and sessions, is nobody's, also when somebody else comes under their name.
    ///
    /// Messages stay, within their limit: how many went to an address counts, whoever had it.
    func delete(_ user: User) throws(PoolError) {
        for removal in UserTraces.removals { try change(removal, [.integer(user.number)]) }
        for secret in [WrongTries.Secret.password, .code] {
            try endTries(WrongTries.subject(user, UserName(user.name, in: settings), secret))
        }
        try change(UserTraces.removal, [.integer(user.number)])
    }

    /// Ends all codes that were sent to a user.
    func endAllCodes(for user: User) throws(PoolError) {
        try change(UserTraces.removalOfCodes, [.integer(user.number)])
    }

    /// Ends the code for a purpose.
    func endCodes(_ purpose: SentCode.Purpose, for user: User) throws(PoolError) {
        try change(UserTraces.removalOfPurpose, [.integer(user.number), .text(purpose.stored)])
    }
}
