import Crypto

/// What another server kept of a password, of a user who came from there: good until the user signs in, whose password then
/// gets a verifier of ours. It cannot do for SRP.
///
///     $2b$10$N9qo8uLOickgx2ZMRZoMyeDcyTu.Nr6vUoF9FuTn655w2h94VGm4S                       bcrypt, also as 2a and 2y
///     $scrypt$ln=15,r=8,p=1$SALT$KEY    scrypt: the logarithm of its blocks, their size, repetitions; the rest in base64
///     $srp$POOL$USER$SALT$VERIFIER      what proves a password by SRP in a pool of another name; all but the name in base64
package enum ForeignHash: Sendable, Equatable {
    case bcrypt(Bcrypt)
    case scrypt(Scrypt, salt: [UInt8], key: [UInt8])
    /// The names of pool and user are in it: clients of a pool of another name make other proofs.
    case srp(SRPVerifier, poolName: String, userID: String)

    /// How much longer a text is not looked at.
    package static let bytesMax = 2_048
    private static let keyBytes = 16...64
    private static let saltBytesMax = 128

    /// Nil for a text of another form, and for one that would cost more than `Bcrypt` and `Scrypt` allow.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        if let bcrypt = Bcrypt(text) {
            self = .bcrypt(bcrypt)
            return
        }
        let fields = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        if fields.count == 6, fields[0].isEmpty, fields[1].elementsEqual("srp".utf8) {
            guard let user = Base64.bytes(of: fields[3], .standard),
                let userID = String(validating: user, as: UTF8.self),
                let salt = Base64.bytes(of: fields[4], .standard), let number = Base64.bytes(of: fields[5], .standard),
                let verifier = SRPVerifier(salt: salt, number: number)
            else { return nil }
            self = .srp(verifier, poolName: String(decoding: fields[2], as: UTF8.self), userID: userID)
            return
        }
        guard fields.count == 5, fields[0].isEmpty, fields[1].elementsEqual("scrypt".utf8),
            let scrypt = Self.scrypt(of: fields[2]), let salt = Base64.bytes(of: fields[3], .standard),
            let key = Base64.bytes(of: fields[4], .standard), salt.count <= Self.saltBytesMax,
            Self.keyBytes.contains(key.count)
        else { return nil }
        self = .scrypt(scrypt, salt: salt, key: key)
    }

    /// The text of a verifier of SRP.
    static func text(of verifier: SRPVerifier, poolName: String, userID: String) -> String {
        let fields = [Array(userID.utf8), verifier.salt, verifier.number].map { Base64.text(of: $0, .standard) }
        return "$srp$\(poolName)$\(fields.joined(separator: "$"))"
    }

    /// Returns whether it was made from this password. Takes long: not for a thread that others wait for.
    package func accepts(password: String) -> Bool {
        switch self {
        case .bcrypt(let bcrypt): bcrypt.accepts(password: password)
        case .scrypt(let scrypt, let salt, let key):
            ConstantTime.areEqual(scrypt.key(of: Array(password.utf8), salt: salt, count: key.count), key)
        case .srp(let verifier, let poolName, let userID):
            verifier.accepts(password: password, of: SRPIdentity(poolName: poolName, userID: userID))
        }
    }

    private static func scrypt(of parameters: Substring.UTF8View) -> Scrypt? {
        let numbers = zip(
            ["ln=", "r=", "p="], parameters.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        )
        .map { name, field in field.starts(with: name.utf8) ? number(of: field.dropFirst(name.utf8.count)) : nil }
        let commas = parameters.count { $0 == UInt8(ascii: ",") }
        guard numbers.count == 3, commas == 2, let logarithm = numbers[0], let blockSize = numbers[1],
            let repetitions = numbers[2], logarithm < 32
        else { return nil }
        return Scrypt(blocks: 1 << logarithm, blockSize: blockSize, repetitions: repetitions)
    }

    /// At most seven digits, the first of which is not zero.
    private static func number(of digits: Substring.UTF8View) -> Int? {
        guard (1...7).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
