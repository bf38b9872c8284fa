import Foundation
import JSON
import Server
import TestSupport
import Testing

/// Sign-in at a provider, over sockets: the browser's, the app's, and those from the server to the provider.
@Suite("Sign-in at a provider over sockets")
struct ProviderFlowTests {
    private static let query = PageBrowser.query([("identity_provider", "Login"), ("prompt", "login")])

    /// Goes there and comes back; what the browser is answered.
    private static func arrive(_ service: ProviderService, _ browser: PageBrowser) throws -> PageBrowser.Answer {
        let left = try browser.get("/oauth2/authorize", query)
        service.expect(nonce: try #require(left.parameter("nonce")))
        let state = try #require(left.parameter("state"))
        return try browser.get("/oauth2/idpresponse", [("state", state), ("code", "the code")])
    }

    @Test("makes a user who is known by the provider's name for them, and gives the app tokens")
    func flow() async throws {
        try await ProviderService.run { service, browser in
            #expect(try browser.get("/login", PageBrowser.query()).body.contains("Continue with Login"))
            let answer = try Self.arrive(service, browser)
            #expect(answer.location?.hasPrefix("\(PageBrowser.redirect)?code=") == true)
            let tokens = try browser.exchange(try #require(answer.parameter("code"))).json
            let claims = try PageBrowser.claims(tokens["id_token"])
            #expect(claims["cognito:username"] == "Login_1234" && claims["email"] == "ann@example.com")
            #expect(claims["identities"]?.array?.first?["providerName"] == "Login")
            #expect(service.forms.count == 1 && service.forms[0].contains("code_verifier="))
            let access = tokens["access_token"]?.string ?? ""
            let info = try browser.get("/oauth2/userInfo", fields: ["Authorization: Bearer \(access)"])
            #expect(info.json["sub"] == claims["sub"])
            let again = try browser.exchange(try #require(try Self.arrive(service, browser).parameter("code"))).json
            #expect(try PageBrowser.claims(again["id_token"])["sub"] == claims["sub"])
        }
    }

    private static let wrongs: [(name: String, error: String, behaviour: ProviderService.Behaviour)] = [
        ("another nonce", "invalid_request", .claims([("nonce", "x")])),
        ("no nonce", "invalid_request", .claims([("nonce", nil)])),
        ("another audience", "invalid_request", .claims([("aud", "theirs")])),
        ("an expired token", "invalid_request", .claims([("exp", 1_000)])),
        ("another issuer", "invalid_request", .claims([("iss", "https://evil.example")])),
        ("no signature", "invalid_request", .unsigned),
        ("the algorithm none", "invalid_request", .head([("alg", "none")])),
        ("a shared secret", "invalid_request", .head([("alg", "HS256")])),
        ("a stranger's key", "invalid_request", .stranger),
        ("a code that it does not take", "invalid_request", .status(.badRequest)),
        ("a failure", "server_error", .status(.internalServerError)),
        ("a way to somewhere else", "server_error", .redirect("http://127.0.0.1:1/token")),
        ("a huge answer", "server_error", .huge), ("silence", "server_error", .silence),
    ]

    @Test("is refused, and the app told, whatever the provider does wrong")
    func attacks() async throws {
        try await ProviderService.run { service, browser in
            for row in Self.wrongs {
                service.behave(row.behaviour)
                let answer = try Self.arrive(service, browser)
                #expect(answer.location?.hasPrefix("\(PageBrowser.redirect)?error=") == true, "\(row.name)")
                #expect(answer.parameter("error") == row.error, "\(row.name)")
                #expect(answer.parameter("state") == "a+b &%/é" && answer.parameter("code") == nil)
            }
            #expect(try browser.get("/oauth2/authorize", PageBrowser.query()).parameter("code") == nil)
            service.behave(.claims([]))
            #expect(try Self.arrive(service, browser).parameter("code") != nil)
            #expect(!browser.server.log.contains("our secret"))
        }
    }

    @Test("is taken once, and in the browser that has begun it")
    func states() async throws {
        try await ProviderService.run { service, browser in
            let left = try browser.get("/oauth2/authorize", Self.query)
            service.expect(nonce: try #require(left.parameter("nonce")))
            let pairs = [("state", try #require(left.parameter("state"))), ("code", "c")]
            let other = PageBrowser(browser.server)
            #expect(try other.get("/oauth2/idpresponse", pairs).status == 400)
            _ = try other.get("/login", PageBrowser.query())
            #expect(try other.get("/oauth2/idpresponse", pairs).status == 400)
            #expect(service.forms.isEmpty)
            #expect(try browser.get("/oauth2/idpresponse", pairs).parameter("code") != nil)
            let replayed = try browser.get("/oauth2/idpresponse", pairs)
            #expect(replayed.status == 400 && replayed.location == nil && service.forms.count == 1)
        }
    }

    @Test("has a page that stands in for a provider without a client, on this machine")
    func standIn() throws {
        let browser = PageBrowser(
            try HomeportProcess(
                environment: PageBrowser.environment.merging([
                    "HOMEPORT_AUTH_PROVIDERS": #"[{"kind":"google"},{"kind":"apple"}]"#
                ]) { $1 }))
        let query = PageBrowser.query([("identity_provider", "SignInWithApple")])
        let left = try browser.get("/oauth2/authorize", query)
        let page = try browser.follow(left)
        #expect(page.status == 200 && page.body.contains("stands in for Apple"))
        let target = try #require(left.location)
        let form = PageBrowser.encoded([("_csrf", browser.token), ("email", "ann@example.com"), ("name", "Ann")])
        let sent = try browser.send(
            "POST", target,
            [
                "Content-Type: application/x-www-form-urlencoded", "Origin: \(browser.base)",
                "Sec-Fetch-Site: same-origin",
            ],
            form)
        let answer = try browser.follow(sent)
        let tokens = try browser.exchange(try #require(answer.parameter("code"))).json
        let name = try PageBrowser.claims(tokens["id_token"])["cognito:username"]?.string
        #expect(name?.hasPrefix("SignInWithApple_1") == true)
        // Whoever comes through a proxy may be anybody.
        browser.fields = ["X-Forwarded-For: 203.0.113.1"]
        browser.cookie = nil
        #expect(try browser.get("/oauth2/authorize", query).parameter("error") == "invalid_request")
        #expect(try !browser.get("/login", PageBrowser.query()).body.contains("Continue with"))
    }

    @Test("is refused at the start where the setting would let anybody be anybody, or says too little")
    func settings() throws {
        let rows: [(providers: String, arguments: [String], message: String)] = [
            (#"[{"kind":"google"}]"#, ["--host", "0.0.0.0"], "Google has no clientId"),
            (
                #"[{"kind":"google","clientId":"x","standIn":true}]"#, ["--host", "0.0.0.0"],
                "let anybody be anybody"
            ),
            (#"[{"kind":"oidc"}]"#, [], "needs a name"),
            (#"[{"kind":"oidc","name":"Login","clientId":"x"}]"#, [], "Login needs its issuer"),
            (#"[{"kind":"apple","clientId":"x"}]"#, [], "Apple needs privateKeyFile"),
            (#"[{"kind":"facebook","clientId":"x"}]"#, [], "does not speak OpenID Connect"),
            (#"[{"kind":"google"},{"kind":"google"}]"#, [], "two providers of the name Google"),
            (#"[{"kind":"google","attributes":{"sub":"sub"}}]"#, [], "no claim can become the attribute sub"),
            (#"[{"kind":"google","clientId":"x","clientSecretFile":"none.txt"}]"#, [], "none.txt cannot be read"),
            (#"[{"kind":"google","name":"a_b"}]"#, [], "3 to 32 letters"),
            (#"[{"kind":"google","name":"cognito"}]"#, [], "3 to 32 letters"),
        ]
        for row in rows {
            do {
                _ = try HomeportProcess(
                    row.arguments + ["--database", ":memory:"],
                    environment: [
                        "HOMEPORT_AUTH_PROVIDERS": row.providers, "HOMEPORT_AUTH_API_KEYS": "secret-key-of-ours",
                    ])
                Issue.record("\(row.providers) was taken")
            } catch {
                #expect("\(error)".contains(row.message), "\(row.providers): \(error)")
                #expect("\(error)".contains("exit \(ExitCode.configuration.rawValue)"), "\(error)")
            }
        }
    }
}
