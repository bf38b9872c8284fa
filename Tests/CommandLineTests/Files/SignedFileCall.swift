import Crypto
import Foundation
import Synchronization
import TestSupport

/// Calls the store of files with somebody's keys: one request after the other, on one connection as long as the server keeps it.
final class SignedFileCall: Sendable {
    private let client: Mutex<RawClient>
    private let port: UInt16
    private let keys: IdentityClient.Keys
    private let host: String

    /// - Parameters:
    ///   - host: the name by which the server is called, without its port.
    ///   - port: another one than the first on which it listens.
    ///   - keys: the administrator's of this machine, unless others are given.
    init(
        _ server: HomeportProcess, host: String = "127.0.0.1", port: UInt16? = nil,
        as keys: IdentityClient.Keys = .administrator
    ) throws {
        let port = port ?? server.port
        client = Mutex(try RawClient(port: port))
        self.port = port
        self.keys = keys
        self.host = "\(host):\(port)"
    }

    struct Answer: Sendable {
        let status: Int
        /// By name, in lower case.
        let fields: [String: String]
        let bytes: [UInt8]

        /// The entity tag, as it came.
        var tag: String? { fields["etag"] }

        /// The code of a refusal.
        var code: String? { element("Code") }

        func element(_ name: String) -> String? { elements(name).first }

        /// The texts of the elements of that name.
        func elements(_ name: String) -> [String] {
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(separator: "<\(name)>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        }
    }

    /// What is sent in the place of what is signed.
    struct Change {
        var fields: [String: String] = [:]
        var body: [UInt8]?
    }

    /// - Parameters:
    ///   - target: path and query, in the form in which they are signed.
    ///   - digest: what is said of the body; nil: its digest.
    ///   - sent: makes the body that is sent, from the signature of the request.
    @discardableResult
    func call(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8] = [],
        digest: String? = nil, change: Change = Change(),
        sent: ((_ signature: String, _ date: String) -> [UInt8])? = nil
    ) throws -> Answer {
        let date = SignedCall.text(of: Date())
        let digest = digest ?? Hexadecimal.text(of: Digest.sha256.of(body))
        var own = ["host": host, "x-amz-content-sha256": digest, "x-amz-date": date]
        own["x-amz-security-token"] = keys.sessionToken
        let signed = own.merging(fields) { $1 }.sorted { $0.key < $1.key }
        let names = signed.map(\.key).joined(separator: ";")
        let signature = signature(of: method, target, signed, digest, at: date)
        let scope = Self.scope(at: date)
        var all = Dictionary(uniqueKeysWithValues: signed.map { ($0.key, $0.value) }).merging(change.fields) { $1 }
        all["authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(keys.accessKeyID)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
        return try send(method, target, all, sent?(signature, date) ?? change.body ?? body)
    }

    /// A request as it is given: of a link, or of nobody.
    func send(
        _ method: String, _ target: String, _ fields: [String: String] = [:], _ body: [UInt8] = []
    ) throws -> Answer {
        let all = ["host": host].merging(fields) { $1 }
        let client = client.withLock { $0 }
        try client.send(
            "\(method) \(target) HTTP/1.1\r\n" + all.map { "\($0.key): \($0.value)\r\n" }.joined()
                + "content-length: \(body.count)\r\n\r\n")
        if !body.isEmpty { try client.send(body) }
        guard method != "HEAD" else {
            let head = try AnswerHead(try client.read(through: "\r\n\r\n"))
            return Answer(status: head.status, fields: head.fields, bytes: [])
        }
        let (text, bytes) = try client.readAnswerBytes()
        let head = try AnswerHead(text)
        // So it does behind the refusal of a body that it does not read to its end.
        if head.fields["connection"] == "close" {
            let next = try RawClient(port: port)
            self.client.withLock { $0 = next }
        }
        return Answer(status: head.status, fields: head.fields, bytes: bytes)
    }

    /// The target of a link.
    ///
    /// - Parameter query: further parameters, `name=value`, escaped as they are signed.
    func link(
        _ method: String, _ path: String, _ query: [String] = [], seconds: Int = 300, at moment: Date = Date()
    ) -> String {
        let date = SignedCall.text(of: moment)
        let credential = Self.escaped("\(keys.accessKeyID)/\(Self.scope(at: date))", keepingSlash: false)
        var parameters =
            query + [
                "X-Amz-Algorithm=AWS4-HMAC-SHA256", "X-Amz-Credential=\(credential)", "X-Amz-Date=\(date)",
                "X-Amz-Expires=\(seconds)", "X-Amz-SignedHeaders=host",
            ]
        if let token = keys.sessionToken {
            parameters.append("X-Amz-Security-Token=\(Self.escaped(token, keepingSlash: false))")
        }
        let target = "\(path)?\(parameters.sorted().joined(separator: "&"))"
        let signature = signature(of: method, target, [(key: "host", value: host)], "UNSIGNED-PAYLOAD", at: date)
        return "\(target)&X-Amz-Signature=\(signature)"
    }

    // MARK: Signatures

    private func signature(
        of method: String, _ target: String, _ fields: [(key: String, value: String)], _ digest: String, at date: String
    ) -> String {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let canonical = [
            method, parts[0], parts.count > 1 ? parts[1] : "", fields.map { "\($0.key):\($0.value)\n" }.joined(),
            fields.map(\.key).joined(separator: ";"), digest,
        ].joined(separator: "\n")
        let hashed = Hexadecimal.text(of: Digest.sha256.of(Array(canonical.utf8)))
        return signature(of: "AWS4-HMAC-SHA256\n\(date)\n\(Self.scope(at: date))\n\(hashed)", at: date)
    }

    func signature(of text: String, at date: String) -> String {
        let key = Self.scope(at: date).split(separator: "/").reduce(Array("AWS4\(keys.secret)".utf8)) {
            HMACSHA256.code(of: Array($1.utf8), key: $0)
        }
        return Hexadecimal.text(of: HMACSHA256.code(of: Array(text.utf8), key: key))
    }

    static func scope(at date: String) -> String { "\(date.prefix(8))/us-east-1/s3/aws4_request" }

    /// A text with everything escaped that has a meaning in a path or a query.
    static func escaped(_ text: String, keepingSlash: Bool = true) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return text.utf8.map { byte in
            plain.contains(byte) || keepingSlash && byte == UInt8(ascii: "/")
                ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.text(of: [byte]).uppercased()
        }.joined()
    }
}

extension IdentityClient.Keys {
    /// Those that a server on this machine takes for its administrator's.
    static let administrator = Self(identity: "", accessKeyID: "local", secret: "local", sessionToken: nil)
}
