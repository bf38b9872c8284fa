import Access
import Crypto
import JSON
import Store

/// The keys that the server signs links to files with, as an SDK signs them with keys of its own. They belong to the database, so that
/// a link outlives a restart, and nobody is told them: who has a link may read that one file until it ends, whatever the rules say.
package struct FileLinks: Sendable {
    /// Whose signature a link has.
    package let credential: PrincipalCredential

    package init(_ store: Store) {
        credential = PrincipalCredential(
            secret: Hexadecimal.text(of: store.secret(for: "links to files")),
            principal: IAMPrincipal(role: .administrator, accessKeyID: "HOMEPORTLINKS"))
    }

    /// The path and query of a link to a file.
    ///
    /// - Parameters:
    ///   - host: by which the link is opened: it is signed too.
    ///   - seconds: how long it is good.
    ///   - now: seconds since 1970.
    func target(
        of key: String, in bucket: String, region: String, host: String, seconds: Int64, now: Int64
    ) -> String {
        let date = Self.date(now)
        let day = String(date.prefix(8))
        let scope = "\(day)/\(region)/\(FileSignatures.service)/aws4_request"
        let path = "/\(bucket)/\(Self.escaped(key))"
        let query = [
            "X-Amz-Algorithm=\(SignatureHeader.algorithm)",
            "X-Amz-Credential=\(Self.escapedWhole("\(credential.principal.accessKeyID)/\(scope)"))",
            "X-Amz-Date=\(date)", "X-Amz-Expires=\(seconds)", "X-Amz-SignedHeaders=host",
        ].joined(separator: "&")
        let canonical = ["GET", path, query, "host:\(host)", "", "host", PayloadClaim.unsignedName]
            .joined(separator: "\n")
        let digest = Hexadecimal.text(of: Digest.sha256.of(Array(canonical.utf8)))
        let toSign = "\(SignatureHeader.algorithm)\n\(date)\n\(scope)\n\(digest)"
        let signing = SigningKey.bytes(
            secret: credential.secret, day: day, region: region, service: FileSignatures.service)
        let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: signing))
        return "\(path)?\(query)&X-Amz-Signature=\(signature)"
    }

    /// `20260101T120000Z`
    private static func date(_ seconds: Int64) -> String {
        let digits = Timestamp(seconds: seconds).text.utf8.prefix(19).filter {
            $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":")
        }
        return String(decoding: digits, as: UTF8.self) + "Z"
    }

    /// A key as a path has it: slashes stay.
    private static func escaped(_ key: String) -> String {
        key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: PercentCoding.encoded($0), as: UTF8.self) }.joined(separator: "/")
    }

    private static func escapedWhole(_ text: String) -> String {
        PercentCoding.encoded(text)
    }
}

extension FileService {
    /// The path and query of a link by which anybody may read a file for so long, a week at most.
    ///
    /// - Parameter host: as it stands in the requests of whoever opens it.
    package func link(
        to key: String, in bucket: String, host: String, seconds: Int64
    ) throws(FileError) -> String {
        guard hasBucket(bucket) else { throw .noSuchBucket }
        return FileLinks(store).target(
            of: key, in: bucket, region: settings.region, host: host,
            seconds: min(max(1, seconds), FileLimits.linkSecondsMax), now: now / 1_000)
    }
}
