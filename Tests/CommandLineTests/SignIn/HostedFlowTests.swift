import Foundation
import JSON
import TestSupport
import Testing

/// The pages and OAuth's doors as browsers and apps meet them: over sockets, against the program.
@Suite("Hosted pages over sockets")
struct HostedFlowTests {
    @Test("lead an app from its first address to tokens, to its user, and out again")
    func flow() throws {
        let browser = PageBrowser(try HomeportProcess(environment: PageBrowser.environment))
        try browser.signUp()
        let begun = try browser.get("/oauth2/authorize", PageBrowser.query())
        #expect(begun.status == 302 && begun.location?.hasPrefix("/login?") == true)
        let page = try browser.follow(begun)
        #expect(page.status == 200 && page.body.contains("<h1>Sign in</h1>"))
        #expect(page.fields["access-control-allow-origin"] == nil && page.fields["cache-control"] == "no-store")
        let former = browser.cookie
        let back = try browser.submit(
            "/login", [("username", "ann"), ("password", PageBrowser.password)], PageBrowser.query())
        #expect(back.status == 302 && back.location?.hasPrefix("\(PageBrowser.redirect)?code=") == true)
        #expect(back.parameter("state") == "a+b &%/é" && browser.cookie != former)

        let given = try browser.exchange(try #require(back.parameter("code")))
        #expect(given.status == 200 && given.fields["cache-control"] == "no-store")
        let access = try #require(given.json["access_token"]?.string)
        let claims = try PageBrowser.claims(given.json["id_token"])
        #expect(claims["cognito:username"] == "ann" && claims["email"] == "ann@example.com")
        func userInfo(_ token: String) throws -> PageBrowser.Answer {
            try browser.get("/oauth2/userInfo", fields: ["Authorization: Bearer \(token)"])
        }
        let info = try userInfo(access)
        #expect(info.status == 200 && info.json["sub"] == claims["sub"] && info.json["username"] == "ann")

        let refresh = try #require(given.json["refresh_token"]?.string)
        let form = [("grant_type", "refresh_token"), ("client_id", "app"), ("refresh_token", refresh)]
        let renewed = try browser.program("/oauth2/token", form)
        #expect(renewed.status == 200 && renewed.json["id_token"] != nil && renewed.json["refresh_token"] == nil)
        let inAPI = try IdentityClient(server: browser.server).call(
            "GetTokensFromRefreshToken", ["ClientId": "app", "RefreshToken": .string(refresh)])
        #expect(inAPI.members["AuthenticationResult"]?["AccessToken"] != nil)
        // The browser is known: the app gets a code at once.
        #expect(try browser.get("/oauth2/authorize", PageBrowser.query()).parameter("code") != nil)

        let revoked = try browser.program("/oauth2/revoke", [("token", refresh), ("client_id", "app")])
        #expect(revoked.status == 200)
        #expect(try browser.program("/oauth2/token", form).json["error"] == "invalid_grant")
        #expect(try userInfo(access).status == 401)
        let own = browser.cookie
        let out = try browser.get("/logout", [("client_id", "app"), ("logout_uri", PageBrowser.logout)])
        #expect(out.status == 302 && out.location == PageBrowser.logout && browser.cookie == nil)
        browser.cookie = own
        #expect(
            try browser.get("/oauth2/authorize", PageBrowser.query()).location?.hasPrefix("/login?") == true)
    }

    @Test("take no form that another page has sent")
    func foreignForms() throws {
        let browser = PageBrowser(try HomeportProcess(environment: PageBrowser.environment))
        try browser.signUp()
        _ = try browser.get("/login", PageBrowser.query())
        let form = [("username", "ann"), ("password", PageBrowser.password)]
        let token = browser.token
        let own = browser.cookie
        let origin = "Origin: \(browser.base)"
        let rows: [(name: String, token: String?, fields: [String])] = [
            ("no token", nil, [origin]), ("an empty token", "", [origin]), ("another token", "x", [origin]),
            ("a stranger's page", token, ["Origin: https://evil.example"]),
            ("a page on another port", token, ["Origin: http://localhost:1"]),
            ("a page that says nothing", token, ["Origin: null"]),
            ("another site", token, [origin, "Sec-Fetch-Site: cross-site"]),
            ("the same site only", token, [origin, "Sec-Fetch-Site: same-site"]),
            ("two origins", token, [origin, origin]),
        ]
        for row in rows {
            browser.cookie = own
            let answer = try browser.post(
                "/login", (row.token.map { [("_csrf", $0)] } ?? []) + form, PageBrowser.query(), fields: row.fields)
            #expect(answer.status == 403 && answer.location == nil, "\(row.name)")
        }
        browser.cookie = nil
        #expect(
            try browser.post("/login", [("_csrf", token)] + form, PageBrowser.query(), fields: [origin]).status
                == 403)
        browser.cookie = own
        let plain = try browser.send(
            "POST", "/login?\(PageBrowser.encoded(PageBrowser.query()))", ["Content-Type: text/plain", origin],
            PageBrowser.encoded([("_csrf", token)] + form))
        #expect(plain.status == 403)
        browser.cookie = own
        let right = try browser.post(
            "/login", [("_csrf", token)] + form, PageBrowser.query(),
            fields: [origin, "Sec-Fetch-Site: same-origin"])
        #expect(right.parameter("code") != nil)
    }

    @Test("send nobody to an address that is not the app's, whoever is named as the server")
    func redirects() throws {
        let browser = PageBrowser(try HomeportProcess(environment: PageBrowser.environment))
        let addresses = [
            "https://evil.example/", "//evil.example", "http://localhost:3000/in/", "http://localhost:3000/IN",
            "http://localhost:3000/in?x", "http://localhost:3000/in#x", "http://localhost:3000@evil.example/in",
            "http://localhost:3000/in/../x", "javascript:alert(1)", "\\\\evil.example", "", PageBrowser.logout,
            "http://localhost:3000/in\r\nset-cookie: a=b",
        ]
        for address in addresses {
            for path in ["/oauth2/authorize", "/login", "/signup", "/forgot"] {
                let answer = try browser.get(path, PageBrowser.query([("redirect_uri", address)]))
                #expect(answer.status == 400 && answer.location == nil, "\(path) \(address)")
                #expect(!answer.body.contains("<form") && answer.fields["set-cookie"] == nil)
            }
            let out = try browser.get("/logout", [("client_id", "app"), ("logout_uri", address)])
            #expect((out.location == nil) == (address != PageBrowser.logout), "\(address)")
        }
        let target = "/oauth2/authorize?\(PageBrowser.encoded(PageBrowser.query()))"
        #expect(try browser.send("GET", target, host: "evil.example").status == 421)
        let forwarded = try browser.send(
            "GET", target, ["X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https"])
        #expect(forwarded.location?.hasPrefix("/login?") == true)
        #expect(try browser.send("GET", target + "&client_id=app").status == 400)
        #expect(try browser.send("GET", "/oauth2/authorize").status == 400)
    }

    @Test("give tokens for a code once, to who has asked for it")
    func codes() throws {
        let browser = PageBrowser(try HomeportProcess(environment: PageBrowser.environment))
        try browser.signUp()
        func code() throws -> String { try #require(try browser.signIn().parameter("code")) }
        for (name, change): (String, (String, String?)) in [
            ("another verifier", ("code_verifier", String(repeating: "w", count: 64))),
            ("no verifier", ("code_verifier", nil)), ("another address", ("redirect_uri", PageBrowser.logout)),
            ("another code", ("code", "AAAA")),
        ] {
            let answer = try browser.exchange(try code(), [change])
            #expect(answer.status == 400 && answer.json["error"] == "invalid_grant", "\(name)")
            #expect(answer.fields["cache-control"] == "no-store")
        }
        let ghost = try browser.exchange(try code(), [("client_id", "ghost")])
        #expect(ghost.json["error"] == "invalid_client")
        let once = try code()
        let first = try browser.exchange(once)
        #expect(first.status == 200)
        #expect(try browser.exchange(once).json["error"] == "invalid_grant")
        let access = first.json["access_token"]?.string ?? ""
        #expect(
            try browser.get("/oauth2/userInfo", fields: ["Authorization: Bearer \(access)"]).status == 401)
        #expect(try browser.get("/oauth2/token").status == 405)
        let twice = try browser.program(
            "/oauth2/token",
            [("grant_type", "authorization_code"), ("code", "a"), ("code", "b"), ("client_id", "app")])
        #expect(twice.json["error"] == "invalid_request")
    }
}
