import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// `homeport users keys rotate`, beside a server that runs.
@Suite("Another key of tokens")
struct KeyRotationTests {
    private static let environment = ["HOMEPORT_AUTH_ADDITIONAL": #"["AMAZON_COGNITO_USER_POOLS"]"#]
    private static let schema =
        "type Todo @model @auth(rules: [{ allow: public }, { allow: private }]) { id: ID! name: String! }"

    private func keyID(of token: String) throws -> String {
        var head = String(token.split(separator: ".")[0]).replacing("-", with: "+").replacing("_", with: "/")
        while head.utf8.count % 4 != 0 { head += "=" }
        let data = try #require(Data(base64Encoded: head))
        return try #require((try JSONSerialization.jsonObject(with: data) as? [String: Any])?["kid"] as? String)
    }

    private func publishedKeys(of server: HomeportProcess) throws -> [String] {
        let pool = try PoolClient.names(of: server)["userPoolId"] ?? ""
        let client = try RawClient(port: server.port)
        try client.send("GET /\(pool)/.well-known/jwks.json HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        let body = try client.readAnswer().body
        let set = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        return (set?["keys"] as? [[String: Any]] ?? []).compactMap { $0["kid"] as? String }
    }

    private func query(_ token: String, _ server: HomeportProcess) throws -> Int {
        let body = #"{"query":"{ __typename }"}"#
        let client = try RawClient(port: server.port)
        try client.send(
            "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: \(token)\r\nContent-Length: \(body.utf8.count)"
                + "\r\n\r\n\(body)")
        return try AnswerHead(client.readAnswer().head).status
    }

    @Test("signs what comes, while tokens of the one before are good, also over a new start")
    func rotation() throws {
        let folder = TemporaryFolder()
        var server = try HomeportProcess(environment: Self.environment, schema: Self.schema, in: folder)
        let password = "Str0ng!Passw0rd"
        #expect(
            try ProgramRun.outcome(["users", "add", "ann", "--password", password], in: folder).code == .success)
        let before = try #require(try PoolClient(server).signIn("ann", password)["AccessToken"] as? String)
        let old = try keyID(of: before)
        #expect(try publishedKeys(of: server) == [old])

        let outcome = try ProgramRun.outcome(["users", "keys", "rotate"], in: folder)
        #expect(outcome.code == .success, "\(outcome)")
        #expect(outcome.output.contains("\(old)  published until "))
        let after = try #require(try PoolClient(server).signIn("ann", password)["AccessToken"] as? String)
        let new = try keyID(of: after)
        #expect(new != old && outcome.output.hasPrefix("\(new)  signs\n"))
        for isNewStart in [false, true] {
            if isNewStart {
                server.signal(SIGTERM)
                #expect(server.exitStatus() == 0)
                server = try HomeportProcess(environment: Self.environment, schema: Self.schema, in: folder)
            }
            #expect(try publishedKeys(of: server) == [new, old])
            for token in [before, after] {
                #expect(try query(token, server) == 200)
                // The address in the token is that of the first start: such a token is the pool's all the same.
                #expect(
                    try PoolClient(server).call("GetUser", ["AccessToken": token])["Username"] as? String == "ann")
            }
        }
        for file in ["issuer-key.pem", "issuer-keys.json", "issuer-former-keys.json"] {
            #expect(folder.mode(of: ".homeport/\(file)") == 0o600, "\(file)")
        }
        let listed = try ProgramRun.outcome(["users", "keys"], in: folder)
        #expect(listed.output == outcome.output)
    }
}
