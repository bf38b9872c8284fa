import Crypto

/// What the server knows between the two rounds in which a client proves that it knows a password, as Cognito's clients do it
/// (SRP-6a, with a claim that is a code over names, block and time):
///
///     A                                   ──▶  begin: B = k·v + g^b        u = H(A | B)
///     SALT, SRP_B, SECRET_BLOCK           ◀──
///     SECRET_BLOCK, TIMESTAMP, signature  ──▶  accepts: S = (A · v^u)^b, key of u and S, code under the key
///
/// Nothing needs to be kept: `bytes`, sealed, is the SECRET_BLOCK. Whoever could read it could try passwords.
package struct SRPExchange: Sendable {
    private let secret: [UInt8]
    private let scrambler: [UInt8]
    private let clientNumber: SRPClientNumber

    private static let secretBytes = 32
    private static let scramblerBytes = Digest.sha256.count

    /// The first round: the exchange, and the number that is sent as `SRP_B`.
    package static func begin(
        with clientNumber: SRPClientNumber, verifier: SRPVerifier
    ) -> (exchange: SRPExchange, serverNumber: SRPNumber) {
        while true {
            let secret = RandomBytes.make(count: secretBytes)
            if let begun = begin(with: clientNumber, verifier: verifier, secret: secret) { return begun }
        }
    }

    /// The secret, 32 bytes, is a parameter for those who want the same exchange again. Nil where it leads to a number that no
    /// client takes: zero, of which there is one among 2 to the 3072.
    static func begin(
        with clientNumber: SRPClientNumber, verifier: SRPVerifier, secret: [UInt8]
    ) -> (exchange: SRPExchange, serverNumber: SRPNumber)? {
        guard secret.count == secretBytes else { return nil }
        let serverNumber = SRPGroup.cognito.serverNumber(verifier: verifier.number, secret: secret)
        let scrambler = Digest.sha256.of(clientNumber.number.padded + serverNumber.padded)
        guard !serverNumber.bytes.isEmpty, scrambler.contains(where: { $0 != 0 }) else { return nil }
        return (SRPExchange(secret: secret, scrambler: scrambler, clientNumber: clientNumber), serverNumber)
    }

    private init(secret: [UInt8], scrambler: [UInt8], clientNumber: SRPClientNumber) {
        self.secret = secret
        self.scrambler = scrambler
        self.clientNumber = clientNumber
    }

    /// The exchange of its bytes; nil for others.
    package init?(bytes: [UInt8]) {
        let headBytes = Self.secretBytes + Self.scramblerBytes
        guard bytes.count > headBytes, let number = SRPClientNumber(SRPNumber(bytes[headBytes...])) else { return nil }
        self.init(
            secret: Array(bytes[..<Self.secretBytes]), scrambler: Array(bytes[Self.secretBytes..<headBytes]),
            clientNumber: number)
    }

    /// All of it, at most 448 bytes, and secret.
    package var bytes: [UInt8] { secret + scrambler + clientNumber.number.bytes }

    /// The second round: whether a client's `PASSWORD_CLAIM_SIGNATURE`, decoded, is that of one who knows the password.
    /// Block and time are those that came with it, the block decoded, the time as it stands.
    package func accepts(
        claim: [UInt8], of identity: SRPIdentity, verifier: SRPVerifier, secretBlock: [UInt8], timestamp: String
    ) -> Bool {
        ConstantTime.areEqual(
            self.claim(of: identity, verifier: verifier, secretBlock: secretBlock, timestamp: timestamp), claim)
    }

    /// The claim that the client has to make.
    func claim(of identity: SRPIdentity, verifier: SRPVerifier, secretBlock: [UInt8], timestamp: String) -> [UInt8] {
        HMACSHA256.code(of: identity.bytes + secretBlock + timestamp.utf8, key: key(for: verifier))
    }

    /// The key of claims: HKDF (RFC 5869) over `S`, with `u` as salt.
    func key(for verifier: SRPVerifier) -> [UInt8] {
        let shared = SRPGroup.cognito.sharedNumber(
            clientNumber: clientNumber.number, verifier: verifier.number, scrambler: scrambler, secret: secret)
        let extracted = HMACSHA256.code(of: shared.padded, key: SRPNumber(scrambler).padded)
        return Array(HMACSHA256.code(of: Self.keyPurpose + [1], key: extracted).prefix(16))
    }

    private static let keyPurpose = Array("Caldera Derived Key".utf8)
}
