/// The first byte of each message that a server sends and this client reads.
enum MessageKind: UInt8 {
    case authentication = 0x52  // R
    case backendKey = 0x4B  // K
    case bindComplete = 0x32  // 2
    case closeComplete = 0x33  // 3
    case commandComplete = 0x43  // C
    case copyIn = 0x47  // G
    case dataRow = 0x44  // D
    case emptyQuery = 0x49  // I
    case error = 0x45  // E
    case negotiateVersion = 0x76  // v
    case noData = 0x6E  // n
    case notice = 0x4E  // N
    case notification = 0x41  // A
    case parameterDescription = 0x74  // t
    case parameterStatus = 0x53  // S
    case parseComplete = 0x31  // 1
    case portalSuspended = 0x73  // s
    case ready = 0x5A  // Z
    case rowDescription = 0x54  // T

    /// The lengths that its body may have.
    func bodyBytes(_ limits: MessageLengths, isSignedIn: Bool) -> ClosedRange<Int> {
        let most = isSignedIn ? limits.other : limits.signIn
        switch self {
        case .bindComplete, .closeComplete, .emptyQuery, .noData, .parseComplete, .portalSuspended: return 0...0
        case .ready: return 1...1
        case .backendKey: return 8...8
        case .dataRow: return 2...max(2, isSignedIn ? limits.row : most)
        case .authentication: return 4...max(4, most)
        default: return 0...max(0, most)
        }
    }
}

/// The lengths that messages may have: the part of the limits that finding them needs.
struct MessageLengths {
    let row: Int
    let other: Int
    let signIn: Int

    init(_ limits: PostgresLimits) {
        row = limits.rowMessageBytes
        other = limits.messageBytes
        signIn = limits.signInMessageBytes
    }
}
