import Crypto
import Store

/// A code that was sent to somebody: for one user, one purpose and the very address it went to.
struct SentCode: Sendable {
    /// What it is for. A new code for the same purpose ends the one before.
    enum Purpose: Sendable, Equatable {
        case confirmation
        case newPassword
        case attribute(String)
        /// Signs in, as the first factor.
        case signIn
        /// The second factor. One that was sent as the first is none.
        case secondFactor

        var stored: String {
            switch self {
            case .confirmation: "confirm"
            case .newPassword: "forgot"
            case .attribute(let name): "verify:\(name)"
            case .signIn: "otp"
            case .secondFactor: "otp 2"
            }
        }

        /// What people are told that it is for.
        var kind: String { self == .secondFactor ? Self.signIn.stored : stored }

        var lifeMilliseconds: Int64 {
            switch self {
            case .confirmation, .attribute: PoolLimits.codeMilliseconds
            case .newPassword: PoolLimits.shortCodeMilliseconds
            case .signIn, .secondFactor: PoolLimits.sessionCodeMilliseconds
            }
        }
    }

    let attribute: String
    let address: String
    let code: String
    let expires: Int64
    let tries: Int64

    fileprivate static let selection = RoomStatement(
        "SELECT attribute, address, code, expires, tries FROM _homeport_user_codes WHERE user = ? AND purpose = ?")
    fileprivate static let assignment = RoomStatement(
        """
        INSERT INTO _homeport_user_codes (user, purpose, attribute, address, code, made, expires, tries)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)
        ON CONFLICT (user, purpose) DO UPDATE
        SET attribute = ?3, address = ?4, code = ?5, made = ?6, expires = ?7, tries = 0
        """)
    fileprivate static let counting = RoomStatement(
        "UPDATE _homeport_user_codes SET tries = tries + 1 WHERE user = ? AND purpose = ?")
    fileprivate static let removal = RoomStatement("DELETE FROM _homeport_user_codes WHERE user = ? AND purpose = ?")
    fileprivate static let removalOfAddress = RoomStatement(
        "DELETE FROM _homeport_user_codes WHERE user = ? AND attribute = ?")

    /// Six digits that nobody can foretell, each with the same chance.
    static func random() -> String {
        while true {
            let number = RandomBytes.make(count: 4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            // What is left over above the last whole million would make small numbers likelier.
            guard number < 4_294_000_000 else { continue }
            let digits = String(number % 1_000_000)
            return String(repeating: "0", count: 6 - digits.utf8.count) + digits
        }
    }
}

extension PoolWriting {
    /// Makes a code for a purpose and ends the one before it.
    func makeCode(
        _ purpose: SentCode.Purpose, for user: User, attribute: String, address: String
    ) throws(PoolError) -> String {
        let code = SentCode.random()
        try change(
            SentCode.assignment,
            [
                .integer(user.number), .text(purpose.stored), .text(attribute), .text(address), .text(code),
                .integer(now), .integer(now + purpose.lifeMilliseconds),
            ])
        return code
    }

    /// Ends the codes that went to an attribute of the user's that has changed.
    func endCodes(of attribute: String, for user: User) throws(PoolError) {
        try change(SentCode.removalOfAddress, [.integer(user.number), .text(attribute)])
    }

    /// What came of a code. Nothing is thrown for a wrong one: the count of tries has to stand.
    enum CodeOutcome {
        case right(SentCode)
        case refused(PoolError)
    }

    /// Compares a code with the one that was sent. A right one is used up by it; wrong ones are counted, for the code and for
    /// the user, before they are compared.
    func takeCode(
        _ given: String, _ purpose: SentCode.Purpose, of user: User
    ) throws(PoolError) -> CodeOutcome {
        let subject = WrongTries.subject(user, UserName(user.name, in: settings), .code)
        guard try beginTry(subject) else { return .refused(.tooManyAttempts) }
        var sent: SentCode?
        try session.rows(SentCode.selection, [.integer(user.number), .text(purpose.stored)]) { row throws(PoolError) in
            sent = SentCode(
                attribute: row.text(0), address: row.text(1), code: row.text(2), expires: row.integer(3),
                tries: row.integer(4))
            return false
        }
        guard let sent, sent.expires > now, sent.tries < PoolLimits.codeTriesMax else {
            return .refused(.expiredCode)
        }
        guard ConstantTime.areEqual(sent.code, given) else {
            try change(SentCode.counting, [.integer(user.number), .text(purpose.stored)])
            return .refused(.wrongCode)
        }
        try change(SentCode.removal, [.integer(user.number), .text(purpose.stored)])
        try endTries(subject)
        return .right(sent)
    }
}
