import Foundation
import TestSupport
import Testing

/// The access keys of Amplify's local mock, over real sockets.
@Suite("Access keys of Amplify's mock")
struct MockCredentialTests {
    private static let schema = """
        type Note @model @auth(rules: [{ allow: public, provider: identityPool }]) { id: ID! }
        type Page @model @auth(rules: [{ allow: private, provider: identityPool }]) { id: ID! }
        """
    private static let signedIn = SigningIdentity(accessKeyID: "ASIAVJKIAM-AuthRole", secret: "fake")
    private static let guest = SigningIdentity(accessKeyID: "ASIAVJKI-UnAuthRole", secret: "fake")

    private static func answer(
        _ server: HomeportProcess, to query: String, signedBy signer: SigningIdentity,
        _ more: [(name: String, value: String)] = []
    ) throws -> String {
        let body = "{\"query\":\"\(query)\"}"
        let request = SigningIdentity.Request(
            host: "localhost:\(server.port)", path: "/graphql", fields: more, body: Array(body.utf8))
        let fields = signer.signedFields(of: request)
        let client = try RawClient(port: server.port)
        let lines =
            ["Host: \(request.host)", "Content-Length: \(body.utf8.count)"]
            + fields.filter { $0.name.lowercased() != "host" }.map { "\($0.name): \($0.value)" }
        try client.send("POST /graphql HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + body)
        let answer = try client.readAnswer()
        return "\(answer.head.split(separator: " ").dropFirst().first ?? "") \(answer.body)"
    }

    @Test("sign for a guest and for somebody signed in, from this machine")
    func areAccepted() throws {
        let server = try HomeportProcess(environment: ["HOMEPORT_AUTH_DEFAULT": "AWS_IAM"], schema: Self.schema)
        let notes = "{ listNotes { items { id } } }"
        let pages = "{ listPages { items { id } } }"
        #expect(try Self.answer(server, to: notes, signedBy: Self.guest).contains(#""items":[]"#))
        #expect(try Self.answer(server, to: pages, signedBy: Self.signedIn).contains(#""items":[]"#))
        #expect(try Self.answer(server, to: pages, signedBy: Self.guest).hasPrefix("401 "))
        // The client's own session token is nobody's.
        let session = [(name: "x-amz-security-token", value: "fake")]
        #expect(try Self.answer(server, to: pages, signedBy: Self.signedIn, session).contains(#""items":[]"#))
        // Through a proxy they are nobody's, and the secret counts.
        let proxied = [(name: "x-forwarded-for", value: "192.0.2.1")]
        #expect(try Self.answer(server, to: notes, signedBy: Self.guest, proxied).hasPrefix("403 "))
        let other = SigningIdentity(accessKeyID: "ASIAVJKIAM-AuthRole", secret: "other")
        #expect(try Self.answer(server, to: pages, signedBy: other).hasPrefix("403 "))
    }

    @Test("are nobody's where there are keys of one's own, or others can reach the server")
    func areRefused() throws {
        let own = #"[{"accessKeyId": "AK", "secretAccessKey": "S", "role": "auth"}]"#
        for more in [["HOMEPORT_AUTH_IAM_CREDENTIALS": own], ["HOMEPORT_ALLOWED_HOSTS": "api.test"]] {
            let server = try HomeportProcess(
                environment: ["HOMEPORT_AUTH_DEFAULT": "AWS_IAM"].merging(more) { $1 }, schema: Self.schema)
            let answer = try Self.answer(server, to: "{ listPages { items { id } } }", signedBy: Self.signedIn)
            #expect(answer.hasPrefix("403 "), "\(answer)")
        }
    }
}
