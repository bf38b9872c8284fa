import Crypto
import JSON

/// The names of identities: the region, and sixteen bytes in the form of a UUID.
///
///     us-east-1:  random (60 bits)  │  code over region, pool and those bits (62 bits)
///
/// A name says by itself that this data's pool has made it. So guests, of whom there may be any number, are stored nowhere
/// until one of them signs in, and a name that somebody has made up never becomes a user's.
struct IdentityNames: Sendable {
    private let region: String
    private let poolID: String
    private let key: [UInt8]

    init(_ identifiers: PoolIdentifiers, key: [UInt8]) {
        region = identifiers.region
        poolID = identifiers.identityPoolID
        self.key = key
    }

    /// A new one.
    func make() -> String { "\(region):\(UUIDText.versionFour(of: sealed(RandomBytes.make(count: 8))))" }

    /// Returns whether a text could be a name of this region.
    func isWellFormed(_ name: String) -> Bool {
        guard PoolIdentifiers.isIdentityID(name), let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return false
        }
        return ByteText(name[..<colon]) == ByteText(region)
    }

    /// Returns whether this pool has made it.
    func isOwn(_ name: String) -> Bool {
        guard isWellFormed(name), let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")),
            let bytes = Hexadecimal.bytes(
                of: name[name.index(after: colon)...].utf8.filter { $0 != UInt8(ascii: "-") }),
            bytes.count == 16
        else { return false }
        let expected = UUIDText.versionFour(of: sealed(Array(bytes.prefix(8))))
        return ConstantTime.areEqual("\(region):\(expected)", name)
    }

    /// Eight bytes, with those behind them that only this pool knows.
    private func sealed(_ random: [UInt8]) -> [UInt8] {
        var random = random
        // The bits of the version stand among them.
        random[6] = random[6] & 0x0F | 0x40
        let code = HMACSHA256.code(of: Array("\(region) \(poolID) ".utf8) + random, key: key)
        return random + code.prefix(8)
    }
}
