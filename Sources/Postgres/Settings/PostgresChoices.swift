/// The use of TLS, as `sslmode` says it.
package enum PostgresTLSMode: String, Sendable, CaseIterable {
    case disable
    /// TLS with whomever: nobody who only listens can read along.
    case require
    /// The server's certificate comes from an authority that is trusted.
    case verifyCA = "verify-ca"
    /// And it is for this host.
    case verifyFull = "verify-full"

    /// True if authorities are needed.
    var verifies: Bool {
        switch self {
        case .disable, .require: false
        case .verifyCA, .verifyFull: true
        }
    }

    var isWithoutName: Bool {
        if case .verifyCA = self { return true }
        return false
    }

    var isNone: Bool {
        if case .disable = self { return true }
        return false
    }
}

/// The servers that will do, as `target_session_attrs` says it.
package enum PostgresSessionTarget: String, Sendable, CaseIterable {
    case any
    case readWrite = "read-write"
    case readOnly = "read-only"
    case primary
    case standby
    case preferStandby = "prefer-standby"

    /// Returns whether such a server will do.
    func accepts(isStandby: Bool, isReadOnly: Bool) -> Bool {
        switch self {
        case .any: true
        case .readWrite: !isStandby && !isReadOnly
        case .readOnly: isStandby || isReadOnly
        case .primary: !isStandby
        case .standby, .preferStandby: isStandby
        }
    }
}

/// The binding of a sign-in to TLS, as `channel_binding` says it.
package enum PostgresChannelBinding: String, Sendable, CaseIterable {
    case disable, prefer, require
}

/// A form in which a server may ask for a password, as `require_auth` names it.
package enum PostgresSignInMethod: String, Sendable, CaseIterable {
    case scram = "scram-sha-256"
    case md5
    /// In clear text.
    case password
    /// Not at all.
    case none

    fileprivate var bit: UInt8 {
        switch self {
        case .scram: 1
        case .md5: 2
        case .password: 4
        case .none: 8
        }
    }
}

/// The forms that are allowed.
package struct PostgresSignInMethods: Sendable {
    private var bits: UInt8

    package init(_ methods: [PostgresSignInMethod]) { bits = methods.reduce(0) { $0 | $1.bit } }

    /// SCRAM, or a server that asks for nothing. MD5 and clear text must be asked for: who reads them can use them.
    package static let usual = PostgresSignInMethods([.scram, .none])

    package func contains(_ method: PostgresSignInMethod) -> Bool { bits & method.bit != 0 }
}
