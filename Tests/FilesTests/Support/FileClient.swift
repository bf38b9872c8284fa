import Access
import Crypto
import Network
import Synchronization
import TestSupport

@testable import Files

/// Calls a store of files as its clients do: signed in the head, one request after the other on one connection, and on the
/// next where an answer ends it, as one may that comes before the whole body has.
final class FileClient: Sendable {
    private let connection: Mutex<RawClient>
    private let port: UInt16
    private let key: TestFiles.Key
    private var host: String { "127.0.0.1:\(port)" }

    init(_ files: TestFiles, as key: TestFiles.Key = .administrator) throws {
        connection = Mutex(try RawClient(port: files.port))
        port = files.port
        self.key = key
    }

    struct Answer {
        let status: Int
        let fields: [String: String]
        let bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// The text of the first element of that name.
        func element(_ name: String) -> String? { elements(name).first }

        func elements(_ name: String) -> [String] {
            text.split(separator: "<\(name)>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        }

        /// The code of a refusal.
        var code: String? { element("Code") }
    }

    /// - Parameter target: path below the bucket and query, escaped as it is sent.
    @discardableResult
    func call(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8] = [],
        bucket: String = TestFiles.bucket
    ) throws -> Answer {
        try connection.withLock { client in
            try client.send(head(method, "/\(bucket)\(target)", fields, body))
            if !body.isEmpty { try client.send(body) }
            let answer = try Self.answer(from: client, to: method)
            if answer.fields["connection"] == "close" { client = try RawClient(port: port) }
            return answer
        }
    }

    func head(_ method: String, _ target: String, _ fields: [(String, String)], _ body: [UInt8]) -> String {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let date = "20270115T080000Z"
        let digest = fields.first { $0.0 == "x-amz-content-sha256" }?.1 ?? Hexadecimal.text(of: Digest.sha256.of(body))
        var signed = fields.filter { $0.0 != "x-amz-content-sha256" }
        signed += [("host", host), ("x-amz-content-sha256", digest), ("x-amz-date", date)]
        signed.sort { $0.0 < $1.0 }
        let names = signed.map(\.0).joined(separator: ";")
        let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { part in
            part.contains("=") ? String(part) : "\(part)="
        }.sorted().joined(separator: "&")
        let canonical = ([method, parts[0], query] + signed.map { "\($0.0):\($0.1)" } + ["", names, digest])
            .joined(separator: "\n")
        let scope = "20270115/us-east-1/s3/aws4_request"
        let hashed = Hexadecimal.text(of: Digest.sha256.of(Array(canonical.utf8)))
        let toSign = "AWS4-HMAC-SHA256\n\(date)\n\(scope)\n\(hashed)"
        let secret = SigningKey.bytes(secret: key.rawValue, day: "20270115", region: "us-east-1", service: "s3")
        let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: secret))
        var lines = ["\(method) \(target) HTTP/1.1"] + signed.map { "\($0.0): \($0.1)" }
        lines.append(
            "authorization: AWS4-HMAC-SHA256 Credential=\(key.rawValue)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
        )
        if !body.isEmpty || method == "PUT" || method == "POST" { lines.append("content-length: \(body.count)") }
        return (lines + ["", ""]).joined(separator: "\r\n")
    }

    static func answer(from client: RawClient, to method: String) throws -> Answer {
        let head: String
        let bytes: [UInt8]
        if method == "HEAD" {
            (head, bytes) = (try client.read(through: "\r\n\r\n"), [])
        } else {
            (head, bytes) = try client.readAnswerBytes()
        }
        var fields: [String: String] = [:]
        let lines = head.split(separator: "\r\n")
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            if pair.count == 2 { fields[String(pair[0])] = String(pair[1].drop { $0 == " " }) }
        }
        let status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        return Answer(status: status, fields: fields, bytes: bytes)
    }
}
