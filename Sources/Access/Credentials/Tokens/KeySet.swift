import Crypto
import JSON

/// The keys of an issuer (RFC 7517). Keys that cannot be used, whatever the reason, are left out.
package struct KeySet: Sendable {
    struct Key: Sendable {
        let id: String?
        /// The only algorithm that it is for; nil for every one that fits.
        let algorithm: SignatureAlgorithm?
        let key: PublicKey

        func fits(_ other: SignatureAlgorithm) -> Bool {
            (algorithm == nil || algorithm == other) && key.fits(other)
        }
    }

    let keys: [Key]

    init(keys: [Key]) {
        self.keys = keys
    }

    /// The set of a single RSA key.
    package init(_ key: PublicKey, id: String) {
        self.init(keys: [Key(id: id, algorithm: .rs256, key: key)])
    }

    /// Nil when the text is no set of keys.
    package init?(json: [UInt8]) {
        let limits = JSONLimits(bytesMax: AccessLimits.keySetBytesMax, nestingMax: AccessLimits.tokenNestingMax)
        guard let members = try? JSONReader.value(of: json, limits: limits)["keys"]?.array else { return nil }
        keys = members.lazy.compactMap(Self.key).prefix(AccessLimits.keySetKeysMax).map(\.self)
    }

    private static func key(_ member: JSONValue) -> Key? {
        let use = member["use"]
        guard use == nil || use == .null || use == "sig", isForVerifying(member["key_ops"]) else { return nil }
        var algorithm: SignatureAlgorithm?
        if let name = member["alg"]?.string {
            // An algorithm that is not for verifying with a public key, or that nobody knows: not a key to use.
            guard let known = SignatureAlgorithm(rawValue: name) else { return nil }
            algorithm = known
        }
        guard let key = publicKey(member), algorithm.map(key.fits) ?? true else { return nil }
        return Key(id: member["kid"]?.string, algorithm: algorithm, key: key)
    }

    /// Returns whether what a key may do, as the key says itself, includes to verify signatures; one that says nothing may.
    private static func isForVerifying(_ operations: JSONValue?) -> Bool {
        guard let operations, operations != .null else { return true }
        return operations.array?.contains("verify") ?? false
    }

    private static func publicKey(_ member: JSONValue) -> PublicKey? {
        func bytes(_ name: String) -> [UInt8]? { member[name]?.string.flatMap { Base64.bytes(of: $0.utf8) } }
        switch member["kty"]?.string {
        case "RSA":
            guard let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
            return PublicKey(rsaModulus: modulus, exponent: exponent, bits: AccessLimits.keyBits)
        case "EC":
            guard let curve = member["crv"]?.string.flatMap(Curve.init), let x = bytes("x"), let y = bytes("y")
            else { return nil }
            return PublicKey(curve, x: x, y: y)
        default: return nil
        }
    }

    /// The key that a token names. One that names none is verified with the only key that fits.
    func key(_ id: String?, for algorithm: SignatureAlgorithm) -> PublicKey? {
        let fitting = keys.filter { $0.fits(algorithm) && (id == nil || $0.id == id) }
        return fitting.count == 1 || id != nil ? fitting.first?.key : nil
    }
}
