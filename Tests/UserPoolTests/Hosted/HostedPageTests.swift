import JSON
import Testing

@testable import UserPool

@Suite("Hosted pages")
struct HostedPageTests {
    @Test("lead from the app's address to a form, and back to the app with a code and its state")
    func flow() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let begun = await browser.get(.authorize)
        #expect(begun.status == 302)
        #expect(begun.location?.hasPrefix("/login?redirect_uri=http%3A%2F%2Flocalhost%3A8090%2F&") == true)
        let form = await browser.get(.login)
        #expect(form.status == 200)
        for part in [
            #"autocomplete="username""#, #"autocomplete="current-password""#, #"<label for="username">"#,
            "<h1>Sign in</h1>",
        ] { #expect(form.text.contains(part), "\(part)") }
        let answer = await browser.post(.login, [("username", "ann"), ("password", HostedBrowser.password)])
        #expect(answer.status == 302)
        #expect(answer.location?.hasPrefix("\(HostedBrowser.redirect)?code=") == true)
        #expect(answer.parameter("state") == "a+b &%/é")
    }

    @Test("go back to addresses with a query, and to those of apps on phones")
    func addresses() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        for (address, start) in [
            ("https://example.com/cb?x=1", "https://example.com/cb?x=1&code="),
            ("myapp://back/", "myapp://back/?code="),
        ] {
            let answer = await browser.signIn(
                "ann", HostedBrowser.password, HostedBrowser.query([("redirect_uri", address)]))
            #expect(answer.location?.hasPrefix(start) == true, "\(address)")
        }
    }

    @Test(
        "refuse on a page what cannot be answered to the app",
        arguments: HostedPath.allCases.filter { !$0.isForApps && $0 != .logout })
    func refusals(path: HostedPath) async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let changes: [(String, [(String, String?)])] = [
            ("no client", [("client_id", nil)]), ("another client", [("client_id", "ghost")]),
            ("a client in other letters", [("client_id", "App")]),
            ("no address", [("redirect_uri", nil)]), ("an empty address", [("redirect_uri", "")]),
            ("a longer address", [("redirect_uri", "http://localhost:8090/x")]),
            ("a shorter address", [("redirect_uri", "http://localhost:8090")]),
            ("a query more", [("redirect_uri", "http://localhost:8090/?a")]),
            ("a fragment", [("redirect_uri", "http://localhost:8090/#a")]),
            ("a name and password", [("redirect_uri", "http://localhost:8090@evil.example/")]),
            ("another port", [("redirect_uri", "http://localhost:8091/")]),
            ("other letters", [("redirect_uri", "HTTP://localhost:8090/")]),
            ("a path that goes back", [("redirect_uri", "http://localhost:8090/../")]),
            ("a backslash", [("redirect_uri", "http://localhost:8090\\@evil.example/")]),
            ("a script", [("redirect_uri", "javascript:alert(1)")]),
            ("the logout address", [("redirect_uri", HostedBrowser.logout)]),
            ("no challenge", [("code_challenge", nil)]),
            ("no challenge at all", [("code_challenge", nil), ("code_challenge_method", nil)]),
            ("no method", [("code_challenge_method", nil)]), ("plain", [("code_challenge_method", "plain")]),
            ("s256", [("code_challenge_method", "s256")]),
            ("a short challenge", [("code_challenge", String(HostedBrowser.challenge.dropLast()))]),
            ("a long challenge", [("code_challenge", HostedBrowser.challenge + "A")]),
            ("a challenge of other signs", [("code_challenge", String(repeating: "+", count: 43))]),
            ("request", [("request", "x")]), ("request_uri", [("request_uri", "http://evil.example/")]),
            ("response_mode", [("response_mode", "fragment")]),
            ("a long state", [("state", String(repeating: "s", count: 5_000))]),
        ]
        for (name, change) in changes {
            let query = HostedBrowser.query(change)
            for method in path.methods {
                let answer = method == .get ? await browser.get(path, query) : await browser.post(path, [], query)
                #expect(answer.isRefusingPage, "\(method) \(name): \(answer.status) \(answer.location ?? "")")
                #expect(!answer.text.contains("<form"), "\(name)")
                #expect(answer.field("set-cookie") == nil, "\(name)")
            }
        }
        for raw in ["client_id=app&client_id=app", "a=%zz", "a=%ff", "a=%00", "a=%0d%0a", "=x"] {
            let query = "\(HostedBrowser.encoded(HostedBrowser.query()))&\(raw)"
            for method in path.methods {
                #expect(await browser.send(method, path, query: query).isRefusingPage, "\(raw)")
            }
        }
    }

    @Test("tell the app what else is wrong with its request")
    func faults() async throws {
        let browser = try HostedBrowser()
        let rows: [(String, [(String, String?)])] = [
            ("unsupported_response_type", [("response_type", "token")]), ("invalid_request", [("response_type", nil)]),
            ("unsupported_response_type", [("response_type", "code token")]),
            ("invalid_scope", [("scope", "openid admin")]), ("invalid_scope", [("scope", "OPENID")]),
            ("login_required", [("prompt", "none")]), ("invalid_request", [("prompt", "none login")]),
            ("invalid_request", [("identity_provider", "Ghost")]), ("invalid_request", [("max_age", "-1")]),
            ("invalid_request", [("max_age", "+1")]),
        ]
        for (error, change) in rows {
            let answer = await browser.get(.authorize, HostedBrowser.query(change))
            #expect(answer.status == 302 && answer.location?.hasPrefix("\(HostedBrowser.redirect)?") == true)
            #expect(answer.parameter("error") == error && answer.parameter("state") == "a+b &%/é", "\(change)")
            #expect(answer.parameter("code") == nil)
        }
        for change in [
            ("prompt", "login"), ("lang", "de"), ("login_hint", "ann"), ("identity_provider", "COGNITO"),
            ("resource", "x"),
        ] {
            let answer = await browser.get(.authorize, HostedBrowser.query([(change.0, change.1)]))
            #expect(answer.location?.hasPrefix("/login?") == true, "\(change)")
        }
    }

    @Test("are nobody else's to frame, to script, to keep or to be told of")
    func fields() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        var answers = [await browser.get(.login), await browser.get(.signUp), await browser.get(.forgot)]
        answers += [await browser.get(.login, []), await browser.get(.authorize), await browser.get(.logout)]
        answers.append(await browser.post(.login, [("username", "ann"), ("password", "wrong")]))
        answers.append(await browser.signIn())
        for answer in answers {
            let policy = try #require(answer.field("content-security-policy"))
            for part in ["default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
                #expect(policy.contains(part))
            }
            #expect(!policy.contains("unsafe") && !policy.contains("script-src") && !policy.contains("*"))
            #expect(answer.field("x-frame-options") == "DENY" && answer.field("referrer-policy") == "no-referrer")
            #expect(answer.field("cache-control") == "no-store" && answer.field("x-content-type-options") == "nosniff")
            #expect(!answer.fields.contains { $0.name.hasPrefix("access-control") })
            #expect(
                !answer.text.contains("<script") && !answer.text.contains("style=") && !answer.text.contains("onclick"))
        }
        #expect(
            answers[0].field("content-security-policy")?.contains("form-action 'self' http://localhost:8090;") == true)
        let phone = await browser.get(.login, HostedBrowser.query([("redirect_uri", "myapp://back/")]))
        #expect(phone.field("content-security-policy")?.contains("form-action 'self' myapp:;") == true)
    }

    @Test("put texts of strangers into markup as texts")
    func escapes() async throws {
        let browser = try HostedBrowser()
        let hostile = #""><script>alert(1)</script>'&amp;"#
        let query = HostedBrowser.query([("login_hint", hostile), ("state", hostile), ("extra", hostile)])
        var answers = [await browser.get(.login, query), await browser.get(.confirm, query)]
        answers.append(await browser.post(.login, [("username", hostile), ("password", hostile)], query))
        answers.append(await browser.post(.signUp, [("username", hostile), ("attribute.email", hostile)], query))
        answers.append(await browser.get(.authorize, HostedBrowser.query([("client_id", hostile)])))
        answers.append(
            await browser.post(
                .step, [("challenge", "SMS_MFA"), ("session", hostile), ("user", hostile), ("destination", hostile)],
                query))
        for answer in answers {
            #expect(!answer.text.contains("<script") && !answer.text.contains(hostile), "\(answer.text)")
            #expect(answer.status < 500)
        }
        #expect(answers[0].text.contains(#"value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;amp;""#))
    }

    @Test("take a form only from their own page in the browser that has its cookie")
    func forgery() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let form = [("username", "ann"), ("password", HostedBrowser.password)]
        _ = await browser.get(.login)
        let cookie = browser.cookie
        let token = browser.token
        _ = await browser.get(.login)
        #expect(browser.cookie == cookie && browser.token == token)
        func post(_ token: String, _ origins: [String], _ sites: [String], cookie given: String?) async -> HostedAnswer
        {
            browser.cookie = given
            return await browser.post(.login, form, token: token, origins: origins, sites: sites)
        }
        let own = ["http://\(HostedBrowser.authority)"]
        let stranger = try HostedBrowser()
        _ = await stranger.get(.login)
        let rows: [(String, String, [String], [String], String?)] = [
            ("no token", "", own, [], cookie), ("another token", stranger.token, own, [], cookie),
            ("no cookie", token, own, [], nil), ("another cookie", token, own, [], stranger.cookie),
            ("two cookies", token, own, [], "\(cookie ?? ""); \(stranger.cookie ?? "")"),
            ("another origin", token, ["https://evil.example"], [], cookie),
            ("another port", token, ["http://localhost:20003"], [], cookie),
            ("a longer origin", token, ["http://localhost:20002.evil.example"], [], cookie),
            ("no one's origin", token, ["null"], [], cookie), ("two origins", token, own + own, [], cookie),
            ("another site", token, own, ["cross-site"], cookie), ("a sister site", token, own, ["same-site"], cookie),
            ("by hand", token, [], ["none"], cookie),
            ("no one's, of another site", token, ["null"], ["cross-site"], cookie),
        ]
        for row in rows {
            let answer = await post(row.1, row.2, row.3, cookie: row.4)
            #expect(answer.status == 403 && answer.location == nil, "\(row.0)")
        }
        #expect(
            await browser.send(.get, .login, query: HostedBrowser.encoded(HostedBrowser.query() + form)).status == 200)
        for (origins, sites) in [(own, []), (own, ["same-origin"]), (["null"], ["same-origin"]), ([], [])] {
            #expect(await post(token, origins, sites, cookie: cookie).status == 302, "\(origins) \(sites)")
        }
    }

    @Test("give a cookie that no script and no other site sees, a new one with the sign-in")
    func cookies() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        func cookies(_ answer: HostedAnswer) -> [String] {
            answer.fields.filter { $0.name == "set-cookie" }.map(\.value)
        }
        // Under http, one for each first part of the pages' paths: nothing else of the server gets it.
        let paths = ["oauth2", "login", "signup", "confirm", "confirmUser", "forgot", "logout"]
        let ends = paths.map { "; Path=/\($0); HttpOnly; SameSite=Lax" }
        let plain = cookies(await browser.get(.login))
        #expect(plain.count == ends.count && plain.allSatisfy { $0.hasPrefix("homeport-sign-in=") })
        for (cookie, end) in zip(plain, ends) { #expect(cookie.hasSuffix(end), "\(cookie)") }
        #expect(Set(plain.map { $0.prefix { $0 != ";" } }).count == 1)
        for path in HostedPath.allCases {
            let getting = paths.filter { path.rawValue == "/\($0)" || path.rawValue.hasPrefix("/\($0)/") }
            #expect(getting.count == 1, "\(path)")
        }
        let before = browser.cookie
        let after = cookies(await browser.signIn())
        #expect(browser.cookie != before && after.count == ends.count)
        let secure = await browser.send(
            .get, .login, query: HostedBrowser.encoded(HostedBrowser.query()), keepsCookies: false, isSecure: true)
        let field = try #require(secure.field("set-cookie"))
        #expect(field.hasPrefix("__Host-homeport=") && field.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Secure"))
        #expect(!field.contains("Domain"))
    }

    @Test("know a browser that has signed in, until it signs out, the hour is over or the user's sign-ins end")
    func sessions() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        func isKnown(_ changes: [(String, String?)] = []) async -> Bool {
            await browser.get(.authorize, HostedBrowser.query(changes)).parameter("code") != nil
        }
        _ = await browser.signIn()
        #expect(await isKnown())
        #expect(await isKnown([("prompt", "none")]))
        #expect(await !isKnown([("prompt", "login")]))
        #expect(await !isKnown([("max_age", "0")]))
        // Signed out: the cookie is dead, whoever has kept it.
        let kept = browser.cookie
        let out = await browser.get(.logout, [("client_id", "app"), ("logout_uri", HostedBrowser.logout)])
        #expect(out.status == 302 && out.location == HostedBrowser.logout && browser.cookie == nil)
        browser.cookie = kept
        #expect(await !isKnown())
        _ = await browser.signIn()
        browser.pass(seconds: 3_601)
        #expect(await !isKnown())
        _ = await browser.signIn()
        try await browser.edit("ann") { $0.isEnabled = false }
        #expect(await !isKnown())
        try await browser.edit("ann") { $0.isEnabled = true }
        #expect(await isKnown())
        // A session is no refresh token.
        let token = try #require(browser.cookie?.split(separator: "=", maxSplits: 1).last)
        await #expect(throws: PoolError.invalidRefreshToken) {
            try await browser.call(
                "GetTokensFromRefreshToken", ["ClientId": "app", "RefreshToken": .string(String(token))])
        }
        let tokens = try await browser.exchange(browser.code()).json
        try await browser.call("GlobalSignOut", ["AccessToken": tokens["access_token"] ?? .null])
        #expect(await !isKnown())
        // A new password ends it.
        _ = await browser.signIn()
        try await browser.edit("ann") { user in
            let verifier = SRPVerifier(password: "N3w!Password", of: SRPIdentity(poolName: "abcDEF123", userID: "ann"))
            user.password = StoredPassword(salt: verifier.salt, verifier: verifier.number)
        }
        #expect(await !isKnown())
    }

    @Test("are set up with addresses of apps only")
    func appAddresses() {
        for text in [
            "http://localhost:8090/", "https://example.com/cb?x=1", "myapp://callback/", "com.example.app:/back",
        ] {
            #expect(AppClient.isAppAddress(text), "\(text)")
        }
        for text in [
            "", "localhost", "/back", "//evil.example", "javascript:alert(1)", "JavaScript://%0aalert(1)",
            "data:text/html,x",
            "https://example.com/#a", "https:example.com", "https:///x", "https://exa mple.com/",
            "https://a\u{E9}.example/",
            "1app://x", "https://example.com/\r\nx: y", "file:///etc/passwd",
        ] { #expect(!AppClient.isAppAddress(text), "\(text)") }
    }

    @Test("sign out to registered addresses only")
    func logout() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        _ = await browser.signIn()
        let rows: [[(String, String)]] = [
            [], [("client_id", "app")], [("logout_uri", HostedBrowser.logout)],
            [("client_id", "ghost"), ("logout_uri", HostedBrowser.logout)],
            [("client_id", "app"), ("logout_uri", "\(HostedBrowser.logout)/")],
            [("client_id", "app"), ("logout_uri", "//evil.example")],
            [("client_id", "app"), ("logout_uri", HostedBrowser.redirect)],
            [("client_id", "service"), ("logout_uri", HostedBrowser.logout)],
            [("client_id", "app"), ("redirect_uri", "https://evil.example"), ("response_type", "code")],
            [("client_id", "app"), ("logout_uri", HostedBrowser.logout), ("logout_uri", HostedBrowser.logout)],
        ]
        for row in rows { #expect(await browser.get(.logout, row).isRefusingPage, "\(row)") }
        #expect(await browser.get(.authorize).parameter("code") != nil)
        let again = await browser.get(.logout)
        #expect(again.location?.hasPrefix("/login?") == true)
        #expect(await browser.get(.authorize).parameter("code") == nil)
    }

    @Test("count wrong passwords with those of the API")
    func tries() async throws {
        let browser = try HostedBrowser()
        try await browser.make()
        let wrong: JSONValue = [
            "ClientId": "app", "AuthFlow": "USER_PASSWORD_AUTH",
            "AuthParameters": ["USERNAME": "ann", "PASSWORD": "Wr0ng!Password"],
        ]
        for _ in 0..<2 {
            let answer = await browser.signIn("ann", "Wr0ng!Password")
            #expect(answer.status == 400 && answer.text.contains("Incorrect username or password."))
        }
        for _ in 0..<3 {
            await #expect(throws: PoolError.wrongPassword) { try await browser.call("InitiateAuth", wrong) }
        }
        let limited = await browser.signIn()
        #expect(limited.location == nil && limited.text.contains("Password attempts exceeded"))
        browser.pass(seconds: 2)
        #expect(await browser.signIn().parameter("code") != nil)
    }

    @Test("let people make an account, confirm it and sign in")
    func signUp() async throws {
        let browser = try HostedBrowser()
        let form = await browser.get(.signUp)
        #expect(form.text.contains(#"autocomplete="new-password""#) && form.text.contains(#"name="attribute.email""#))
        let fields = [("username", "bea"), ("attribute.email", "bea@example.com")]
        let weak = await browser.post(.signUp, fields + [("password", "weak")])
        #expect(weak.status == 400 && weak.text.contains("Password not long enough"))
        let sent = await browser.post(.signUp, fields + [("password", HostedBrowser.password)])
        #expect(sent.status == 200 && sent.text.contains("b***@e***"))
        let early = await browser.signIn("bea")
        #expect(early.location == nil && early.text.contains("Confirm your account"))
        #expect(await browser.post(.confirm, [("username", "bea"), ("code", "000000")]).status == 400)
        let another = await browser.post(.resend, [("username", "bea")])
        #expect(another.text.contains("b***@e***"))
        let code = try await browser.sentCode()
        let confirmed = await browser.post(.confirm, [("username", "bea"), ("code", code)])
        #expect(confirmed.status == 200 && confirmed.text.contains("Your account is confirmed."))
        #expect(await browser.signIn("bea").parameter("code") != nil)
    }

    @Test("make nothing for people where only administrators make users")
    func closed() async throws {
        let browser = try HostedBrowser { $0.allowsSelfSignUp = false }
        #expect(await browser.get(.signUp).isRefusingPage)
        #expect(await !browser.get(.login).text.contains("/signup"))
    }
}
