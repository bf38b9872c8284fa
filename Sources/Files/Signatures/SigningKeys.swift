import Access
import Crypto
import JSON
import Synchronization

/// The keys that requests are signed with: one for each access key and day, made once.
final class SigningKeys: Sendable {
    private struct Kept {
        let secret: String
        let key: HMACKey
    }

    private let region: String
    private let service: String
    private let kept: Mutex<GenerationCache<Kept>>

    init(region: String, service: String, countMax: Int = FileLimits.signingKeysMax) {
        self.region = region
        self.service = service
        kept = Mutex(GenerationCache(countMax: countMax))
    }

    var count: Int { kept.withLock { $0.count } }

    /// The key of that access key, whose secret is given, for the day.
    func key(of accessKeyID: String, secret: String, day: String) -> HMACKey {
        let name = "\(accessKeyID)/\(day)"
        // A secret that changes under the same access key is another one's.
        if let found = kept.withLock({ $0.value(of: name, now: 0) }), found.secret == secret { return found.key }
        let key = HMACKey(SigningKey.bytes(secret: secret, day: day, region: region, service: service))
        kept.withLock { $0.insert(Kept(secret: secret, key: key), for: name, expires: .max) }
        return key
    }
}
