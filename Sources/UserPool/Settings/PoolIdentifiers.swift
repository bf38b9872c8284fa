import Crypto
import JSON

/// The names by which clients and tokens know the pool, its client and the identity pool. They stay the same for a data
/// folder.
package struct PoolIdentifiers: Sendable, Equatable {
    /// Where the pool says that it is: the names begin with it.
    package var region: String
    package var userPoolID: String
    /// The client that apps sign in by, unless the settings name others.
    package var clientID: String
    package var identityPoolID: String

    package init(region: String, userPoolID: String, clientID: String, identityPoolID: String) {
        self.region = region
        self.userPoolID = userPoolID
        self.clientID = clientID
        self.identityPoolID = identityPoolID
    }

    /// Names that follow from a seed: random bytes for names of their own, or the path of a folder that nothing is written to.
    package init(region: String = Self.usualRegion, seed: [UInt8]) {
        func bytes(_ purpose: String, _ count: Int) -> [UInt8] {
            Array(HMACSHA256.code(of: Array(purpose.utf8), key: seed).prefix(count))
        }
        func text(_ purpose: String, of letters: StaticString, count: Int) -> String {
            let letters = letters.withUTF8Buffer { Array($0) }
            return String(
                decoding: bytes(purpose, count).map { letters[Int($0) % letters.count] }, as: UTF8.self)
        }
        self.init(
            region: region,
            userPoolID:
                "\(region)_\(text("user pool", of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", count: 9))",
            clientID: text("client", of: "abcdefghijklmnopqrstuvwxyz0123456789", count: 26),
            identityPoolID: "\(region):\(UUIDText.versionFour(of: bytes("identity pool", 16)))")
    }

    package static let usualRegion = "us-east-1"

    /// What stands in the hashes of proofs: the pool's name without its region.
    package var poolName: String {
        userPoolID.utf8.firstIndex(of: UInt8(ascii: "_")).map {
            String(userPoolID[userPoolID.utf8.index(after: $0)...])
        } ?? userPoolID
    }

    /// Returns whether a text can be the name of a pool: clients take it apart at its one `_`, and read the region from it.
    package static func isUserPoolID(_ text: String) -> Bool {
        let parts = text.parts(separatedBy: "_")
        return parts.count == 2 && isRegion(parts[0]) && (1...46).contains(parts[1].utf8.count)
            && parts[1].utf8.allSatisfy(\.isAlphanumeric)
    }

    package static func isRegion(_ text: String) -> Bool { isRegion(text[...]) }

    private static func isRegion(_ text: Substring) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.count >= 3 && text.utf8.count <= 32
            && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy(\.isAlphanumeric) }
    }

    package static func isClientID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isWord || $0 == UInt8(ascii: "+") }
    }

    /// Returns whether a text can be the name of an identity pool, or of an identity: the region and a UUID.
    package static func isIdentityID(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return isRegion(text[..<colon]) && UUIDText.isOne(text[text.index(after: colon)...])
    }
}
