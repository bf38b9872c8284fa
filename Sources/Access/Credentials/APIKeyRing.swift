import Crypto

/// The keys of an API.
struct APIKeyRing: Sendable {
    private struct Entry {
        let bytes: [UInt8]
        let expires: Int64?
        let isForThisMachine: Bool
        let identity: Identity
    }

    private let entries: [Entry]

    init(_ keys: [APIKey]) {
        entries = keys.filter { !$0.key.isEmpty }.map { key in
            Entry(
                bytes: Array(key.key.utf8), expires: key.expires, isForThisMachine: key.isForThisMachine,
                identity: key.expires.map(Identity.apiKey(expires:)) ?? .apiKey)
        }
    }

    /// Who has a key, if it is one of them and has not ended; of entries with the same key, the one that is good longest.
    /// All are compared, whichever is found.
    ///
    /// - Parameter isFromThisMachine: asked where the key is good for this machine only.
    func identity(of key: String, now: Int64, isFromThisMachine: @autoclosure () -> Bool) -> Identity? {
        var found: Identity?
        for entry in entries where ConstantTime.areEqual(entry.bytes, key.utf8) {
            guard entry.expires.map({ now < $0 }) ?? true else { continue }
            if entry.isForThisMachine, !isFromThisMachine() { continue }
            if let last = found?.expires, entry.expires.map({ $0 > last }) ?? true { found = entry.identity }
            found = found ?? entry.identity
        }
        return found
    }
}
