import Foundation
import JSON
import TestSupport
import Testing

/// What apps must see of Cognito's two services: every answer is JSON that names its error, and pages may read it.
///
/// Amplify's JavaScript reads each answer as JSON before it looks at the status, so that anything else is a SyntaxError; a browser hides
/// an answer without `access-control-allow-origin`, and refuses to call where a preflight is refused or leaves a header out.
@Suite("Refusals of the sign-in services")
struct ServiceRefusalTests {
    private static let target = "X-Amz-Target: AWSCognitoIdentityProviderService.InitiateAuth"
    private static let origin = "Origin: http://app.example"

    struct Row: Sendable {
        let name: String
        var line = "POST /"
        var fields = [ServiceRefusalTests.target]
        var host = "localhost"
        var body = "{}"
        let status: Int
        let type: String
    }

    static let rows: [Row] = [
        Row(name: "no members", status: 400, type: "InvalidParameterException"),
        Row(name: "no JSON", body: "meow", status: 400, type: "SerializationException"),
        Row(name: "a list", body: "[]", status: 400, type: "SerializationException"),
        Row(
            name: "an unknown operation", fields: ["X-Amz-Target: AWSCognitoIdentityService.Nothing"], status: 400,
            type: "UnknownOperationException"),
        Row(
            name: "an operation of the other service",
            fields: ["X-Amz-Target: AWSCognitoIdentityProviderService.GetId"], status: 400,
            type: "UnknownOperationException"),
        Row(name: "another method", line: "PUT /", status: 405, type: "UnsupportedOperation"),
        Row(name: "GET", line: "GET /", body: "", status: 405, type: "UnsupportedOperation"),
        Row(name: "any path", line: "POST /some/where", status: 400, type: "InvalidParameterException"),
        Row(name: "one of the server's paths", line: "POST /health", status: 400, type: "InvalidParameterException"),
        Row(name: "a stranger's name", host: "evil.example", status: 421, type: "MisdirectedRequestException"),
        Row(
            name: "a body that is too long", body: String(repeating: " ", count: 300 << 10), status: 413,
            type: "MalformedHttpRequestException"),
        Row(
            name: "a body of an unknown coding", fields: [target, "Content-Encoding: nothing"], status: 415,
            type: "MalformedHttpRequestException"),
        Row(
            name: "a chunk that is none", fields: [target, "Transfer-Encoding: chunked"], body: "meow\r\n", status: 400,
            type: "MalformedHttpRequestException"),
        Row(
            name: "a guest where there are none",
            fields: ["X-Amz-Target: AWSCognitoIdentityService.GetId"],
            body: #"{"IdentityPoolId":"us-east-1:11111111-2222-4333-8444-555555555555"}"#, status: 400,
            type: "NotAuthorizedException"),
        Row(
            name: "an identity that nobody knows",
            fields: ["X-Amz-Target: AWSCognitoIdentityService.GetCredentialsForIdentity"],
            body: #"{"IdentityId":"us-east-1:00000000-0000-4000-8000-000000000000"}"#, status: 400,
            type: "ResourceNotFoundException"),
    ]

    private static func expectReadable(_ answer: (head: AnswerHead, body: String), _ name: String, type: String? = nil)
    {
        let content = try? JSONReader.value(of: answer.body)
        #expect(content?["__type"]?.string != nil, "\(name): \(answer.body)")
        #expect(content?["message"]?.string != nil, "\(name)")
        if let type { #expect(content?["__type"]?.string == type, "\(name)") }
        let told = answer.head.fields["x-amzn-errortype"]?.trimmingCharacters(in: CharacterSet(charactersIn: ":"))
        #expect(told == content?["__type"]?.string, "\(name)")
        #expect(answer.head.fields["access-control-allow-origin"] != nil, "\(name)")
        #expect(answer.head.fields["x-amzn-requestid"] != nil, "\(name)")
    }

    @Test("are JSON with a type and a text that pages may read, whoever refuses")
    func refusals() throws {
        let server = try HomeportProcess(
            environment: IdentityClient.environment.merging([
                "HOMEPORT_AUTH_POOL_GUESTS": "false", "HOMEPORT_AUTH_POOL_ADOPT_GUESTS": "false",
            ]) { $1 })
        let client = IdentityClient(server: server)
        for row in Self.rows {
            // A request has its length or its chunks, and one of them only.
            let answer: (head: AnswerHead, body: String)
            if row.fields.contains("Transfer-Encoding: chunked") {
                let raw = try RawClient(port: server.port)
                try raw.send(
                    "\(row.line) HTTP/1.1\r\nHost: localhost\r\n\(([Self.origin] + row.fields).map { "\($0)\r\n" }.joined())\r\n"
                        + row.body)
                let (head, body) = try raw.readAnswer()
                answer = (try AnswerHead(head), body)
            } else {
                answer = try client.send(row.line, [Self.origin] + row.fields, row.body, host: row.host)
            }
            #expect(answer.head.status == row.status, "\(row.name)")
            Self.expectReadable(answer, row.name, type: row.type)
            #expect(answer.head.fields["access-control-allow-origin"] == "http://app.example", "\(row.name)")
        }
    }

    @Test("are that too where nobody knows yet who asks, and where the pool is somebody else's")
    func guards() throws {
        let server = try HomeportProcess(environment: ["HOMEPORT_LIMITS_CONNECTIONS": "1"])
        let first = try RawClient(port: server.port)
        try first.send("GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try first.readAnswer()
        let second = try RawClient(port: server.port)
        let (head, body) = try second.readAnswer()
        #expect(try AnswerHead(head).status == 503)
        Self.expectReadable(
            (try AnswerHead(head), body), "a connection too many", type: "ServiceUnavailableException")

        let elsewhere = try HomeportProcess(environment: [
            "HOMEPORT_AUTH_USER_POOLS_ISSUER": "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_abcDEF123"
        ])
        let client = IdentityClient(server: elsewhere)
        Self.expectReadable(
            try client.send("POST /", [Self.target], "{}"), "another pool", type: "ResourceNotFoundException")
        for line in ["GARBAGE", "GET /\u{1}"] {
            Self.expectReadable(try client.send(line, [Self.target]), line)
        }
    }

    @Test("preflights are answered before anything else is looked at")
    func preflights() throws {
        let server = try HomeportProcess(environment: IdentityClient.environment)
        let client = IdentityClient(server: server)
        // What browsers ask for before each call.
        let asked = "amz-sdk-invocation-id,amz-sdk-request,cache-control,content-type,x-amz-target,x-amz-user-agent"
        for path in [
            "/", "/some/where", "/oauth2/token", "/graphql", "/health", "/us-east-1_abcDEF123/.well-known/x",
        ] {
            for host in ["localhost", "evil.example"] {
                let answer = try client.send(
                    "OPTIONS \(path)",
                    [
                        Self.origin, "Access-Control-Request-Method: POST",
                        "Access-Control-Request-Headers: \(asked)",
                    ], host: host)
                #expect(answer.head.status == 200 && answer.body.isEmpty, "\(path)")
                let fields = answer.head.fields
                #expect(fields["access-control-allow-headers"] == asked, "\(path)")
                #expect(fields["access-control-allow-origin"] == "http://app.example", "\(path)")
                #expect(fields["access-control-allow-methods"]?.contains("POST") == true, "\(path)")
                #expect(fields["x-amzn-requestid"] != nil, "\(path)")
            }
        }
    }

    @Test("a name that is none of the server's never comes into an issuer")
    func misdirected() throws {
        let path = "GET /\(IdentityClient.userPoolID)/.well-known/openid-configuration"
        func issuer(_ server: HomeportProcess, _ fields: [String], host: String = "localhost") throws -> String {
            let answer = try IdentityClient(server: server).send(path, fields, host: host)
            guard answer.head.status == 200 else { return "\(answer.head.status)" }
            return try JSONReader.value(of: answer.body)["issuer"]?.string ?? ""
        }
        let told = [
            "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Host: evil.example, app.localhost",
            "X-Forwarded-Proto: http, https",
        ]
        let plain = try HomeportProcess(environment: IdentityClient.environment)
        let pool = IdentityClient.userPoolID
        #expect(try issuer(plain, []) == "http://localhost/\(pool)")
        #expect(try issuer(plain, [], host: "evil.example") == "421")
        #expect(try issuer(plain, told) == "http://localhost/\(pool)")
        let behind = try HomeportProcess(
            environment: IdentityClient.environment.merging(["HOMEPORT_PROXIES": #"["127.0.0.0/8"]"#]) { $1 })
        #expect(try issuer(behind, told) == "https://app.localhost/\(pool)")
        #expect(try issuer(behind, []) == "http://localhost/\(pool)")
        #expect(try issuer(behind, ["X-Forwarded-Host: evil.example"]) == "421")
        #expect(try issuer(behind, ["X-Forwarded-Proto: gopher"]) == "http://localhost/\(pool)")
        let refused = try IdentityClient(server: behind).send(
            "POST /", [Self.target, "X-Forwarded-Host: evil.example"], "{}")
        #expect(refused.head.status == 421)
        Self.expectReadable(refused, "a name that a proxy tells", type: "MisdirectedRequestException")
    }
}
