import Crypto
import Store

/// How many times somebody has tried wrong, and until when they are kept out.
///
/// Tries are counted for the user, whatever the way, the spelling and the session, and before the comparison: of many at the same
/// time no more than the free ones get through. What is tried while somebody is kept out does not count.
enum WrongTries {
    /// What is guessed.
    enum Secret: String, Sendable {
        case password
        case code
    }

    /// Whose tries are counted together.
    static func subject(_ user: User?, _ name: UserName, _ secret: Secret) -> String {
        guard let user else {
            // Names that are nobody's are counted like users, so that nobody can tell them apart by that.
            return
                "\(secret.rawValue) of \(Hexadecimal.text(of: Array(Digest.sha256.of(Array(name.folded.utf8)).prefix(16))))"
        }
        return "\(secret.rawValue) \(user.number)"
    }

    fileprivate static let selection = RoomStatement(
        "SELECT count, last, until FROM _homeport_user_tries WHERE subject = ?")
    fileprivate static let assignment = RoomStatement(
        """
        INSERT INTO _homeport_user_tries (subject, count, last, until) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (subject) DO UPDATE SET count = ?2, last = ?3, until = ?4
        """)
    fileprivate static let removal = RoomStatement("DELETE FROM _homeport_user_tries WHERE subject = ?")
    fileprivate static let sweep = RoomStatement("DELETE FROM _homeport_user_tries WHERE last < ?")

    /// For how long so many tries keep somebody out: the free ones not at all, then a second, and twice as long each time.
    static func lockMilliseconds(after count: Int64) -> Int64 {
        guard count >= PoolLimits.freeTries else { return 0 }
        let doublings = min(count - PoolLimits.freeTries, 20)
        return min(1_000 << doublings, PoolLimits.lockMillisecondsMax)
    }
}

extension PoolWriting {
    /// Counts a try, before anybody knows whether it is right. False while the subject is kept out.
    func beginTry(_ subject: String) throws(PoolError) -> Bool {
        var count: Int64 = 0
        var until: Int64 = 0
        try session.rows(WrongTries.selection, [.text(subject)]) { row throws(PoolError) in
            guard row.integer(1) > now - PoolLimits.triesMillisecondsMax else { return false }
            count = row.integer(0)
            until = row.integer(2)
            return false
        }
        guard now >= until else { return false }
        count += 1
        try change(
            WrongTries.assignment,
            [.text(subject), .integer(count), .integer(now), .integer(now + WrongTries.lockMilliseconds(after: count))])
        if count == 1 { try change(WrongTries.sweep, [.integer(now - PoolLimits.triesMillisecondsMax)]) }
        return true
    }

    /// Counts a message to somebody who is not there, like those to an address. False where there were too many.
    func countMessage(_ subject: String) throws(PoolError) -> Bool {
        var count: Int64 = 0
        try session.rows(WrongTries.selection, [.text(subject)]) { row throws(PoolError) in
            if row.integer(1) > now - PoolLimits.messageWindowMilliseconds { count = row.integer(0) }
            return false
        }
        guard count < PoolLimits.messagesPerAddressMax else { return false }
        try change(WrongTries.assignment, [.text(subject), .integer(count + 1), .integer(now), .integer(0)])
        return true
    }

    /// Says that the try was right: what was tried before is forgotten.
    func endTries(_ subject: String) throws(PoolError) {
        try change(WrongTries.removal, [.text(subject)])
    }
}
