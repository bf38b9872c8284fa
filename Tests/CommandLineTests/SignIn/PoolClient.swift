import Foundation
import TestSupport

/// A client of the user pool, over one connection.
final class PoolClient {
    private let client: RawClient
    private let port: UInt16
    let clientID: String

    /// A refusal: its type and its text.
    struct Refusal: Error, CustomStringConvertible {
        let type: String
        let message: String
        var description: String { "\(type): \(message)" }
    }

    init(_ server: HomeportProcess) throws {
        port = server.port
        client = try RawClient(port: server.port)
        clientID = try Self.names(of: server)["clientId"] ?? ""
    }

    /// What the pool is called.
    static func names(of server: HomeportProcess) throws -> [String: String] {
        let data = try Data(contentsOf: URL(fileURLWithPath: server.folder.path + "/.homeport/sign-in.json"))
        return try JSONSerialization.jsonObject(with: data) as? [String: String] ?? [:]
    }

    /// The members of the answer to a call; the client's name is sent with it.
    @discardableResult
    func call(_ operation: String, _ members: [String: Any]) throws -> [String: Any] {
        var members = members
        members["ClientId"] = clientID
        let body = String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
        let lines = [
            "Host: 127.0.0.1:\(port)", "Content-Type: application/x-amz-json-1.1",
            "X-Amz-Target: AWSCognitoIdentityProviderService.\(operation)", "Content-Length: \(body.utf8.count)",
        ]
        try client.send("POST / HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + body)
        let answer = try client.readAnswer().body
        guard !answer.isEmpty else { return [:] }
        let content = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any] ?? [:]
        if let type = content["__type"] as? String {
            throw Refusal(type: type, message: content["message"] as? String ?? "")
        }
        return content
    }

    /// The tokens of a sign-in by password.
    func signIn(_ name: String, _ password: String) throws -> [String: Any] {
        let answer = try call(
            "InitiateAuth",
            [
                "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": ["USERNAME": name, "PASSWORD": password],
            ])
        return answer["AuthenticationResult"] as? [String: Any] ?? [:]
    }
}

extension HomeportProcess {
    /// The code that the log tells of for somebody.
    func code(for name: String, kind: String = "confirm") -> String? {
        let start = "\(kind) for \(name): "
        guard logs(start) else { return nil }
        let log = log
        guard let range = log.range(of: start) else { return nil }
        return String(log[range.upperBound...].prefix(6))
    }
}
