import Crypto

/// The keys of an API.
struct APIKeyRing: Sendable {
    private let keys: [(bytes: [UInt8], expires: Int64?)]

    init(_ keys: [APIKey]) {
        self.keys = keys.filter { !$0.key.isEmpty }.map { (Array($0.key.utf8), $0.expires) }
    }

    /// Whether a key is one of them and has not ended. All are compared, whichever is found.
    func admits(_ key: String, now: Int64) -> Bool {
        var isAdmitted = false
        for known in keys where ConstantTime.areEqual(known.bytes, key.utf8) {
            isAdmitted = isAdmitted || known.expires.map { now < $0 } ?? true
        }
        return isAdmitted
    }
}
