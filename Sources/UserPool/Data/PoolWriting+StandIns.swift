import Store

/// Codes of users who are not there, where nobody is to learn that: asked for, tried and ended like others, in the same time.
///
/// They are of numbers below zero, which no user has, and nobody is sent one.
enum StandInCode {
    fileprivate static let sweep = RoomStatement("DELETE FROM _homeport_user_codes WHERE user < 0 AND expires < ?")
    fileprivate static let limit = RoomStatement(
        """
        DELETE FROM _homeport_user_codes WHERE user < 0 AND expires < (
            SELECT expires FROM _homeport_user_codes WHERE user < 0 ORDER BY expires DESC LIMIT 1 OFFSET ?)
        """)
    /// Not with each: it looks at all of them.
    fileprivate static let perLimit: Int64 = 256
}

extension PoolWriting {
    /// Does what sending a code would, to one who stands in for a user.
    func pretend(_ purpose: SentCode.Purpose, to standIn: User) throws(PoolError) {
        guard try countMessage("messages \(standIn.number)") else { throw .tooManyAttempts }
        try change(StandInCode.sweep, [.integer(now)])
        if standIn.number.isMultiple(of: StandInCode.perLimit) {
            try change(StandInCode.limit, [.integer(PoolLimits.standInCodesMax)])
        }
        _ = try makeCode(purpose, for: standIn, attribute: "", address: "")
    }

    /// What comes of a code that one gives who stands in for a user: that it is wrong, or too old.
    func refusal(of code: String, _ purpose: SentCode.Purpose, of standIn: User) throws(PoolError) -> PoolError {
        switch try takeCode(code, purpose, of: standIn) {
        case .refused(let error): error
        // Guessed, and of no use: nobody is there whom it could let in.
        case .right: .wrongCode
        }
    }
}
