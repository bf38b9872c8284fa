import Crypto
import JSON
import Testing

@testable import UserPool

@Suite("Tokens for codes of the pages")
struct HostedTokenTests {
    @Test("are those of a sign-in by the API: they are refreshed and taken back there")
    func tokens() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let answer = try await browser.exchange(browser.code())
        #expect(answer.status == 200 && answer.field("cache-control") == "no-store")
        let tokens = answer.json
        #expect(tokens["token_type"] == "Bearer" && tokens["expires_in"] == 3_600)
        let id = try HostedBrowser.claims(tokens["id_token"]?.string)
        let access = try HostedBrowser.claims(tokens["access_token"]?.string)
        #expect(id["nonce"] == "n-1" && id["aud"] == "app" && id["email"] == "ann@example.com" && id["name"] == nil)
        #expect(access["scope"] == "openid email aws.cognito.signin.user.admin" && access["version"] == 2)
        #expect(id["origin_jti"] == access["origin_jti"] && access["client_id"] == "app")
        let refresh = try #require(tokens["refresh_token"])
        let next = try await browser.call("GetTokensFromRefreshToken", ["ClientId": "app", "RefreshToken": refresh])
        #expect(next.object?.members.map(\.key) == ["AuthenticationResult"])
        let nextAccess = try HostedBrowser.claims(next["AuthenticationResult"]?["AccessToken"]?.string)
        #expect(nextAccess["origin_jti"] == access["origin_jti"] && nextAccess["scope"] == access["scope"])
        try await browser.call("GetUser", ["AccessToken": tokens["access_token"] ?? .null])
        try await browser.call("RevokeToken", ["ClientId": "app", "Token": refresh])
        await #expect(throws: PoolError.notAuthorized("Access Token has been revoked")) {
            try await browser.call("GetUser", ["AccessToken": tokens["access_token"] ?? .null])
        }
    }

    @Test("cannot be had by a code a second time, and what it gave ends")
    func reuse() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let code = try await browser.code()
        let tokens = await browser.exchange(code).json
        let second = await browser.exchange(code)
        #expect(second.status == 400 && second.json == ["error": "invalid_grant"])
        #expect(second.field("cache-control") == "no-store")
        await #expect(throws: PoolError.notAuthorized("Access Token has been revoked")) {
            try await browser.call("GetUser", ["AccessToken": tokens["access_token"] ?? .null])
        }
        await #expect(throws: PoolError.notAuthorized("Refresh Token has been revoked")) {
            try await browser.call(
                "GetTokensFromRefreshToken", ["ClientId": "app", "RefreshToken": tokens["refresh_token"] ?? .null])
        }
    }

    @Test("go to one of many who send the code at once, and to none in the end")
    func race() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let code = try await browser.code()
        let given = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { await browser.exchange(code, on: PoolShard()).status } }
            var statuses: [Int] = []
            for await status in group { statuses.append(status) }
            return statuses
        }
        #expect(given.filter { $0 == 200 }.count <= 1 && given.filter { $0 == 400 }.count >= 7)
    }

    @Test("want the verifier, address and client of the code; one wrong try uses it up")
    func verifiers() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let rows: [(String, String?)] = [
            ("code_verifier", nil), ("code_verifier", ""), ("code_verifier", "w" + HostedBrowser.verifier.dropFirst()),
            ("code_verifier", HostedBrowser.challenge), ("code_verifier", HostedBrowser.verifier + "v"),
            ("redirect_uri", "http://localhost:8090"), ("redirect_uri", "myapp://back/"),
        ]
        for row in rows {
            let code = try await browser.code()
            #expect(await browser.exchange(code, [row]).json == ["error": "invalid_grant"], "\(row)")
            #expect(await browser.exchange(code).json == ["error": "invalid_grant"], "\(row)")
        }
        let code = try await browser.code()
        let foreign = await browser.program(
            .token,
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", HostedBrowser.redirect),
                ("code_verifier", HostedBrowser.verifier),
            ], basic: "service:\(HostedBrowser.secret)")
        #expect(foreign.json == ["error": "invalid_grant"])
        #expect(await browser.exchange(code).json == ["error": "invalid_grant"])
    }

    @Test("are not given where a verifier comes for a code without a challenge")
    func downgrade() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let query = HostedBrowser.query([
            ("client_id", "service"), ("code_challenge", nil), ("code_challenge_method", nil), ("scope", "openid"),
        ])
        func exchange(_ code: String, verifier: String?) async -> HostedAnswer {
            await browser.program(
                .token,
                [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", HostedBrowser.redirect)]
                    + (verifier.map { [("code_verifier", $0)] } ?? []), basic: "service:\(HostedBrowser.secret)")
        }
        #expect(
            await exchange(try browser.code(query), verifier: HostedBrowser.verifier).json == ["error": "invalid_grant"]
        )
        #expect(await exchange(try browser.code(query), verifier: nil).status == 200)
    }

    @Test("are not given for old codes, nor when the user or the browser's sign-in has gone meanwhile")
    func late() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let old = try await browser.code()
        browser.pass(seconds: 301)
        #expect(await browser.exchange(old).json == ["error": "invalid_grant"])
        let disabled = try await browser.code()
        try await browser.edit("ann") { $0.isEnabled = false }
        #expect(await browser.exchange(disabled).json == ["error": "invalid_grant"])
        try await browser.edit("ann") { $0.isEnabled = true }
        let left = try await browser.code()
        _ = await browser.get(.logout, [("client_id", "app"), ("logout_uri", HostedBrowser.logout)])
        #expect(await browser.exchange(left).json == ["error": "invalid_grant"])
    }

    @Test("are asked for by one form that says everything once")
    func forms() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let code = try await browser.code()
        let form =
            "grant_type=authorization_code&code=\(code)&client_id=app&code_verifier=\(HostedBrowser.verifier)"
            + "&redirect_uri=http%3A%2F%2Flocalhost%3A8090%2F"
        func error(_ body: String, query: String = "", types: [String] = ["application/x-www-form-urlencoded"]) async
            -> JSONValue?
        {
            let answer = await browser.send(.post, .token, query: query, types: types, body: body, keepsCookies: false)
            #expect(answer.status == 400 && answer.field("cache-control") == "no-store")
            return answer.json["error"]
        }
        for name in ["code", "grant_type", "client_id", "redirect_uri", "code_verifier", "x"] {
            #expect(await error("\(form)&\(name)=x&\(name)=x") == "invalid_request", "\(name)")
        }
        #expect(await error(form, query: "client_id=app") == "invalid_request")
        #expect(await error("", query: form) == "invalid_request")
        #expect(await error(form, types: ["application/json"]) == "invalid_request")
        #expect(await error(form, types: []) == "invalid_request")
        #expect(await error(form, types: ["text/plain", "application/x-www-form-urlencoded"]) == "invalid_request")
        #expect(await error("\(form)&y=%zz") == "invalid_request")
        #expect(await error("grant_type=password&client_id=app&username=ann&password=x") == "unsupported_grant_type")
        #expect(await error("grant_type=authorization_code&code=\(code)") == "invalid_request")
        let got = await browser.send(.get, .token, query: form, keepsCookies: false)
        #expect(got.status == 405 && got.field("allow") == "POST" && got.field("cache-control") == "no-store")
        // None of this has touched the code.
        let answer = await browser.send(
            .post, .token, types: ["Application/X-WWW-Form-URLEncoded; charset=UTF-8"], body: form, keepsCookies: false)
        #expect(answer.status == 200)
    }

    @Test("are given to clients that prove themselves, in one way or in two that agree")
    func clients() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let id = ("client_id", "service")
        let secret = ("client_secret", HostedBrowser.secret)
        let rows: [([(String, String)], String?, Bool)] = [
            ([id, secret], nil, true), ([], "service:\(HostedBrowser.secret)", true),
            ([id, secret], "service:\(HostedBrowser.secret)", true), ([id], nil, false),
            ([id, ("client_secret", "wrong")], nil, false), ([], "service:wrong", false), ([], "service", false),
            ([("client_id", "app")], "service:\(HostedBrowser.secret)", false),
            ([("client_secret", "wrong")], "service:\(HostedBrowser.secret)", false),
            ([id, secret], "service:wrong", false), ([("client_id", "app"), secret], nil, false),
            ([("client_id", "ghost")], nil, false),
        ]
        for (form, basic, isRight) in rows {
            let answer = await browser.program(
                .token, [("grant_type", "client_credentials"), ("scope", "api/read")] + form, basic: basic)
            #expect(answer.status == (isRight ? 200 : 400), "\(form) \(basic ?? "")")
            if !isRight { #expect(answer.json == ["error": "invalid_client"], "\(form) \(basic ?? "")") }
        }
    }

    @Test("of a client itself are for its own scopes, and are nobody's")
    func clientCredentials() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        func ask(_ scope: String?, _ client: [(String, String)]) async -> HostedAnswer {
            await browser.program(
                .token, [("grant_type", "client_credentials")] + client + (scope.map { [("scope", $0)] } ?? []))
        }
        let service = [("client_id", "service"), ("client_secret", HostedBrowser.secret)]
        let given = await ask(nil, service).json
        let claims = try HostedBrowser.claims(given["access_token"]?.string)
        #expect(
            claims["scope"] == "api/read api/write" && claims["sub"] == "service" && claims["token_use"] == "access")
        #expect(given["refresh_token"] == nil && given["id_token"] == nil)
        for scope in ["openid", "aws.cognito.signin.user.admin", "api/read openid", "api/admin"] {
            #expect(await ask(scope, service).json == ["error": "invalid_scope"], "\(scope)")
        }
        #expect(await ask(nil, [("client_id", "app")]).json == ["error": "unauthorized_client"])
        await #expect(throws: PoolError.self) {
            try await browser.call("GetUser", ["AccessToken": given["access_token"] ?? .null])
        }
    }

    @Test("are renewed at the same door, never for more scopes")
    func refresh() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let query = HostedBrowser.query([("scope", "openid email")])
        let tokens = try await browser.exchange(browser.code(query)).json
        let refresh = try #require(tokens["refresh_token"]?.string)
        func renew(_ more: [(String, String)], client: String = "app") async -> HostedAnswer {
            await browser.program(
                .token, [("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_id", client)] + more)
        }
        let next = await renew([]).json
        #expect(try HostedBrowser.claims(next["access_token"]?.string)["scope"] == "openid email")
        #expect(next["id_token"] != nil && next["refresh_token"] == nil)
        let less = await renew([("scope", "email")]).json
        #expect(try HostedBrowser.claims(less["access_token"]?.string)["scope"] == "email" && less["id_token"] == nil)
        for scope in ["profile", "openid aws.cognito.signin.user.admin"] {
            #expect(await renew([("scope", scope)]).json == ["error": "invalid_scope"])
        }
        // Whoever knows no more than the name of a sign-in, or is another client, learns nothing of its scopes.
        let madeUp = RefreshToken(for: try #require(RefreshToken(refresh)).signIn).text
        for scope in ["openid", "profile"] {
            let form = [("grant_type", "refresh_token"), ("scope", scope)]
            let strangers = [
                form + [("refresh_token", madeUp), ("client_id", "app")],
                form + [
                    ("refresh_token", refresh), ("client_id", "service"), ("client_secret", HostedBrowser.secret),
                ],
            ]
            for form in strangers {
                #expect(await browser.program(.token, form).json == ["error": "invalid_grant"], "\(form)")
            }
        }
        await #expect(throws: PoolError.missingScope) {
            try await browser.call("GetUser", ["AccessToken": next["access_token"] ?? .null])
        }
        #expect(
            await renew([("client_secret", HostedBrowser.secret)], client: "service").json == ["error": "invalid_grant"]
        )
        let revoked = await browser.program(.revoke, [("token", refresh), ("client_id", "app")])
        #expect(revoked.status == 200 && revoked.body.isEmpty)
        #expect(await renew([]).json == ["error": "invalid_grant"])
    }

    @Test("are taken back by their client alone, by the refresh token alone")
    func revocation() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let tokens = try await browser.exchange(browser.code()).json
        let refresh = tokens["refresh_token"]?.string ?? ""
        let service = [("client_id", "service"), ("client_secret", HostedBrowser.secret)]
        #expect(await browser.program(.revoke, [("token", refresh)] + service).json == ["error": "unauthorized_client"])
        let access = await browser.program(
            .revoke, [("token", tokens["access_token"]?.string ?? ""), ("client_id", "app")])
        #expect(access.json == ["error": "unsupported_token_type"])
        #expect(await browser.program(.revoke, [("client_id", "app")]).json == ["error": "invalid_request"])
        #expect(await browser.program(.revoke, [("token", refresh)]).json == ["error": "invalid_request"])
        try await browser.call("GetUser", ["AccessToken": tokens["access_token"] ?? .null])
    }

    @Test("say of themselves what they do, and no more")
    func discovery() async throws {
        let browser = try HostedBrowser()
        let told = browser.pool.discovery(base: "https://auth.localhost")
        #expect(told["response_types_supported"] == ["code"])
        #expect(told["code_challenge_methods_supported"] == ["S256"])
        #expect(told["token_endpoint"] == "https://auth.localhost/oauth2/token")
        for type in ["token", "id_token", "code token"] {
            let answer = await browser.get(.authorize, HostedBrowser.query([("response_type", type)]))
            #expect(answer.parameter("error") == "unsupported_response_type")
        }
    }

    @Test("tell who somebody is by their access token, where it is for openid")
    func userInfo() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        func ask(_ token: String?, _ scheme: String = "Bearer") async -> HostedAnswer {
            await browser.send(
                .get, .userInfo, authorizations: token.map { ["\(scheme) \($0)"] } ?? [], keepsCookies: false)
        }
        let tokens = try await browser.exchange(browser.code()).json
        let answer = await ask(tokens["access_token"]?.string)
        let sub = try HostedBrowser.claims(tokens["id_token"]?.string)["sub"]
        #expect(
            answer.json == [
                "sub": sub ?? .null, "email": "ann@example.com", "email_verified": "false", "username": "ann",
            ])
        let all = try await browser.exchange(browser.code(HostedBrowser.query([("scope", "openid profile")]))).json
        #expect(await ask(all["access_token"]?.string).json["name"] == "<b>Ann & Bob</b>")
        for token in [nil, "x", "a.b.c", tokens["id_token"]?.string, tokens["refresh_token"]?.string] {
            let refused = await ask(token)
            #expect(refused.status == 401 && refused.json == ["error": "invalid_token"])
            #expect(refused.field("www-authenticate") == #"Bearer error="invalid_token""#)
        }
        #expect(await ask(tokens["access_token"]?.string, "Basic").status == 401)
        let other = try await browser.exchange(browser.code(HostedBrowser.query([("scope", "email")]))).json
        #expect(other["id_token"] == nil)
        #expect(await ask(other["access_token"]?.string).json == ["error": "insufficient_scope"])
        try await browser.call("RevokeToken", ["ClientId": "app", "Token": tokens["refresh_token"] ?? .null])
        #expect(await ask(tokens["access_token"]?.string).status == 401)
    }
}
