import Crypto
import Foundation
import JSON
import TestSupport
import Testing

/// Functions that are called over HTTP: paths of REST APIs, and URLs of their own.
@Suite("Functions over HTTP")
struct GatewayTests {
    private static func configuration(_ url: String) -> String {
        """
        {"functions": {
          "items": {"url": "\(url)", "httpURL": "NONE", "rest": [
            {"api": "shop", "path": "/items"}, {"api": "shop", "path": "/items/special"}, {"api": "shop", "path": "/a/{id}/b"},
            {"api": "shop", "path": "/private", "allow": {"auth": ["read"], "Editors": ["create"]}},
            {"api": "shop", "path": "/mine", "users": []}, {"api": "shop", "path": "/scoped", "users": ["shop/write"]},
            {"api": "http", "path": "/{id}/mine", "users": [], "exact": true, "event": "2.0", "methods": ["GET"]}]},
          "closed": {"url": "\(url)", "httpURL": "AWS_IAM"}}}
        """
    }

    private static func with(
        _ answer: @escaping @Sendable (JSONValue) -> JSONValue,
        _ body: @escaping @Sendable (HomeportProcess) throws -> Void
    ) async throws {
        try await HTTPFunction(answer).run { url in
            try await BlockingThread.run {
                let folder = TemporaryFolder()
                try folder.write(configuration(url), to: "homeport.json")
                try body(try HomeportProcess(["--config", "homeport.json"], in: folder))
            }
        }
    }

    private static func echo(_ event: JSONValue) -> JSONValue {
        ["statusCode": 200, "body": .string(JSONWriter.text(of: event))]
    }

    private static func send(
        _ line: String, _ fields: [String] = [], body: [UInt8] = [], to server: HomeportProcess
    ) throws -> (head: String, body: String) {
        let client = try RawClient(port: server.port)
        let lines = [line + " HTTP/1.1", "Host: 127.0.0.1:\(server.port)"] + fields
        try client.send(lines.map { $0 + "\r\n" }.joined() + "Content-Length: \(body.count)\r\n\r\n")
        if !body.isEmpty { try client.send(body) }
        return try client.readAnswer()
    }

    @Test("a path of a REST API is told as API Gateway tells it")
    func rest() async throws {
        try await Self.with(Self.echo) { server in
            let answer = try Self.send(
                "POST /rest/shop/items/7?a=1&a=2&b=%C3%BC", ["X-Two: 1", "X-Two: 2", "Content-Type: text/plain"],
                body: Array("hällo".utf8), to: server)
            let event = try JSONReader.value(of: answer.body)
            #expect(
                event["resource"] == "/items/{proxy+}" && event["path"] == "/items/7" && event["httpMethod"] == "POST")
            #expect(event["pathParameters"] == ["proxy": "7"] && event["stageVariables"] == .null)
            #expect(event["queryStringParameters"] == ["a": "2", "b": "ü"])
            #expect(event["multiValueQueryStringParameters"] == ["a": ["1", "2"], "b": ["ü"]])
            #expect(event["multiValueHeaders"]?["x-two"] == ["1", "2"] && event["headers"]?["x-two"] == "2")
            #expect(
                event["headers"]?["Host"]?.string == "127.0.0.1:\(server.port)"
                    && event["headers"]?["X-Forwarded-Proto"] == "http")
            #expect(event["body"] == "hällo" && event["isBase64Encoded"] == false)
            #expect(event["requestContext"]?["identity"]?["sourceIp"] == "127.0.0.1")
            let bare = try JSONReader.value(of: try Self.send("GET /rest/shop/a/x%2Fy/b", to: server).body)
            #expect(bare["pathParameters"] == ["id": "x/y"] && bare["path"] == "/a/x/y/b")
            #expect(bare["resource"] == "/a/{id}/b" && bare["queryStringParameters"] == .null && bare["body"] == .null)
            let special = try JSONReader.value(of: try Self.send("GET /rest/shop/items/special", to: server).body)
            #expect(special["resource"] == "/items/special")
            let binary = try JSONReader.value(
                of: try Self.send("POST /rest/shop/items", body: [0, 255], to: server).body)
            #expect(binary["body"] == "AP8=" && binary["isBase64Encoded"] == true)
            #expect(try Self.send("GET /rest/shop/nothing", to: server).head.hasPrefix("HTTP/1.1 403 "))
            #expect(try Self.send("GET /rest/other/items", to: server).head.hasPrefix("HTTP/1.1 404 "))
            let preflight = try Self.send("OPTIONS /rest/shop/items", ["Origin: http://a.test"], to: server)
            #expect(
                preflight.head.hasPrefix("HTTP/1.1 200 ") && preflight.head.contains("access-control-allow-origin: *"))
        }
    }

    @Test("a function's own URL is told in the newer form, and answers OPTIONS itself")
    func ownURL() async throws {
        try await Self.with(Self.echo) { server in
            let answer = try Self.send(
                "GET /url/items/p/q?a=1&a=2", ["Cookie: x=1; y=2", "X-Two: 1", "X-Two: 2"], to: server)
            let event = try JSONReader.value(of: answer.body)
            #expect(event["version"] == "2.0" && event["rawPath"] == "/p/q" && event["rawQueryString"] == "a=1&a=2")
            #expect(event["cookies"] == ["x=1", "y=2"] && event["headers"]?["x-two"] == "1,2")
            #expect(event["queryStringParameters"] == ["a": "1,2"] && event["body"] == nil)
            #expect(event["requestContext"]?["http"]?["method"] == "GET")
            let options = try JSONReader.value(of: try Self.send("OPTIONS /url/items", to: server).body)
            #expect(options["requestContext"]?["http"]?["method"] == "OPTIONS" && options["rawPath"] == "/")
            #expect(try Self.send("GET /url/closed", to: server).head.hasPrefix("HTTP/1.1 403 "))
            #expect(try Self.send("GET /url/nobody", to: server).head.hasPrefix("HTTP/1.1 404 "))
        }
    }

    /// What a function answers with, and what the client gets: at a path of an API, and at the function's URL.
    private static let answers: [(result: JSONValue, rest: Int, url: Int)] = [
        (["statusCode": 204], 204, 204), (["statusCode": "201", "body": "x"], 201, 201), ("text", 502, 200),
        (["a": 1], 502, 200), (["statusCode": 99], 502, 502), (["statusCode": 700], 502, 502),
        (["body": "x"], 502, 200),
        (["statusCode": 200, "body": ["a": 1]], 502, 502), (["statusCode": 200, "headers": ["a b": "c"]], 502, 502),
        (["statusCode": 200, "headers": ["a": "b\r\nc: d"]], 502, 502),
        (["statusCode": 200, "body": "!", "isBase64Encoded": true], 502, 502),
    ]

    @Test("what a function says is what the client gets, and what is no answer is a failure of the gateway's")
    func results() async throws {
        let answers = Self.answers
        try await Self.with({ event in
            let path = event["rawPath"]?.string ?? event["path"]?.string ?? ""
            guard let number = Int(path.split(separator: "/").last ?? ""), answers.indices.contains(number) else {
                return [
                    "statusCode": 200, "isBase64Encoded": true, "body": "AP8=",
                    "headers": ["Content-Type": "image/png", "X-A": 1, "Connection": "close", "Content-Length": "77"],
                    "multiValueHeaders": ["Set-Cookie": ["a=1", "b=2"]],
                ]
            }
            return answers[number].result
        }) { server in
            for (number, row) in answers.enumerated() {
                let rest = try Self.send("GET /rest/shop/items/\(number)", to: server).head
                #expect(rest.hasPrefix("HTTP/1.1 \(row.rest) "), "\(row.result): \(rest)")
                let url = try Self.send("GET /url/items/\(number)", to: server).head
                #expect(url.hasPrefix("HTTP/1.1 \(row.url) "), "\(row.result): \(url)")
            }
            let client = try RawClient(port: server.port)
            try client.send("GET /rest/shop/items HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
            let head = try client.read(through: "\r\n\r\n").lowercased()
            #expect(
                head.contains("content-type: image/png") && head.contains("x-a: 1")
                    && head.contains("content-length: 2\r\n"))
            #expect(
                head.contains("set-cookie: a=1") && head.contains("set-cookie: b=2")
                    && !head.contains("connection: close"))
        }
    }

    @Test("no function is told of the server's own cookies, and none can set one")
    func ownCookies() async throws {
        let set = [
            "homeport-operator-0a=x; Path=/_homeport", "HOMEPORT-SIGN-IN=x", "__Host-homeport=x; Secure; Path=/",
            "=homeport-operator-0a=x", " homeport =x", "homeport-operator-0a", "app=1; Path=/", "homeports=2",
        ]
        try await Self.with({ event in
            var answer = JSONObject([("statusCode", 200), ("body", .string(JSONWriter.text(of: event)))])
            answer["cookies"] = .array(set.map(JSONValue.string))
            answer["multiValueHeaders"] = ["Set-Cookie": .array(set.map(JSONValue.string))]
            answer["headers"] = ["Clear-Site-Data": "\"cookies\""]
            return .object(answer)
        }) { server in
            let sent = [
                "Cookie: x=1; homeport-operator-0123abcd=secret; y=2", "Cookie: homeport-sign-in=secret",
                "Cookie: __Host-homeport=secret;z=3;__Secure-homeport-a=secret; homeport=secret",
            ]
            for path in ["/url/items/a", "/rest/shop/items/a"] {
                let answer = try Self.send("GET \(path)", sent, to: server)
                #expect(!answer.body.contains("secret"), "\(answer.body)")
                let event = try JSONReader.value(of: answer.body)
                if event["version"] == "2.0" {
                    #expect(event["cookies"] == ["x=1", "y=2", "z=3"], "\(event)")
                } else {
                    #expect(event["multiValueHeaders"]?["cookie"] == ["x=1; y=2", "z=3"], "\(event)")
                    #expect(event["headers"]?["cookie"] == "z=3", "\(event)")
                }
                let lines = answer.head.lowercased().components(separatedBy: "\r\n").filter {
                    $0.hasPrefix("set-cookie:")
                }
                #expect(
                    lines.allSatisfy { $0 == "set-cookie: app=1; path=/" || $0 == "set-cookie: homeports=2" },
                    "\(lines)")
                #expect(lines.count == 4 && !answer.head.lowercased().contains("clear-site-data"), "\(answer.head)")
            }
        }
    }

    /// Header fields of answers, and whether browsers keep such a page in a sandbox that the server adds.
    private static let pages: [(fields: JSONValue, isSandboxed: Bool)] = [
        (["Content-Type": "text/html"], true), (["content-type": "TEXT/HTML; charset=utf-8"], true),
        (["content-type": "image/svg+xml"], true), (["content-type": "application/xhtml+xml"], true),
        (["content-type": "text/xml"], true), (["content-type": "anything"], true), (["content-type": ""], true),
        (["content-type": "image/png,text/html"], true), (["content-type": "application/json, text/html"], true),
        (["content-type": "application/json"], false), (["content-type": "image/png"], false),
        (["content-type": "application/pdf"], false), (["content-type": "text/plain; charset=utf-8"], false),
        ([:], false),
        (["content-type": "text/html", "content-security-policy": "default-src 'self'"], true),
        (["content-type": "text/html", "content-security-policy": "default-src sandbox"], true),
        (["content-type": "text/html", "Content-Security-Policy": "default-src 'self'; Sandbox allow-scripts"], false),
        (["content-type": "text/html", "content-security-policy": "img-src *, sandbox"], false),
    ]

    @Test("pages of functions are kept apart from the server's own pages, unless the app says how")
    func sandbox() async throws {
        let pages = Self.pages
        try await Self.with({ event in
            let path = event["rawPath"]?.string ?? event["path"]?.string ?? ""
            let number = Int(path.split(separator: "/").last ?? "") ?? 0
            return ["statusCode": 200, "headers": pages[number].fields, "body": "x"]
        }) { server in
            for (number, page) in pages.enumerated() {
                for path in ["/url/items/\(number)", "/rest/shop/items/\(number)"] {
                    let head = try Self.send("GET \(path)", to: server).head
                    let policy =
                        "content-security-policy: sandbox allow-scripts allow-forms allow-popups allow-downloads\r\n"
                    #expect(head.hasPrefix("HTTP/1.1 200 "), "\(page)")
                    #expect((head + "\r\n").contains(policy) == page.isSandboxed, "\(page) \(head)")
                }
            }
        }
    }

    @Test("a path for users is called by those of the pool, and the function is told of their claims")
    func users() async throws {
        try await Self.with(Self.echo) { server in
            func token(_ arguments: String...) throws -> String {
                let outcome = try ProgramRun.outcome(["token", "--username", "ann"] + arguments, in: server.folder)
                return outcome.output.trimmingCharacters(in: .newlines)
            }
            func status(_ path: String, _ token: String?, method: String = "GET") throws -> String {
                let fields = token.map { ["Authorization: \($0)"] } ?? []
                return String(try Self.send("\(method) \(path)", fields, to: server).head.dropFirst(9).prefix(3))
            }
            let (identity, access) = (try token("--group", "Editors"), try token("--use", "access"))
            let told = try Self.send("GET /rest/shop/mine/7", ["Authorization: \(identity)"], to: server)
            let event = try JSONReader.value(of: told.body)
            let claims = event["requestContext"]?["authorizer"]?["claims"]
            #expect(claims?["cognito:username"] == "ann" && claims?["cognito:groups"] == "Editors")
            #expect(claims?["exp"]?.string != nil && event["version"] == nil)
            #expect(try status("/rest/shop/mine", nil) == "401" && status("/rest/shop/mine", access) == "401")
            #expect(try status("/rest/shop/mine", String(identity.dropLast(4)) + "AAAA") == "401")
            #expect(try status("/rest/shop/scoped", identity) == "401" && status("/rest/shop/scoped", access) == "401")
            let scoped = try token("--use", "access", "--claim", "scope=openid shop/write")
            #expect(try status("/rest/shop/scoped", scoped) == "200")

            let newer = try Self.send("GET /rest/http/7/mine?a=1", ["Authorization: Bearer \(access)"], to: server)
            let call = try JSONReader.value(of: newer.body)
            #expect(call["version"] == "2.0" && call["routeKey"] == "GET /{id}/mine" && call["rawPath"] == "/7/mine")
            #expect(call["pathParameters"] == ["id": "7"])
            #expect(call["requestContext"]?["authorizer"]?["jwt"]?["claims"]?["username"] == "ann")
            #expect(try status("/rest/http/7/mine", nil) == "401" && status("/rest/http/7/mine/8", access) == "404")
            #expect(try status("/rest/http/7/mine", access, method: "POST") == "404")
            #expect(try status("/rest/http/7/mine", nil, method: "OPTIONS") == "200")
        }
    }

    @Test("who may call a path is whom the API lets in, by the method")
    func rights() async throws {
        try await Self.with(Self.echo) { server in
            func call(_ change: (inout SignedCall) -> Void = { _ in }) throws -> (
                status: Int, head: String, body: String
            ) {
                var call = SignedCall("", "", to: server)
                (call.service, call.path, call.hasTarget) = ("execute-api", "/rest/shop/private", false)
                call.signed = ["content-type", "host", "x-amz-date"]
                change(&call)
                return try call.answer(from: server)
            }
            #expect(try call().status == 200)
            #expect(try call { $0.secret = "x" }.status == 403)
            #expect(try call { $0.service = "lambda" }.status == 403)
            #expect(try call { $0.isSigned = false }.status == 403)
            let own = try call {
                $0.path = "/url/closed"
                $0.service = "lambda"
            }
            let event = try JSONReader.value(of: own.body)
            #expect(event["requestContext"]?["authorizer"]?["iam"]?["accessKey"] == "local")
        }
    }
}
