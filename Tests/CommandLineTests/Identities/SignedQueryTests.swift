import Foundation
import JSON
import Network
import TestSupport
import Testing

/// A function that answers what it is told of the caller.
private struct WhoFunction: HTTPApplication {
    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        .collect(bodyMax: 1 << 20) { request in
            guard case .bytes(let body) = request.body,
                let identity = (try? JSONReader.value(of: body))?["identity"]
            else { return HTTPResponse(status: .badRequest) }
            let names = [
                "accountId", "userArn", "username", "cognitoIdentityPoolId", "cognitoIdentityId",
                "cognitoIdentityAuthType", "cognitoIdentityAuthProvider",
            ]
            let text = names.map { identity[$0]?.string ?? "-" }.joined(separator: " ")
            return HTTPResponse(body: .bytes(JSONWriter.bytes(of: .string(text))))
        }
    }
}

/// Keys of the identity pool, and what an API makes of queries that are signed with them.
@Suite("Queries that are signed with keys of the identity pool")
struct SignedQueryTests {
    private static let schema = """
        type Open @model @auth(rules: [{ allow: public, provider: iam }]) { id: ID! }
        type Mine @model @auth(rules: [{ allow: private, provider: iam }]) { id: ID! }
        type Pooled @model @auth(rules: [{ allow: private, provider: identityPool }]) { id: ID! }
        type Users @model @auth(rules: [{ allow: owner }]) { id: ID! }
        type Query {
          who: String @function(name: "who")
            @auth(rules: [{ allow: public, provider: iam }, { allow: private, provider: iam }])
        }
        """

    private static func environment(_ function: String) -> [String: String] {
        IdentityClient.environment.merging([
            "HOMEPORT_AUTH_DEFAULT": "AMAZON_COGNITO_USER_POOLS", "HOMEPORT_AUTH_ADDITIONAL": #"["AWS_IAM"]"#,
            "HOMEPORT_FUNCTIONS": #"{"who":{"url":"\#(function)"}}"#,
        ]) { $1 }
    }

    @Test("guests and users have what the rules for the identity pool give them, over a new start too")
    func rules() async throws {
        let function = try await LoopbackServer(WhoFunction())
        let environment = Self.environment("http://127.0.0.1:\(function.port)/")
        let folder = TemporaryFolder()
        let guest: IdentityClient.Keys
        let user: IdentityClient.Keys
        do {
            let server = try HomeportProcess(environment: environment, schema: Self.schema, in: folder)
            let client = IdentityClient(server: server)
            guest = try client.keys()
            user = try client.keys(idToken: client.idToken(of: "ann"))
            try Self.check(client, guest, user)
            server.signal(SIGTERM)
            _ = server.exitStatus()
        }
        let again = try HomeportProcess(environment: environment, schema: Self.schema, in: folder)
        try Self.check(IdentityClient(server: again), guest, user)
        try Self.checkForgeries(IdentityClient(server: again), guest, user)
        await function.stop()
    }

    private static func check(
        _ client: IdentityClient, _ guest: IdentityClient.Keys, _ user: IdentityClient.Keys
    ) throws {
        let denied = "Permission denied"
        let closed = "Not Authorized to access listOpens on type Query"
        let rows: [(query: String, guest: String, user: String)] = [
            // A public rule is for the role of guests alone, as Amplify's resolvers compare it.
            ("listOpens", #"{"data":{"listOpens":{"items":[]}}}"#, closed),
            ("listMines", denied, #"{"data":{"listMines":{"items":[]}}}"#),
            ("listPooleds", denied, #"{"data":{"listPooleds":{"items":[]}}}"#),
            ("listUsers", denied, denied),
        ]
        for row in rows {
            for (keys, says) in [(guest, row.guest), (user, row.user)] {
                let answer = try client.answer(to: "{ \(row.query) { items { id } } }", signedWith: keys)
                let isRefusal = says == denied || says == closed
                #expect(isRefusal ? answer.body.contains(says) : answer.body == says, "\(row.query): \(answer.body)")
                #expect(answer.head.status == (says == denied ? 401 : 200), "\(row.query)")
            }
        }
        let arn = "123456789012 arn:aws:sts::123456789012:assumed-role"
        for (keys, told) in [
            (guest, ["\(arn)/unauthRole/CognitoIdentityCredentials ", " unauthenticated -"]),
            (user, ["\(arn)/authRole/CognitoIdentityCredentials ", " authenticated \\\"\(IdentityClient.provider)"]),
        ] {
            let answer = try client.answer(to: "{ who }", signedWith: keys).body
            for text in told + [":CognitoIdentityCredentials \(IdentityClient.identityPoolID) \(keys.identity) "] {
                #expect(answer.contains(text), "\(answer)")
            }
        }
    }

    private static func checkForgeries(
        _ client: IdentityClient, _ guest: IdentityClient.Keys, _ user: IdentityClient.Keys
    ) throws {
        let rows: [(name: String, keys: IdentityClient.Keys, type: String)] = [
            ("no session token", with(user) { $0.sessionToken = nil }, "UnrecognizedClientException"),
            (
                "another's session token", with(user) { $0.sessionToken = guest.sessionToken },
                "UnrecognizedClientException"
            ),
            (
                "a changed session token",
                with(user) { $0.sessionToken = otherLetter(in: $0.sessionToken ?? "") },
                "UnrecognizedClientException"
            ),
            ("another's secret", with(user) { $0.secret = guest.secret }, "InvalidSignatureException"),
        ]
        for row in rows {
            let answer = try client.answer(to: "{ listMines { items { id } } }", signedWith: row.keys)
            #expect(answer.head.status == 403, "\(row.name)")
            #expect(answer.head.fields["x-amzn-errortype"] == row.type, "\(row.name)")
            #expect(!answer.body.contains("items"), "\(row.name)")
        }
    }

    /// The text with another letter in its middle: not every token has a certain letter.
    private static func otherLetter(in text: String) -> String {
        let half = text.prefix(text.count / 2)
        let letter = text.dropFirst(half.count).first
        return half + (letter == "A" ? "B" : "A") + text.dropFirst(half.count + 1)
    }

    private static func with(
        _ keys: IdentityClient.Keys, _ change: (inout IdentityClient.Keys) -> Void
    ) -> IdentityClient.Keys {
        var keys = keys
        change(&keys)
        return keys
    }

    @Test("STS answers forms and queries in XML, and gives keys that queries can be signed with")
    func securityTokens() throws {
        let server = try HomeportProcess(
            environment: Self.environment("http://127.0.0.1:9/"), schema: Self.schema)
        let client = IdentityClient(server: server)
        let identity = try client.call(
            "GetId", ["IdentityPoolId": .string(IdentityClient.identityPoolID)]
        ).members["IdentityId"]
        let token = try #require(
            try client.call("GetOpenIdToken", ["IdentityId": identity ?? .null]).members["Token"]?.string)
        let form =
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleSessionName=app&WebIdentityToken=\(token)"
            + "&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2F"
        let formType = "Content-Type: application/x-www-form-urlencoded; charset=utf-8"
        let answers = [
            try client.send("POST /", [formType], form + "unauthRole"),
            try client.send("GET /?\(form)unauthRole", []),
        ]
        for answer in answers {
            #expect(answer.head.status == 200, "\(answer.body)")
            #expect(answer.head.fields["content-type"] == "text/xml")
            #expect(answer.head.fields["access-control-allow-origin"] == "*")
            func text(_ name: String) throws -> String {
                let end = try #require(answer.body.components(separatedBy: "<\(name)>").dropFirst().first)
                return try #require(end.components(separatedBy: "</\(name)>").first)
            }
            #expect(try text("SubjectFromWebIdentityToken") == identity?.string)
            #expect(try text("RequestId") == answer.head.fields["x-amzn-requestid"])
            let keys = IdentityClient.Keys(
                identity: "", accessKeyID: try text("AccessKeyId"), secret: try text("SecretAccessKey"),
                sessionToken: try text("SessionToken"))
            let listed = try client.answer(to: "{ listOpens { items { id } } }", signedWith: keys)
            #expect(listed.body == #"{"data":{"listOpens":{"items":[]}}}"#)
        }
        let denied = try client.send("POST /", [formType], form + "authRole")
        #expect(denied.head.status == 403)
        #expect(denied.body.contains("<Type>Sender</Type><Code>AccessDenied</Code>"))
        let wrong = try client.send("POST /", [formType], "Action=AssumeRoleWithWebIdentity")
        #expect(wrong.head.status == 400 && wrong.body.contains("<Code>ValidationError</Code>"))
        let unsigned = try client.send("POST /", [formType], "Action=GetCallerIdentity")
        #expect(unsigned.head.status == 403 && unsigned.body.contains("<Code>MissingAuthenticationToken</Code>"))
        let other = try client.send("POST /", [formType], "Action=GetSessionToken")
        #expect(other.head.status == 404)
    }
}
