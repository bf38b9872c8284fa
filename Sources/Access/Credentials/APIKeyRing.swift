import Crypto

/// The keys of an API.
struct APIKeyRing: Sendable {
    private let keys: [(bytes: [UInt8], expires: Int64?, identity: Identity)]

    init(_ keys: [APIKey]) {
        self.keys = keys.filter { !$0.key.isEmpty }.map { key in
            (Array(key.key.utf8), key.expires, key.expires.map(Identity.apiKey(expires:)) ?? .apiKey)
        }
    }

    /// Who has a key, if it is one of them and has not ended; of entries with the same key, the one that is good longest.
    /// All are compared, whichever is found.
    func identity(of key: String, now: Int64) -> Identity? {
        var found: Identity?
        for known in keys where ConstantTime.areEqual(known.bytes, key.utf8) {
            guard known.expires.map({ now < $0 }) ?? true else { continue }
            if let last = found?.expires, known.expires.map({ $0 > last }) ?? true { found = known.identity }
            found = found ?? known.identity
        }
        return found
    }
}
