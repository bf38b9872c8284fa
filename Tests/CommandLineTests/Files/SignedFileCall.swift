import Crypto
import Foundation
import TestSupport

/// Calls the store of files as the administrator of this machine: one request after the other on one connection.
final class SignedFileCall: Sendable {
    private let client: RawClient
    private let host: String

    init(_ server: HomeportProcess) throws {
        client = try RawClient(port: server.port)
        host = "127.0.0.1:\(server.port)"
    }

    struct Answer: Sendable {
        let status: Int
        /// The entity tag, as it came.
        let tag: String?
        let bytes: [UInt8]

        func element(_ name: String) -> String? { elements(name).first }

        /// The texts of the elements of that name.
        func elements(_ name: String) -> [String] {
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(separator: "<\(name)>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        }
    }

    /// - Parameter target: path and query, in the form in which they are signed.
    @discardableResult
    func call(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8] = []
    ) throws -> Answer {
        let date = SignedCall.text(of: Date())
        let digest = Hexadecimal.text(of: Digest.sha256.of(body))
        let own = ["host": host, "x-amz-content-sha256": digest, "x-amz-date": date]
        let signed = own.merging(fields) { $1 }.sorted { $0.key < $1.key }
        let names = signed.map(\.key).joined(separator: ";")
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let canonical = [
            method, parts[0], parts.count > 1 ? parts[1] : "", signed.map { "\($0.key):\($0.value)\n" }.joined(), names,
            digest,
        ].joined(separator: "\n")
        let scope = "\(date.prefix(8))/us-east-1/s3/aws4_request"
        let hashed = Hexadecimal.text(of: Digest.sha256.of(Array(canonical.utf8)))
        let key = scope.split(separator: "/").reduce(Array("AWS4local".utf8)) {
            HMACSHA256.code(of: Array($1.utf8), key: $0)
        }
        let toSign = "AWS4-HMAC-SHA256\n\(date)\n\(scope)\n\(hashed)"
        let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: key))
        try client.send(
            "\(method) \(target) HTTP/1.1\r\n" + signed.map { "\($0.key): \($0.value)\r\n" }.joined()
                + "authorization: AWS4-HMAC-SHA256 Credential=local/\(scope), SignedHeaders=\(names), Signature=\(signature)\r\n"
                + "content-length: \(body.count)\r\n\r\n")
        if !body.isEmpty { try client.send(body) }
        let (head, bytes) = try client.readAnswerBytes()
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let tag = head.split(separator: "\r\n").first { $0.hasPrefix("etag: ") }?.dropFirst("etag: ".count)
        return Answer(status: status, tag: tag.map(String.init), bytes: bytes)
    }
}
