import Crypto

/// What an authenticator says and signs (WebAuthn, 6.1): for whom, whether somebody was there, how often it has signed, and, when
/// a passkey is made, the passkey.
struct AuthenticatorData: Sendable {
    /// A new passkey.
    struct Credential: Sendable {
        let id: [UInt8]
        /// As it came.
        let keyBytes: [UInt8]
        let key: CBORValue
    }

    let relyingPartyHash: [UInt8]
    let flags: Flags
    let counter: UInt32
    let credential: Credential?

    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        static let mayBeBackedUp = Flags(rawValue: 0x08)
        static let isBackedUp = Flags(rawValue: 0x10)
        static let credential = Flags(rawValue: 0x40)
        static let extensions = Flags(rawValue: 0x80)
    }

    /// The longest name that WebAuthn lets a passkey have.
    static let idBytesMax = 1_023
    private static let hashBytes = 32
    private static let headBytes = 37
    private static let modelBytes = 16

    /// Nil for bytes that are another thing, and for those with something behind what the flags announce.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headBytes, bytes.count <= CBORValue.bytesMax else { return nil }
        relyingPartyHash = Array(bytes[..<Self.hashBytes])
        flags = Flags(rawValue: bytes[Self.hashBytes])
        counter = bytes[(Self.hashBytes + 1)..<Self.headBytes].reduce(0) { $0 << 8 | UInt32($1) }
        guard flags.contains(.mayBeBackedUp) || !flags.contains(.isBackedUp) else { return nil }
        var rest = bytes[Self.headBytes...]
        if flags.contains(.credential) {
            guard let credential = Self.credential(&rest) else { return nil }
            self.credential = credential
        } else {
            credential = nil
        }
        if flags.contains(.extensions) {
            guard let (value, end) = CBORValue.first(of: rest), case .map = value else { return nil }
            rest = rest[end...]
        }
        guard rest.isEmpty else { return nil }
    }

    private static func credential(_ rest: inout ArraySlice<UInt8>) -> Credential? {
        // The model of the authenticator is not looked at: nothing proves it.
        rest = rest.dropFirst(modelBytes)
        guard rest.count >= 2 else { return nil }
        let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        rest = rest.dropFirst(2)
        guard (1...idBytesMax).contains(count), rest.count > count else { return nil }
        let id = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        guard let (key, end) = CBORValue.first(of: rest) else { return nil }
        defer { rest = rest[end...] }
        return Credential(id: id, keyBytes: Array(rest[..<end]), key: key)
    }
}
