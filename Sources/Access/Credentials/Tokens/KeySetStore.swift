import Crypto
import Glibc
import JSON

/// The keys of one issuer on one loop: at hand, on this machine, or downloaded and kept for a while.
///
/// A set is asked for again when it is old, or when a token names a key that it lacks. A download is not tried more often
/// than `AccessLimits.keySetRetrySeconds` allows, whoever sends what; while it fails, keys that were good go on being used
/// for a day. A file on this machine costs next to nothing, so it is looked at whenever a key is lacking: a token that no
/// key fits keeps nobody waiting whose key has come meanwhile.
package final class KeySetStore {
    package enum Answer {
        case key(PublicKey)
        /// The issuer has no such key.
        case none
        /// The set must be downloaded first.
        case needsDownload
    }

    private let issuer: String
    private let source: TokenIssuer.Keys
    private let report: @Sendable (String) -> Void
    private var set: KeySet?
    private var readAt = Int64.min
    private var triedAt = Int64.min
    /// When somebody was last told that a set cannot be read.
    private var reportedAt = Int64.min
    /// What a file on this machine held when it was read: the same again says nothing new.
    private var bytesRead: [UInt8]?
    private var isDownloading = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    private static let staleSecondsMax: Int64 = 86_400

    package init(_ issuer: TokenIssuer, report: @escaping @Sendable (String) -> Void) {
        self.issuer = issuer.issuer
        self.report = report
        source = issuer.keys
        if case .fixed(let keys) = issuer.keys { set = keys }
    }

    /// The key that a token names. `isLast`: what is known must do.
    package func key(
        _ id: String?, for algorithm: SignatureAlgorithm, now: Int64, isLast: Bool = false
    ) -> Answer {
        if case .fixed = source { return known(id, algorithm) }
        let age = set == nil ? Int64.max : now.subtractingReportingOverflow(readAt).partialValue
        if age > AccessLimits.keySetLifeSeconds, !isLast, mayTry(now) { return renewed(id, algorithm, now) }
        if age > Self.staleSecondsMax { set = nil }
        if case .key(let key) = known(id, algorithm) { return .key(key) }
        return !isLast && mayTry(now) ? renewed(id, algorithm, now) : .none
    }

    private func known(_ id: String?, _ algorithm: SignatureAlgorithm) -> Answer {
        set?.key(id, for: algorithm).map(Answer.key) ?? .none
    }

    private func mayTry(_ now: Int64) -> Bool {
        if case .local = source { return true }
        if isDownloading { return waiters.count < AccessLimits.waitersMax }
        return Self.isDue(triedAt, now)
    }

    /// Returns whether the pause after something that was done then is over.
    private static func isDue(_ done: Int64, _ now: Int64) -> Bool {
        done == .min || now.subtractingReportingOverflow(done).partialValue >= AccessLimits.keySetRetrySeconds
    }

    private func renewed(_ id: String?, _ algorithm: SignatureAlgorithm, _ now: Int64) -> Answer {
        guard case .local(let name, let read) = source else { return .needsDownload }
        let bytes = read(AccessLimits.keySetBytesMax)
        if let bytes, bytes == bytesRead {
            readAt = now
        } else {
            bytesRead = take(bytes, from: name, now: now) ? bytes : nil
        }
        return key(id, for: algorithm, now: now, isLast: true)
    }

    /// Returns whether there is a set of keys in it.
    @discardableResult
    private func take(_ bytes: [UInt8]?, from place: String, now: Int64) -> Bool {
        guard let bytes, let keys = KeySet(json: bytes) else {
            if Self.isDue(reportedAt, now) {
                reportedAt = now
                report("the keys of \(issuer) cannot be read: \(place) holds no set of keys")
            }
            return false
        }
        set = keys
        readAt = now
        return true
    }

    // Downloads.

    /// Downloads the set, or waits for the download that is under way.
    package func download(using outside: any OutsideService, now: Int64) async {
        guard !isDownloading else {
            guard waiters.count < AccessLimits.waitersMax else { return }
            return await withCheckedContinuation { waiters.append($0) }
        }
        isDownloading = true
        triedAt = now
        if let url = await location(using: outside) {
            take(await answer(url, using: outside), from: url, now: now)
        }
        isDownloading = false
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }

    private func location(using outside: any OutsideService) async -> String? {
        switch source {
        case .fixed, .local: return nil
        case .url(let url): return url
        case .discovered:
            let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
            let url = "\(base)/.well-known/openid-configuration"
            guard let bytes = await answer(url, using: outside) else { return nil }
            let description = try? JSONReader.value(of: bytes)
            // A description of somebody else must not lend its keys to this issuer.
            guard description?["issuer"]?.string == issuer, let location = description?["jwks_uri"]?.string else {
                report("the keys of \(issuer) cannot be found: \(url) does not describe that issuer")
                return nil
            }
            return location
        }
    }

    private func answer(_ url: String, using outside: any OutsideService) async -> [UInt8]? {
        do throws(OutsideError) {
            let response = try await outside.send(
                OutsideRequest(
                    method: "GET", url: url, fields: [("accept", "application/json")],
                    timeoutMilliseconds: AccessLimits.keySetTimeoutMilliseconds,
                    responseBytesMax: AccessLimits.keySetBytesMax))
            guard response.status == 200 else {
                report("the keys of \(issuer) cannot be read: \(url) answers \(response.status)")
                return nil
            }
            return response.body
        } catch {
            report("the keys of \(issuer) cannot be read from \(url): \(error)")
            return nil
        }
    }
}
