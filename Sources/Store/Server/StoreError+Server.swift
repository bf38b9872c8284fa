import Postgres

extension StoreError {
    /// The meaning of an error of PostgreSQL, said of the server that it came from.
    init(_ error: PostgresError, at place: String) {
        let (kind, advice) = Self.meaning(of: error)
        self.init(kind, of: place, "\(error)", advice: advice)
    }

    private static func meaning(of error: PostgresError) -> (Kind, String) {
        switch error {
        case .server(let refusal, _): meaning(of: refusal)
        // It does not even end a statement when it is asked to.
        case .deadline(isClosed: true): (.away, "See whether it and its machine have anything to do")
        case .deadline: (.interrupted, "")
        case .unavailable, .connectionLost, .pool, .noHost:
            (.away, "Start it, or look at the network between this machine and it")
        case .refused: (.cannotOpen, "")
        case .violation(.tooManyRows), .violation(.tooManyRowBytes): (.tooLarge, "Ask for less at once")
        case .violation: (.unexpected, "")
        case .misuse(.zeroByte): (.invalidValue, zeroAdvice)
        case .misuse(.questionsTooLong), .misuse(.statementTooLong): (.tooLarge, "Send less at once")
        case .misuse(.closed): (.away, "")
        case .misuse: (.unexpected, "")
        }
    }

    static let zeroAdvice = "A text with the character U+0000 cannot be stored"
    /// A constraint of a table, beside those of its keys.
    static let misfitAdvice = "A value is none of its field"

    /// The SQLSTATE with which the trigger of a streamed table refuses a change (`ServerStream`).
    static let tooManyChangesState = "HP001"

    /// By SQLSTATE, whose first two characters are its class.
    private static func meaning(of refusal: PostgresServerError) -> (Kind, String) {
        func has(_ codes: String...) -> Bool { codes.contains { refusal.has(code: $0) } }
        if has("23505") { return (.exists, "") }
        if has(tooManyChangesState) { return (.tooManyChanges, "See in the log why the functions do not take them") }
        if has("57014") { return (.interrupted, "") }
        if refusal.isTransient { return (.overloaded, "Try again") }
        if has("53100") { return (.diskFull, "Free space on its file system; nothing that was acknowledged is lost") }
        if has("25006") { return (.readOnly, "Connect to the primary, not to a standby") }
        if has("XX001", "XX002") { return (.corrupt, "Restore a backup of the server") }
        if refusal.isOf(class: "53") || refusal.isOf(class: "57P") || refusal.isOf(class: "08") {
            return (.away, "See the server's log")
        }
        if has("42501") || refusal.isOf(class: "28") {
            return (.cannotOpen, "Allow the role of this server to do that")
        }
        if has("22021") { return (.invalidValue, zeroAdvice) }
        if has("22P02", "22003") || refusal.isOf(class: "23") { return (.invalidValue, misfitAdvice) }
        if has("54000", "54001", "54011", "54023") {
            return (.tooLarge, "A value is too long to be searched or sorted by")
        }
        return (.unexpected, "")
    }
}
