/// A message of a server, read. Rows are not among them: they go into an answer as they are (`AnswerRows`).
enum ServerMessage: Sendable {
    case authentication(AuthenticationRequest)
    case backendKey(process: UInt32, secret: UInt32)
    case parameterStatus(name: String, value: String)
    case ready(TransactionStatus)
    case parseComplete, bindComplete, closeComplete
    case noData
    case emptyQuery
    case portalSuspended
    /// The rows of a COPY may come.
    case copyIn
    case parameterDescription(count: Int)
    case rowDescription(PostgresColumns)
    /// The rows that a statement has found or changed, where it says so.
    case commandComplete(rows: Int?)
    case error(PostgresServerError)
    case notice(PostgresServerError)
    case notification(PostgresNotification)
    case negotiateVersion

    init(
        _ kind: MessageKind, _ bytes: ArraySlice<UInt8>, limits: PostgresLimits
    ) throws(PostgresViolation) {
        var fields = MessageFields(bytes, of: kind)
        switch kind {
        case .authentication: self = .authentication(try AuthenticationRequest(&fields))
        case .backendKey: self = .backendKey(process: try fields.uint32(), secret: try fields.uint32())
        case .parameterStatus:
            self = .parameterStatus(
                name: try fields.text(max: limits.errorFieldBytes), value: try fields.text(max: limits.errorFieldBytes))
        case .ready:
            guard let status = TransactionStatus(rawValue: try fields.byte()) else { throw fields.problem }
            self = .ready(status)
        case .parseComplete: self = .parseComplete
        case .bindComplete: self = .bindComplete
        case .closeComplete: self = .closeComplete
        case .noData: self = .noData
        case .emptyQuery: self = .emptyQuery
        case .portalSuspended: self = .portalSuspended
        case .copyIn:
            // Whether the rows are text, and a format for each column: the statement has said both.
            _ = try fields.byte()
            let count = Int(try fields.uint16())
            _ = try fields.bytes(count * 2)
            self = .copyIn
        case .parameterDescription:
            let count = Int(try fields.uint16())
            _ = try fields.bytes(count * 4)
            self = .parameterDescription(count: count)
        case .rowDescription: self = .rowDescription(try PostgresColumns(&fields, limits: limits))
        case .commandComplete: self = .commandComplete(rows: Self.rows(of: try fields.textBytes()))
        case .error: self = .error(try PostgresServerError(&fields, limits: limits))
        case .notice: self = .notice(try PostgresServerError(&fields, limits: limits))
        case .notification: self = .notification(try PostgresNotification(&fields, limits: limits))
        case .negotiateVersion:
            _ = fields.remainder()
            self = .negotiateVersion
        case .dataRow: throw .unexpected(kind: kind.rawValue)
        }
        try fields.end()
    }

    /// The number at the end of "INSERT 0 5" and "SELECT 10".
    private static func rows(of tag: ArraySlice<UInt8>) -> Int? {
        guard let blank = tag.lastIndex(of: UInt8(ascii: " ")) else { return nil }
        let digits = tag[(blank + 1)...]
        guard (1...18).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}

/// Where a connection is with regard to transactions.
package enum TransactionStatus: UInt8, Sendable {
    case idle = 0x49  // I
    case inTransaction = 0x54  // T
    /// In a transaction that can only be rolled back.
    case failed = 0x45  // E
}

/// What a server asks for during a sign-in.
enum AuthenticationRequest: Sendable {
    case accepted
    case clearText
    case md5(salt: [UInt8])
    case sasl(mechanisms: [[UInt8]])
    case saslContinue([UInt8])
    case saslFinal([UInt8])
    /// Kerberos, GSSAPI, SSPI and what comes after them.
    case other(UInt32)

    /// So many names of mechanisms are read.
    private static let mechanismsMax = 16

    init(_ fields: inout MessageFields) throws(PostgresViolation) {
        switch try fields.uint32() {
        case 0: self = .accepted
        case 3: self = .clearText
        case 5: self = .md5(salt: Array(try fields.bytes(4)))
        case 10:
            var mechanisms: [[UInt8]] = []
            while case let name = try fields.textBytes(), !name.isEmpty {
                guard mechanisms.count < Self.mechanismsMax else { throw fields.problem }
                mechanisms.append(Array(name))
            }
            self = .sasl(mechanisms: mechanisms)
        case 11: self = .saslContinue(Array(fields.remainder()))
        case 12: self = .saslFinal(Array(fields.remainder()))
        case let other:
            _ = fields.remainder()
            self = .other(other)
        }
    }
}

/// Something that a connection announced with NOTIFY.
package struct PostgresNotification: Sendable {
    /// The server's process of the connection that announced it.
    package let process: UInt32
    package let channel: String
    package let payload: String

    init(_ fields: inout MessageFields, limits: PostgresLimits) throws(PostgresViolation) {
        process = try fields.uint32()
        channel = try fields.text(max: limits.errorFieldBytes)
        payload = try fields.text(max: limits.errorFieldBytes)
    }
}
