import Foundation
import JSON
import TestSupport
import Testing

/// New users who confirm by following a link in a mail, as with `verificationEmailStyle: 'LINK'`.
@Suite("Links that confirm new users")
struct ConfirmationLinkTests {
    private static let password = "Passw0rd!"

    private static func server(_ email: String, environment: [String: String] = [:]) throws -> HomeportProcess {
        let folder = TemporaryFolder()
        try folder.write(
            """
            import { defineAuth } from '@aws-amplify/backend';
            export const auth = defineAuth({ loginWith: { email: \(email) } });
            """, to: "amplify/auth/resource.ts")
        try folder.write(
            """
            import { a, defineData } from '@aws-amplify/backend';
            const schema = a.schema({ Todo: a.model({ t: a.string() }).authorization((allow) => [allow.owner()]) });
            export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'userPool' } });
            """, to: "amplify/data/resource.ts")
        try folder.write(
            """
            import { defineBackend } from '@aws-amplify/backend';
            import { auth } from './auth/resource';
            import { data } from './data/resource';
            const backend = defineBackend({ auth, data });
            backend.auth.resources.cfnResources.cfnUserPoolClient.explicitAuthFlows = [
              'ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];
            """, to: "amplify/backend.ts")
        return try TestControlClient.server(schema: nil, environment: environment, in: folder)
    }

    /// The newest mail, and the path of the link in it.
    private static func mail(of server: HomeportProcess) throws -> (message: [String: Any], path: String) {
        let messages = try TestControlClient(server).call("GET", "outbox").list("messages")
        let message = try #require(messages.last)
        let text = message["text"] as? String ?? ""
        let start = try #require(text.range(of: "http://127.0.0.1:\(server.port)"), "\(text)")
        return (message, String(text[start.upperBound...].prefix { !$0.isWhitespace }))
    }

    private static func request(
        _ method: String, _ path: String, of server: HomeportProcess
    ) throws -> (head: String, body: String) {
        let client = try RawClient(port: server.port)
        try client.send("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n")
        let text = try client.readToEnd()
        let parts = text.components(separatedBy: "\r\n\r\n")
        return (parts[0], parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    private static func signUp(_ email: String, _ client: PoolClient) throws {
        try client.call(
            "SignUp",
            [
                "Username": email, "Password": password, "UserAttributes": [["Name": "email", "Value": email]],
            ])
    }

    private static func isConfirmed(_ email: String, _ client: PoolClient) throws -> Bool {
        do {
            return try client.signIn(email, password)["IdToken"] != nil
        } catch let refusal as PoolClient.Refusal {
            #expect(refusal.type == "UserNotConfirmedException")
            return false
        }
    }

    @Test("whoever follows the link is confirmed, once, and nothing that only looks at it confirms anybody")
    func follows() throws {
        let server = try Self.server("{ verificationEmailStyle: 'LINK' }")
        let client = try PoolClient(server)
        try Self.signUp("ann@example.com", client)
        let (message, path) = try Self.mail(of: server)
        #expect(message["subject"] as? String == "Your verification link")
        #expect(path.hasPrefix("/confirmUser?client_id=\(client.clientID)&user_name="))
        let html = message["html"] as? String ?? ""
        #expect(html.contains(">Verify Email</a>") && html.contains("&amp;confirmation_code="), "\(html)")
        #expect(try Self.request("HEAD", path, of: server).head.hasPrefix("HTTP/1.1 405 "))
        #expect(try Self.request("POST", path, of: server).head.hasPrefix("HTTP/1.1 405 "))
        for wrong in [path + "0", path.replacing("confirmation_code=", with: "confirmation_code=0"), "/confirmUser"] {
            #expect(try Self.request("GET", wrong, of: server).head.hasPrefix("HTTP/1.1 400 "), "\(wrong)")
        }
        #expect(try !Self.isConfirmed("ann@example.com", client))
        let page = try Self.request("GET", path, of: server)
        #expect(page.head.hasPrefix("HTTP/1.1 200 ") && page.body.contains("Your registration has been confirmed!"))
        #expect(try Self.isConfirmed("ann@example.com", client))
        #expect(try Self.request("GET", path, of: server).head.hasPrefix("HTTP/1.1 40"))
    }

    @Test(
        "the project's own words are around the link, a mail that is sent again has a new one, and a code is good too")
    func words() throws {
        let server = try Self.server(
            """
            { verificationEmailStyle: 'LINK', verificationEmailSubject: 'Welcome',
              verificationEmailBody: (createLink) => `<p>Dear <b>you</b>, please ${createLink('come in')}.</p>` }
            """)
        let client = try PoolClient(server)
        try Self.signUp("bob@example.com", client)
        let first = try Self.mail(of: server)
        #expect(first.message["subject"] as? String == "Welcome")
        let html = first.message["html"] as? String ?? ""
        #expect(html.hasPrefix("<p>Dear <b>you</b>, please <a href=\"http://") && html.hasSuffix(">come in</a>.</p>"))
        try client.call("ResendConfirmationCode", ["Username": "bob@example.com"])
        let second = try Self.mail(of: server)
        #expect(second.path != first.path)
        #expect(try Self.request("GET", first.path, of: server).head.hasPrefix("HTTP/1.1 400 "))
        try client.call(
            "ConfirmSignUp",
            ["Username": "bob@example.com", "ConfirmationCode": second.message["code"] as? String ?? ""])
        #expect(try Self.isConfirmed("bob@example.com", client))
    }
}
