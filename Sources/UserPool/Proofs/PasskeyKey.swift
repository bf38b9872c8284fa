import Crypto

/// The public key of a passkey, as authenticators write it (COSE, RFC 9053): a point of P-256 for ES256, or two numbers for RS256.
struct PasskeyKey: Sendable {
    let algorithm: SignatureAlgorithm
    private let key: PublicKey

    /// What authenticators are asked for, by COSE's numbers, the better one first.
    static let algorithms: [(number: Int, algorithm: SignatureAlgorithm)] = [(-7, .es256), (-257, .rs256)]

    private static let rsaBits = 2_048...4_096

    /// Nil for other kinds of keys, for points beside the curve, and for what has more in it than a key.
    init?(_ value: CBORValue) {
        guard let number = value[3]?.number,
            let algorithm = Self.algorithms.first(where: { $0.number == number })?.algorithm
        else { return nil }
        self.algorithm = algorithm
        switch algorithm {
        case .es256:
            guard value.count == 5, value[1]?.number == 2, value[-1]?.number == 1, let x = value[-2]?.bytes,
                let y = value[-3]?.bytes, let key = PublicKey(.p256, x: x, y: y)
            else { return nil }
            self.key = key
        default:
            guard value.count == 4, value[1]?.number == 3, let modulus = value[-1]?.bytes,
                let exponent = value[-2]?.bytes,
                let key = PublicKey(rsaModulus: modulus, exponent: exponent, bits: Self.rsaBits)
            else { return nil }
            self.key = key
        }
    }

    /// COSE's number of the algorithm.
    var number: Int? { Self.algorithms.first { $0.algorithm == algorithm }?.number }

    /// Returns whether a signature, as authenticators write it, is this key's.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        key.verifies(systemForm: signature, of: message, by: algorithm)
    }
}
