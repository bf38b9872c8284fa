import Crypto
import JSON
import Network

/// Signs requests to a service (Signature Version 4).
package struct RequestSigner: Sendable {
    private let credentials: LanguageSettings.Credentials
    private let service: String
    private let region: String

    private static let algorithm = "AWS4-HMAC-SHA256"

    package init(_ credentials: LanguageSettings.Credentials, service: String = "bedrock", region: String) {
        self.credentials = credentials
        self.service = service
        self.region = region
    }

    /// The fields that a request needs beside its own. All of those that it has are signed.
    ///
    /// - Parameters:
    ///   - path: as it goes over the wire.
    ///   - query: its pairs, encoded, in any order.
    ///   - own: their names in lower case, each once.
    package func fields(
        of url: HTTPURL, method: String = "POST", path: String, query: [String] = [],
        _ own: [(name: String, value: String)], _ body: [UInt8], now: Timestamp
    ) -> [(name: String, value: String)] {
        let digits = now.text.filter { $0.isASCII && $0.isNumber }
        let (day, time) = (String(digits.prefix(8)), "\(digits.prefix(8))T\(digits.dropFirst(8).prefix(6))Z")
        var added = [(name: "x-amz-date", value: time)]
        if let token = credentials.sessionToken { added.append((name: "x-amz-security-token", value: token)) }
        let signed = (own + added + [(name: "host", value: url.authority)]).sorted { $0.name < $1.name }
        let names = signed.map(\.name).joined(separator: ";")
        let canonical = [
            method, service == "s3" ? path : Self.encoded(path), query.sorted { $0 < $1 }.joined(separator: "&"),
            signed.map { "\($0.name):\($0.value)\n" }.joined(), names,
            Hexadecimal.text(of: Digest.sha256.of(body)),
        ].joined(separator: "\n")
        let scope = "\(day)/\(region)/\(service)/aws4_request"
        let text = [Self.algorithm, time, scope, Hexadecimal.text(of: Digest.sha256.of(Array(canonical.utf8)))]
            .joined(separator: "\n")
        var key = Array("AWS4\(credentials.secretAccessKey)".utf8)
        for part in [day, region, service, "aws4_request"] {
            key = HMACSHA256.code(of: Array(part.utf8), key: key)
        }
        let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(text.utf8), key: key))
        let value =
            "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
        return added + [(name: "authorization", value: value)]
    }

    /// A path as it is signed: what is encoded in it, once more.
    private static func encoded(_ path: String) -> String {
        path.parts(separatedBy: "/").map { PercentCoding.encoded($0) }.joined(separator: "/")
    }
}
