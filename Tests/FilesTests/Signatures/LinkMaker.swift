import Access
import Crypto

@testable import Files
@testable import Network

/// Makes links as clients do.
struct LinkMaker {
    private let credential: PrincipalCredential
    private let date: String
    private let ports: [Int]

    init(_ credential: PrincipalCredential, _ date: String, ports: [Int] = []) {
        (self.credential, self.date, self.ports) = (credential, date, ports)
    }

    /// What a link with those parameters proves.
    /// - Parameter signedAs: the parameters in the form in which they are signed, where that is not with a plus as a space.
    func proof(
        _ method: String, _ path: String, _ query: String, signedAs: String? = nil, host: String = "a.localhost",
        signedHost: String? = nil, region: String = "us-east-1", now: Int64
    ) throws -> FileProof {
        let scope = "\(date.prefix(8))/\(region)/s3/aws4_request"
        let name = "\(credential.principal.accessKeyID)/\(scope)".replacing("/", with: "%2F")
            .replacing(":", with: "%3A").replacing("#", with: "%23")
        let own =
            "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=\(name)&X-Amz-Date=\(date)&X-Amz-Expires=3600"
            + "&X-Amz-SignedHeaders=host"
        let parameters =
            (signedAs ?? query.replacing("+", with: "%20")).split(separator: "&") + own.split(separator: "&")
        let canonical = [
            method, path, parameters.map(String.init).sorted().joined(separator: "&"), "host:\(signedHost ?? host)", "",
            "host", "UNSIGNED-PAYLOAD",
        ].joined(separator: "\n")
        let toSign =
            "AWS4-HMAC-SHA256\n\(date)\n\(scope)\n\(Hexadecimal.text(of: Digest.sha256.of(Array(canonical.utf8))))"
        let key = SigningKey.bytes(
            secret: credential.secret, day: String(date.prefix(8)), region: region, service: "s3")
        let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: key))
        let sent = (query.isEmpty ? "" : query + "&") + own + "&X-Amz-Signature=\(signature)"
        return try FileSignatures([credential], nil, region: "us-east-1", ports: ports).proof(
            of: SignedRequest.head("\(method) \(path)?\(sent)", ["host: \(host)"]), from: .elsewhere, now: now)
    }
}
