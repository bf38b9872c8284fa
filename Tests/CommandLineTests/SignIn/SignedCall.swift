import Crypto
import Foundation
import TestSupport

/// A call of the user pool that is signed with Signature Version 4, put together by hand: what is signed and what is sent can
/// differ in everything.
struct SignedCall {
    var operation = "AdminGetUser"
    var body: String
    var accessKeyID = "local"
    var secret = "local"
    var host: String
    var date = SignedCall.text(of: Date())
    /// Nil: the day of the date.
    var day: String?
    var region = "us-east-1"
    var service = "cognito-idp"
    var method = "POST"
    var path = "/"
    /// What stands behind the path, in the order in which it is signed.
    var query = ""
    var contentType = "application/x-amz-json-1.1"
    /// Further fields, which are sent.
    var others: [(name: String, value: String)] = []
    var signed = ["content-type", "host", "x-amz-date", "x-amz-target"]
    /// What stands for the body in what is signed; nil: its digest.
    var payload: String?
    /// The body as it is sent, where that is compressed.
    var coded: [UInt8]?
    var isSigned = true
    /// What it is for; nil: the operation of the user pool.
    var target: String?
    /// Whether it says by a field that it is for the user pool.
    var hasTarget = true
    /// What stands before the operation in that field.
    var api = "AWSCognitoIdentityProviderService"

    init(_ operation: String, _ body: String, to server: HomeportProcess) {
        self.operation = operation
        self.body = body
        host = "127.0.0.1:\(server.port)"
    }

    static func text(of date: Date) -> String {
        date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    }

    private var fields: [(name: String, value: String)] {
        [
            ("host", host), ("content-type", contentType), ("x-amz-date", date),
        ] + (hasTarget ? [("x-amz-target", target ?? "\(api).\(operation)")] : []) + others
    }

    private var scope: String { "\(day ?? String(date.prefix(8)))/\(region)/\(service)/aws4_request" }

    private func hash(_ text: String) -> String { hash(Array(text.utf8)) }
    private func hash(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: Digest.sha256.of(bytes)) }

    var authorization: String {
        let lines = signed.sorted().map { name in
            "\(name):\(fields.filter { $0.name == name }.map(\.value).joined(separator: ","))\n"
        }
        let canonical =
            "\(method)\n\(path)\n\(query)\n\(lines.joined())\n\(signed.sorted().joined(separator: ";"))\n\(payload ?? hash(coded ?? Array(body.utf8)))"
        let toSign = "AWS4-HMAC-SHA256\n\(date)\n\(scope)\n\(hash(canonical))"
        let key = scope.split(separator: "/").reduce(Array("AWS4\(secret)".utf8)) {
            HMACSHA256.code(of: Array($1.utf8), key: $0)
        }
        let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: key))
        return
            "AWS4-HMAC-SHA256 Credential=\(accessKeyID)/\(scope), SignedHeaders=\(signed.sorted().joined(separator: ";")), "
            + "Signature=\(signature)"
    }

    /// Sends the call as it has become by the change, under the signature of what it was before.
    func answer(
        from server: HomeportProcess, sent change: (inout SignedCall) -> Void = { _ in }
    ) throws -> (status: Int, head: String, body: String) {
        var sent = self
        change(&sent)
        let client = try RawClient(port: server.port)
        let all = sent.fields + (isSigned ? [("authorization", authorization)] : [])
        try client.send(
            "\(sent.method) \(sent.path)\(sent.query.isEmpty ? "" : "?\(sent.query)") HTTP/1.1\r\n"
                + all.map { "\($0.name): \($0.value)\r\n" }.joined()
                + "content-length: \(sent.coded?.count ?? sent.body.utf8.count)\r\n\r\n")
        try client.send(sent.coded ?? Array(sent.body.utf8))
        let answer = try client.readAnswer()
        let status = answer.head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return (status, answer.head, answer.body)
    }
}
