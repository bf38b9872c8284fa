import Crypto
import JSON
import Synchronization

/// The keys that requests to a service are signed with: one for each access key, day and region, made once.
package final class SigningKeys: Sendable {
    private struct Kept {
        let secret: String
        let key: HMACKey
    }

    private let service: String
    private let kept: Mutex<GenerationCache<Kept>>

    package init(service: String, countMax: Int = AccessLimits.signingKeysMax) {
        self.service = service
        kept = Mutex(GenerationCache(countMax: countMax))
    }

    package var count: Int { kept.withLock { $0.count } }

    /// The key of that access key, whose secret is given, for the day in the region.
    package func key(of accessKeyID: String, secret: String, day: String, region: String) -> HMACKey {
        key("\(accessKeyID)/\(day)/\(region)", secret) { (day, region) }
    }

    /// The key that who has this secret has signed with.
    func key(of header: SignatureHeader, secret: String) -> HMACKey {
        key(header.keyName, secret) { (header.day, header.region) }
    }

    private func key(_ name: String, _ secret: String, _ scope: () -> (day: String, region: String)) -> HMACKey {
        // A secret that changes under the same access key is another one's.
        if let found = kept.withLock({ $0.value(of: name, now: 0) }), found.secret == secret { return found.key }
        let (day, region) = scope()
        let key = HMACKey(SigningKey.bytes(secret: secret, day: day, region: region, service: service))
        kept.withLock { $0.insert(Kept(secret: secret, key: key), for: name, expires: .max) }
        return key
    }
}
