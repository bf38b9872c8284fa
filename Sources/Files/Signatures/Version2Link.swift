import Access
import Crypto
import JSON
import Network

/// A link with Signature Version 2, as boto3 and version 1 of the AWS CLI make them unless they are told otherwise:
///
///     GET /bucket/key?AWSAccessKeyId=...&Signature=...&Expires=1790000000
///
/// Signed are the method, the digest and the type of the body, the end, the fields of the service, the path, and the parameters that
/// say what of a bucket or an object is meant. Whoever has a link may add others: those that choose a part of a list are read, as S3
/// reads them, and the rest means nothing.
struct Version2Link {
    let accessKeyID: String
    let sessionToken: String?
    private let signature: String
    private let expires: String
    /// The fields of the service that stand in the query, and the type of the body: they are signed as if they came in the head.
    let fields: [(name: String, value: String)]
    private let parameters: [(name: String, value: String)]

    private static let keyName = "AWSAccessKeyId"
    private static let fieldPrefix = "x-amz-"

    /// The link that a request is; nil where it is none.
    init?(_ query: RawQuery, _ head: HTTPFields, now: Int64) throws(FileError) {
        let all = query.parameters.map { parameter in
            // A signature may have a plus that nobody has escaped.
            (
                name: String(decoding: parameter.name(false), as: UTF8.self),
                value: String(decoding: parameter.value(false), as: UTF8.self)
            )
        }
        guard let key = all.first(where: { $0.name == Self.keyName })?.value else { return nil }
        guard !head.contains("authorization"), !LinkParameters(query).isSigned else { throw .severalMechanisms }
        guard let signature = all.first(where: { $0.name == "Signature" })?.value,
            let expires = all.first(where: { $0.name == "Expires" })?.value
        else {
            throw .accessDenied(
                "Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters")
        }
        guard (1...FileLimits.linkDigitsMax).contains(expires.utf8.count),
            expires.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let end = Int64(expires)
        else { throw .accessDenied("Invalid date (should be seconds since epoch): \(expires)") }
        guard now < end else { throw .accessDenied("Request has expired").with("Expires", expires) }
        (accessKeyID, self.signature, self.expires) = (key, signature, expires)
        parameters = all
        var fields: [(name: String, value: String)] = []
        var names: Set<ByteText> = []
        for (name, value) in all {
            let lowered = name.inLowerCaseASCII
            guard lowered.hasPrefix(Self.fieldPrefix) || lowered == "content-type" || lowered == "content-md5" else {
                continue
            }
            guard names.add(lowered) else { throw .malformedLink("The query has '\(lowered)' more than once.") }
            // What came in the head is what was signed.
            if head.values(of: lowered).isEmpty { fields.append((lowered, value)) }
        }
        self.fields = fields
        sessionToken = fields.first { $0.name == "x-amz-security-token" }?.value ?? head["x-amz-security-token"]
    }

    // MARK: What of the query is the request's

    /// The parameters that are signed: they say which operation is meant, or what its answer looks like.
    private static let signed: Set<ByteText> = Set(
        texts: [
            "accelerate", "acl", "analytics", "cors", "defaultObjectAcl", "delete", "inventory", "lifecycle",
            "location",
            "logging", "metrics", "notification", "object-lock", "partNumber", "policy", "replication",
            "requestPayment", "response-cache-control", "response-content-disposition", "response-content-encoding",
            "response-content-language", "response-content-type", "response-expires", "restore", "select",
            "select-type", "storageClass", "tagging", "torrent", "uploadId", "uploads", "versionId", "versioning",
            "versions", "website",
        ])

    /// Those that are not, and choose a part of a list.
    private static let listing: Set<ByteText> = Set(
        texts: [
            "continuation-token", "delimiter", "encoding-type", "fetch-owner", "key-marker", "list-type", "marker",
            "max-keys", "max-parts", "max-uploads", "part-number-marker", "prefix", "start-after", "upload-id-marker",
            "version-id-marker",
        ])

    /// Returns whether a parameter is read. One that is not served here is refused, and not passed over.
    static func isRead(_ name: String) -> Bool {
        let name = ByteText(name)
        return signed.contains(name) || listing.contains(name) || FileOperation.unserved.contains(name)
    }

    // MARK: Whether it is signed

    /// Throws where the signature is none of this request with that secret.
    ///
    /// - Parameters:
    ///   - names: those of the fields of the service in the head, in their order.
    ///   - bucket: the one that the host names; nil: the path does.
    func verify(
        _ head: HTTPRequestHead, _ names: [[UInt8]], bucket: String?, secret: String
    ) throws(FileError) {
        let start = lines(head, names)
        var first: String?
        for path in Self.paths(head, bucket: bucket) {
            let text = start + path + resource
            if SignatureVersion2.isSigned(text, signature, secret: secret) { return }
            first = first ?? text
        }
        throw .signatureDoesNotMatch.with("AWSAccessKeyId", accessKeyID).with("StringToSign", first ?? "")
            .with("SignatureProvided", signature)
    }

    private func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// What stands before the path.
    private func lines(_ head: HTTPRequestHead, _ names: [[UInt8]]) -> String {
        var service = fields.filter { $0.name.hasPrefix(Self.fieldPrefix) }
        for name in names {
            let name = String(decoding: name, as: UTF8.self)
            service.append((name, head.fields.values(of: name).joined(separator: ",")))
        }
        service.sort { ByteText($0.name) < ByteText($1.name) }
        let digest = head.fields["content-md5"] ?? field("content-md5") ?? ""
        let type = head.fields["content-type"] ?? field("content-type") ?? ""
        let opening = [head.methodText, digest, type, expires].joined(separator: "\n")
        return "\(opening)\n" + service.map { "\($0.name):\($0.value)\n" }.joined()
    }

    /// The path with the bucket: as it was sent, with its escapes in their one form, and where it is a bucket alone, with a slash at its
    /// end, which clients sign there.
    private static func paths(_ head: HTTPRequestHead, bucket: String?) -> [String] {
        let sent = (bucket.map { "/\($0)" } ?? "") + head.encodedPath
        let normalized = String(
            decoding: SignedPath.normalized(sent.utf8, isSlashEscaped: true), as: UTF8.self)
        var paths = normalized == sent ? [sent] : [sent, normalized]
        if !sent.utf8.dropFirst().contains(UInt8(ascii: "/")) { paths.append(sent + "/") }
        return paths
    }

    /// The parameters as they stand behind the path in what is signed: in the order of their names, with nothing escaped.
    private var resource: String {
        let own = parameters.filter { Self.signed.contains(ByteText($0.name)) }
            .sorted { ByteText($0.name) < ByteText($1.name) }
            .map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }
        return own.isEmpty ? "" : "?" + own.joined(separator: "&")
    }
}

/// The code of Signature Version 2: HMAC with SHA-1, in base64.
enum SignatureVersion2 {
    /// Returns whether a signature is that of a text, in a time that does not tell where they differ.
    static func isSigned(_ text: String, _ signature: String, secret: String) -> Bool {
        let code = HMACSHA1.code(of: Array(text.utf8), key: Array(secret.utf8))
        return ConstantTime.areEqual(Base64.text(of: code, .standard), signature)
    }
}
