import Crypto
import Foundation

/// A request for files by a link that the administrator of this machine has signed.
struct SignedLink {
    let bytes: [UInt8]

    static let scope = "us-east-1/s3/aws4_request"

    static var now: String { Date.now.ISO8601Format().filter { $0 != "-" && $0 != ":" } }

    static func signature(of text: String, day: Substring) -> String {
        let parts = [String(day)] + scope.split(separator: "/").map(String.init)
        let key = parts.reduce(Array("AWS4local".utf8)) { HMACSHA256.code(of: Array($1.utf8), key: $0) }
        return Hexadecimal.text(of: HMACSHA256.code(of: Array(text.utf8), key: key))
    }

    /// - Parameters:
    ///   - query: parameters as they are signed, `name=value`.
    ///   - fields: those that are signed with it, their names in lower case.
    ///   - host: the one that is signed; sent is `localhost`.
    init(
        _ method: String, _ path: String, _ query: [String] = [], fields: [(String, String)] = [], _ body: [UInt8] = [],
        host: String = "localhost"
    ) {
        let time = Self.now
        let signed = (fields + [("host", host)]).sorted { $0.0 < $1.0 }
        let names = signed.map(\.0).joined(separator: ";")
        let credential = "local/\(time.prefix(8))/\(Self.scope)".replacing("/", with: "%2F")
        let parameters =
            query + [
                "X-Amz-Algorithm=AWS4-HMAC-SHA256", "X-Amz-Credential=\(credential)", "X-Amz-Date=\(time)",
                "X-Amz-Expires=600", "X-Amz-SignedHeaders=\(names.replacing(";", with: "%3B"))",
            ]
        let text = parameters.sorted().joined(separator: "&")
        let lines = [method, path, text] + signed.map { "\($0.0):\($0.1)" } + ["", names, "UNSIGNED-PAYLOAD"]
        let digest = Hexadecimal.text(of: Digest.sha256.of(Array(lines.joined(separator: "\n").utf8)))
        let toSign = ["AWS4-HMAC-SHA256", time, "\(time.prefix(8))/\(Self.scope)", digest].joined(separator: "\n")
        let signature = Self.signature(of: toSign, day: time.prefix(8))
        let head =
            ["\(method) \(path)?\(text)&X-Amz-Signature=\(signature) HTTP/1.1"]
            + fields.map { "\($0.0): \($0.1)" } + ["host: localhost", "content-length: \(body.count)", "", ""]
        bytes = Array(head.joined(separator: "\r\n").utf8) + body
    }
}
