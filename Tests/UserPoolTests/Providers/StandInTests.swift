import JSON
import Testing

@testable import UserPool

@Suite("Stand-ins for providers")
struct StandInTests {
    private static func browser(
        isFromThisMachine: Bool = true, expectsReports: Bool = false
    ) throws -> HostedBrowser {
        try HostedBrowser(isFromThisMachine: isFromThisMachine, expectsReports: expectsReports) { settings in
            settings.providers = [
                IdentityProvider(standInFor: .google), IdentityProvider(standInFor: .apple),
                IdentityProvider(standInFor: .facebook),
            ]
        }
    }

    /// Goes to the page of the stand-in; the parameters that it was called with.
    private static func leave(_ browser: HostedBrowser, _ name: String) async throws -> [(String, String)] {
        let left = await browser.get(.authorize, HostedBrowser.query(by: name, [("prompt", "login")]))
        #expect(left.location?.hasPrefix("/oauth2/stand-in?") == true, "\(left.location ?? "")")
        return try ["redirect_uri", "state", "nonce", "code_challenge", "client_id"].map { name in
            (name, try #require(left.parameter(name)))
        }
    }

    private static func follow(_ browser: HostedBrowser, _ answer: HostedAnswer) async throws -> HostedAnswer {
        let location = try #require(answer.location)
        let start = "http://localhost:20002/oauth2/idpresponse?"
        #expect(location.hasPrefix(start))
        return await browser.send(.get, .providerAnswer, query: String(location.dropFirst(start.count)))
    }

    @Test(
        "ask who somebody wants to be, and sign them in as the provider would",
        arguments: ["Google", "SignInWithApple", "Facebook"])
    func flow(name: String) async throws {
        let browser = try Self.browser()
        var names: [String?] = []
        for email in ["ann@example.com", "bob@example.com", "Ann@example.com"] {
            let query = try await Self.leave(browser, name)
            let page = await browser.get(.standIn, query)
            #expect(page.status == 200 && page.text.contains("stands in for"))
            // Browsers hold every address behind the form against it.
            #expect(
                page.field("content-security-policy")?.contains("form-action 'self' http://localhost:8090;") == true)
            let sent = await browser.post(.standIn, [("email", email), ("name", "Ann Lee")], query)
            let answer = try await Self.follow(browser, sent)
            let tokens = await browser.exchange(try #require(answer.parameter("code"))).json
            let claims = try HostedBrowser.claims(tokens["id_token"]?.string)
            #expect(claims["email"]?.string == email)
            names.append(claims["cognito:username"]?.string)
        }
        #expect(names[0]?.hasPrefix("\(name)_1") == true && names[0] == names[2] && names[0] != names[1])
        let user = try await browser.user(try #require(names[0]))
        #expect(user.attribute("given_name") == "Ann" && user.attribute("family_name") == "Lee")
    }

    @Test("can be left without a sign-in")
    func cancel() async throws {
        let browser = try Self.browser()
        let query = try await Self.leave(browser, "Google")
        _ = await browser.get(.standIn, query)
        let answer = try await Self.follow(
            browser, await browser.post(.standIn, [("cancel", "1"), ("email", "")], query))
        #expect(answer.location?.hasPrefix("\(HostedBrowser.redirect)?error=access_denied") == true)
    }

    @Test("refuse what is no sign-in of this browser, and what comes from another page")
    func refusals() async throws {
        let browser = try Self.browser(expectsReports: true)
        let query = try await Self.leave(browser, "Google")
        func changed(_ name: String, _ value: String?) -> [(String, String)] {
            query.filter { $0.0 != name } + (value.map { [(name, $0)] } ?? [])
        }
        for other in [
            [], changed("state", nil), changed("state", "x"), changed("redirect_uri", nil),
            changed("redirect_uri", "https://evil.example/"), changed("nonce", nil), changed("code_challenge", nil),
            query + [("state", "x")],
        ] { #expect(await browser.get(.standIn, other).isRefusingPage, "\(other.map(\.0))") }
        _ = await browser.get(.standIn, query)
        let form = [("email", "ann@example.com")]
        #expect(await browser.post(.standIn, form, query, token: "x").status == 403)
        #expect(await browser.post(.standIn, form, query, origins: ["https://evil.example"]).status == 403)
        #expect(await browser.post(.standIn, form, query, sites: ["cross-site"]).status == 403)
        #expect(await browser.post(.standIn, [("email", "nobody")], query).status == 400)
        let own = browser.cookie
        browser.cookie = nil
        #expect(await browser.get(.standIn, query).isRefusingPage)
        browser.cookie = own
        // A code is good for the sign-in that it was made for.
        let sent = await browser.post(.standIn, form, query)
        let code = try #require(sent.parameter("code"))
        let other = try await Self.leave(browser, "Google")
        let state = try #require(other.first { $0.0 == "state" }?.1)
        let mixed = await browser.get(.providerAnswer, [("state", state), ("code", code)])
        #expect(mixed.parameter("error") == "invalid_request" && mixed.parameter("code") == nil)
    }

    @Test("are there for the server's own machine alone")
    func elsewhere() async throws {
        let browser = try Self.browser(isFromThisMachine: false)
        #expect(await !browser.get(.login).text.contains("Continue with"))
        let answer = await browser.get(.authorize, HostedBrowser.query(by: "Google"))
        #expect(answer.parameter("error") == "invalid_request")
    }
}
