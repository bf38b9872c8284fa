import Crypto
import Foundation
import JSON

/// A caller with access keys, who signs requests with Signature Version 4.
///
/// What is signed is put together here, and not by the server's own code: both could be wrong in the same way.
struct SigningIdentity: Sendable {
    let accessKeyID: String
    let secret: String
    private let role: String
    private let identityID: String
    /// The token of temporary keys; nil: they are for good.
    private let sessionToken: String?
    /// Whether the server knows the keys.
    let isRegistered: Bool

    /// Keys that differ by the caller's name.
    init(_ name: String, _ fields: CaseFields) throws(CaseFormError) {
        try fields.expectOnly(["type", "role", "identityId", "registered", "sessionToken"])
        let digest = Hexadecimal.text(of: Digest.sha256.of(Array(name.utf8)))
        role = try fields.text("role", or: "auth")
        identityID = try fields.text("identityId", or: "us-east-1:\(digest.prefix(8))-0000-4000-8000-000000000000")
        sessionToken = fields.has("sessionToken") ? try fields.text("sessionToken") : nil
        isRegistered = try fields.flag("registered", or: true)
        accessKeyID = "ASIACONF\(digest.prefix(12).uppercased())"
        secret = "secret/\(digest.dropFirst(12).prefix(33))"
    }

    init(accessKeyID: String, secret: String) {
        (self.accessKeyID, self.secret, role, identityID, isRegistered) = (accessKeyID, secret, "admin", "", true)
        sessionToken = nil
    }

    /// The keys as the server is told of them.
    var configuration: JSONValue {
        var keys: JSONObject = JSONObject([
            ("accessKeyId", .string(accessKeyID)), ("secretAccessKey", .string(secret)), ("role", .string(role)),
        ])
        if role != "admin" { keys["identityId"] = .string(identityID) }
        if let sessionToken { keys["sessionToken"] = .string(sessionToken) }
        return .object(keys)
    }

    /// A request to sign; its path has nothing in it that must be encoded, and no query.
    struct Request {
        var method = "POST"
        let host: String
        let path: String
        let fields: [(name: String, value: String)]
        let body: [UInt8]
        var service = "appsync"
        /// As `20260101T120000Z`.
        var time = Self.now

        private static var now: String {
            Date().formatted(.iso8601).replacing("-", with: "").replacing(":", with: "")
        }
    }

    /// The fields of the request, and those that sign it.
    func signedFields(of request: Request) -> [(name: String, value: String)] {
        var fields = request.fields + [("host", request.host), ("x-amz-date", request.time)]
        if let sessionToken { fields.append(("x-amz-security-token", sessionToken)) }
        let sorted = fields.map { (name: $0.name.lowercased(), value: $0.value) }.sorted { $0.name < $1.name }
        let names = sorted.map(\.name).joined(separator: ";")
        let canonical =
            ([request.method, request.path, ""] + sorted.map { "\($0.name):\($0.value)" }
            + ["", names, Self.digest(request.body)]).joined(separator: "\n")
        let day = String(request.time.prefix(8))
        let scope = [day, "us-east-1", request.service, "aws4_request"]
        let toSign = [
            "AWS4-HMAC-SHA256", request.time, scope.joined(separator: "/"), Self.digest(Array(canonical.utf8)),
        ].joined(separator: "\n")
        let key = scope.reduce(Array("AWS4\(secret)".utf8)) { HMACSHA256.code(of: Array($1.utf8), key: $0) }
        let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: key))
        let credential = "\(accessKeyID)/\(scope.joined(separator: "/"))"
        return fields + [
            (
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=\(credential), SignedHeaders=\(names), Signature=\(signature)"
            )
        ]
    }

    private static func digest(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: Digest.sha256.of(bytes)) }
}
