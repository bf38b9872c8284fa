import Crypto

/// All that is kept of a password: enough to see that somebody knows it, by SRP or by the password itself.
///
/// Who reads it can try passwords, one exponentiation for each, and can play the server, but cannot sign in.
package struct SRPVerifier: Sendable, Equatable {
    /// Without zeros in front: clients that hash its digits as they came agree with those that read a number.
    package let salt: [UInt8]
    /// `v`, in the 384 bytes of the group's numbers.
    package let number: [UInt8]

    private static let saltBytes = 16
    /// What a device may bring as its salt.
    package static let saltBytesMax = 64

    /// The verifier of a password, with a new salt.
    package init(password: String, of identity: SRPIdentity) {
        self.init(password: password, of: identity, salt: Self.makeSalt())
    }

    /// The salt is a parameter for those who want the same verifier again.
    init(password: String, of identity: SRPIdentity, salt: [UInt8]) {
        self.salt = SRPNumber(salt).bytes
        number = Self.number(of: password, identity, salt: SRPNumber(salt))
    }

    /// A verifier that was kept, or that a device has made for itself. Nil for numbers that anybody could prove to know.
    package init?(salt: [UInt8], number: [UInt8]) {
        let salt = SRPNumber(salt)
        guard (1...Self.saltBytesMax).contains(salt.bytes.count),
            let number = Self.number(from: SRPNumber(number))
        else { return nil }
        self.salt = salt.bytes
        self.number = number
    }

    private init(salt: [UInt8], derived number: [UInt8]) {
        self.salt = salt
        self.number = number
    }

    /// The salt as clients get it: its bytes in hexadecimal.
    package var saltText: String { Hexadecimal.text(of: salt) }

    /// Returns whether it was made from this password. Takes an exponentiation, and the same time for all of one length.
    package func accepts(password: String, of identity: SRPIdentity) -> Bool {
        ConstantTime.areEqual(number, Self.number(of: password, identity, salt: SRPNumber(salt)))
    }

    /// What stands in for the verifier of somebody who is not there: the same one for a name and a secret, so that who asks
    /// twice learns nothing. No password makes it.
    ///
    /// Exchanges with it take as long as others: it is a number like those, which nobody knows an exponent of.
    package static func standIn(for name: String, secret: [UInt8]) -> SRPVerifier {
        let key = HMACKey(HMACSHA256.code(of: Array("stand-in verifier".utf8), key: secret))
        let name = Array(name.utf8)
        func bytes(_ count: Int, for purpose: UInt8) -> [UInt8] {
            var bytes: [UInt8] = []
            var block: UInt8 = 0
            while bytes.count < count {
                bytes += key.code(of: [purpose, block], name)
                block &+= 1
            }
            return Array(bytes.prefix(count))
        }
        var salt = bytes(saltBytes, for: 0)
        if salt[0] == 0 { salt[0] = 1 }
        let modulus = SRPGroup.cognito.modulus
        let number = modulus.remainder(of: BigNumber(bytes(modulus.byteCount, for: 1)))
        return SRPVerifier(salt: salt, derived: number.bytes(count: modulus.byteCount) ?? [])
    }

    /// Random bytes of which the first is not zero.
    private static func makeSalt() -> [UInt8] {
        while true {
            let salt = RandomBytes.make(count: saltBytes)
            if salt.first != 0 { return salt }
        }
    }

    /// `x = H(PAD(salt) | H(pool | user | ":" | password))`, and `g^x`.
    private static func number(of password: String, _ identity: SRPIdentity, salt: SRPNumber) -> [UInt8] {
        SRPGroup.cognito.verifier(of: exponent(of: password, identity, salt: salt))
    }

    static func exponent(of password: String, _ identity: SRPIdentity, salt: SRPNumber) -> [UInt8] {
        let inner = Digest.sha256.of(identity.bytes + [UInt8(ascii: ":")] + password.utf8)
        return Digest.sha256.of(salt.padded + inner)
    }

    /// The bytes of a number that came from elsewhere; nil where its powers are few: 0, 1, and the greatest there is.
    private static func number(from number: SRPNumber) -> [UInt8]? {
        let modulus = SRPGroup.cognito.modulus
        guard number.bytes.count <= modulus.byteCount, number.bytes != [1] else { return nil }
        let value = BigNumber(number.bytes)
        guard modulus.exceeds(value), !value.isZero else { return nil }
        let next = modulus.sum(value, BigNumber([1]))
        return next.isZero ? nil : value.bytes(count: modulus.byteCount)
    }
}
