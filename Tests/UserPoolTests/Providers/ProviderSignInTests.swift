import Access
import Crypto
import JSON
import Synchronization
import Testing

@testable import UserPool

@Suite("Sign-in at a provider")
struct ProviderSignInTests {
    private static let pool = "us-east-1_abcDEF123"

    @Test("leads there with a state, a nonce and a digest, and back to the app as a user of its own")
    func flow() async throws {
        let scripted = ScriptedProvider(issuer: ScriptedProvider.google)
        let browser = try HostedBrowser.at(scripted, .google)
        let left = await browser.leave(for: "Google")
        #expect(left.status == 302 && left.location?.hasPrefix("https://login.example/authorize?") == true)
        #expect(left.parameter("redirect_uri") == "http://localhost:20002/oauth2/idpresponse")
        #expect(left.parameter("client_id") == "our-client" && left.parameter("response_type") == "code")
        #expect(left.parameter("scope") == "openid email profile")
        #expect(left.parameter("code_challenge_method") == "S256" && left.parameter("response_mode") == nil)
        #expect(left.field("set-cookie")?.contains("HttpOnly; SameSite=Lax") == true)
        let sealed = try #require(left.parameter("state"))
        #expect(!sealed.contains("app") && left.parameter("nonce") != "n-1")

        let answer = try await browser.comeBack(after: left, from: scripted)
        #expect(answer.status == 302 && answer.location?.hasPrefix("\(HostedBrowser.redirect)?code=") == true)
        #expect(answer.parameter("state") == "a+b &%/é")
        let form = try #require(scripted.form)
        #expect(form["code"] == "c0de-of-theirs" && form["client_secret"] == "our secret")
        #expect(form["redirect_uri"] == "http://localhost:20002/oauth2/idpresponse")
        let verifier = try #require(form["code_verifier"])
        #expect(left.parameter("code_challenge") == Base64.text(of: Digest.sha256.of(Array(verifier.utf8))))

        let tokens = await browser.exchange(try #require(answer.parameter("code"))).json
        let claims = try HostedBrowser.claims(tokens["id_token"]?.string)
        #expect(claims["cognito:username"] == "Google_1234" && claims["nonce"] == "n-1")
        #expect(claims["cognito:groups"] == [.string("\(Self.pool)_Google")])
        #expect(claims["email"] == "ann@example.com" && claims["email_verified"] == false)
        #expect(
            claims["identities"] == [
                [
                    "userId": "1234", "providerName": "Google", "providerType": "Google", "issuer": .null,
                    "primary": "true", "dateCreated": "1800000000000",
                ]
            ])
        let access = try HostedBrowser.claims(tokens["access_token"]?.string)
        #expect(access["username"] == "Google_1234" && access["identities"] == nil)
        let user = try await browser.user("google_1234")
        #expect(user["Username"] == "Google_1234" && user["UserStatus"] == "EXTERNAL_PROVIDER")
        #expect(user.attribute("name") == "Ann <b>")
        #expect(
            user.attribute("identities")
                == #"[{"userId":"1234","providerName":"Google","providerType":"Google","issuer":null,"primary":true,"dateCreated":1800000000000}]"#
        )
        let refresh = try #require(tokens["refresh_token"])
        let renewed = try await browser.call(
            "GetTokensFromRefreshToken", ["ClientId": "app", "RefreshToken": refresh])
        #expect(try renewed.claims(of: "IdToken")["identities"] != nil)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// What the app is told; nil: it gets a code.
        let error: String?
        let change: @Sendable (inout ScriptedProvider.Script) -> Void
        var testDescription: String { name }

        init(
            _ name: String, _ error: String? = "invalid_request",
            _ change: @escaping @Sendable (inout ScriptedProvider.Script) -> Void
        ) {
            self.name = name
            self.error = error
            self.change = change
        }
    }

    static let tokenRows: [Row] = [
        Row("a token as it should be", nil) { _ in },
        Row("one signed on a curve", nil) { $0.algorithm = .es256 },
        Row("one for several, made for us", nil) {
            $0.claims = [("aud", ["x", "our-client"]), ("azp", "our-client")]
        },
        Row("a stranger's signature") { $0.otherKey = ScriptedProvider.strangersKey },
        Row("a changed signature") { $0.spoil = { String($0.dropLast(4)) + "AAAA" } },
        Row("no signature") { $0.spoil = { "\($0.split(separator: ".")[0]).\($0.split(separator: ".")[1])." } },
        Row("the algorithm none") { $0.head = [("alg", "none")] },
        Row("none without a signature") { script in
            script.head = [("alg", "none")]
            script.spoil = { "\($0.split(separator: ".")[0]).\($0.split(separator: ".")[1])." }
        },
        Row("a shared secret") { $0.head = [("alg", "HS256")] },
        Row("an algorithm of another key") { $0.head = [("alg", "ES256")] },
        Row("an unknown key") { $0.head = [("kid", "ghost")] },
        Row("a key that it brings itself") { script in
            script.otherKey = ScriptedProvider.strangersKey
            script.head = [
                ("jwk", LocalIssuer.entry(ScriptedProvider.strangersKey.publicKey, id: "x")), ("kid", "x"),
            ]
        },
        Row("something that has to be understood") { $0.head = [("crit", ["exp"])] },
        Row("another issuer") { $0.claims = [("iss", "https://login.example.evil")] },
        Row("an issuer with a slash more") { $0.claims = [("iss", "https://login.example/")] },
        Row("no issuer") { $0.claims = [("iss", nil)] },
        Row("another audience") { $0.claims = [("aud", "their-client")] },
        Row("no audience") { $0.claims = [("aud", nil)] },
        Row("an empty list of audiences") { $0.claims = [("aud", [])] },
        Row("an audience in other letters") { $0.claims = [("aud", "Our-Client")] },
        Row("several audiences and no party") { $0.claims = [("aud", ["x", "our-client"])] },
        Row("another party") { $0.claims = [("azp", "their-client")] },
        Row("an expired one") { $0.claims = [("exp", 1_799_999_999)] },
        Row("no end") { $0.claims = [("exp", nil)] },
        Row("an end that is a text") { $0.claims = [("exp", "1900000000")] },
        Row("issued tomorrow") { $0.claims = [("iat", 1_800_086_400)] },
        Row("good from tomorrow") { $0.claims = [("nbf", 1_800_086_400)] },
        Row("another nonce") { $0.claims = [("nonce", "x")] },
        Row("the app's nonce") { $0.claims = [("nonce", "n-1")] },
        Row("no nonce") { $0.claims = [("nonce", nil)] },
        Row("another access token") { $0.claims = [("at_hash", "AAAA")] },
        Row("no subject") { $0.claims = [("sub", nil)] },
        Row("an empty subject") { $0.subject = "" },
        Row("a subject with a blank") { $0.subject = "a b" },
        Row("a subject with a line break") { $0.subject = "a\nb" },
        Row("a long subject") { $0.subject = String(repeating: "x", count: 200) },
        Row("a subject that is a number") { $0.claims = [("sub", 7)] },
        Row("no ID token") { $0.tokens = [("id_token", nil)] },
        Row("an ID token that is none") { $0.tokens = [("id_token", "x.y")] },
        Row("an encrypted one") { $0.tokens = [("id_token", "a.b.c.d.e")] },
        Row("a code that it does not know") { $0.answers["token"] = .success((400, #"{"error":"invalid_grant"}"#)) },
        Row("a server that fails", "server_error") { $0.answers["token"] = .success((500, "")) },
        Row("a redirect", "server_error") { $0.answers["token"] = .success((302, "")) },
        Row("an answer that is no JSON", "server_error") { $0.answers["token"] = .success((200, "<html>")) },
        Row("a list", "server_error") { $0.answers["token"] = .success((200, "[]")) },
        Row("a huge answer", "server_error") {
            $0.answers["token"] = .success((200, String(repeating: " ", count: 1 << 20)))
        },
        Row("no answer in time", "server_error") { $0.answers["token"] = .failure(.timedOut(milliseconds: 5_000)) },
        Row("nobody there", "server_error") { $0.answers["token"] = .failure(.unreachable("refused")) },
        Row("no keys") { $0.answers["keys"] = .success((500, "")) },
        Row("an empty set of keys") { $0.answers["keys"] = .success((200, #"{"keys":[]}"#)) },
    ]

    @Test("believes an ID token only where everything about it is right", arguments: tokenRows)
    func tokens(_ row: Row) async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted, expectsReports: true)
        let left = await browser.leave()
        scripted.change(row.change)
        let answer = try await browser.comeBack(after: left, from: scripted)
        #expect(answer.status == 302 && answer.location?.hasPrefix("\(HostedBrowser.redirect)?") == true)
        #expect(answer.parameter("error") == row.error, "\(answer.location ?? "")")
        #expect(answer.parameter("state") == "a+b &%/é")
        #expect((answer.parameter("code") == nil) == (row.error != nil))
        #expect(browser.reports.all.isEmpty == (row.error == nil))
        #expect(!browser.reports.all.contains { $0.contains("our secret") || $0.contains("c0de") })
        if row.error != nil { #expect(await browser.get(.authorize).parameter("code") == nil) }
    }

    static let documentRows: [Row] = [
        Row("another issuer", "server_error") { $0.document = [("issuer", "https://evil.example")] },
        Row("no issuer", "server_error") { $0.document = [("issuer", nil)] },
        Row("a page without TLS", "server_error") {
            $0.document = [("authorization_endpoint", "http://login.example/authorize")]
        },
        Row("a script", "server_error") { $0.document = [("authorization_endpoint", "javascript:alert(1)")] },
        Row("a name and password", "server_error") {
            $0.document = [("token_endpoint", "https://a:b@login.example/token")]
        },
        Row("a line break", "server_error") {
            $0.document = [("authorization_endpoint", "https://x/\r\nset-cookie: a")]
        },
        Row("no token door", "server_error") { $0.document = [("token_endpoint", nil)] },
        Row("keys in a file", "server_error") { $0.document = [("jwks_uri", "file:///etc/passwd")] },
        Row("no JSON", "server_error") { $0.answers["openid-configuration"] = .success((200, "meow")) },
        Row("nothing", "server_error") { $0.answers["openid-configuration"] = .success((404, "")) },
        Row("a redirect", "server_error") { $0.answers["openid-configuration"] = .success((301, "")) },
        Row("too much", "server_error") {
            $0.answers["openid-configuration"] = .success((200, String(repeating: " ", count: 1 << 20)))
        },
        Row("silence", "server_error") {
            $0.answers["openid-configuration"] = .failure(.timedOut(milliseconds: 5_000))
        },
    ]

    @Test("sends nobody to a provider that does not say well what it is", arguments: documentRows)
    func documents(_ row: Row) async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted, expectsReports: true)
        scripted.change(row.change)
        let left = await browser.leave()
        #expect(left.location?.hasPrefix("\(HostedBrowser.redirect)?") == true, "\(left.location ?? "")")
        #expect(left.parameter("error") == row.error && left.parameter("state") == "a+b &%/é")
        // It is not asked again at once, whoever tries; later it is.
        let count = scripted.requests.count
        #expect(await browser.leave().parameter("error") == row.error)
        #expect(scripted.requests.count == count)
        scripted.script = ScriptedProvider().script
        browser.pass(seconds: PoolLimits.providerRetrySeconds)
        #expect(await browser.leave().location?.hasPrefix("https://login.example/authorize?") == true)
    }

    @Test("goes on with what a provider has said, for a while, when it says nothing any more")
    func outage() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted, expectsReports: true)
        _ = await browser.leave()
        _ = await browser.leave()
        #expect(scripted.requests.count == 1)
        scripted.change { $0.answers["openid-configuration"] = .failure(.unreachable("down")) }
        browser.pass(seconds: PoolLimits.providerDocumentSeconds + 1)
        #expect(await browser.leave().parameter("nonce") != nil)
        #expect(scripted.requests.count == 2)
        browser.pass(seconds: PoolLimits.providerStaleSeconds)
        #expect(await browser.leave().parameter("error") == "server_error")
    }

    @Test("takes an answer once, in the browser that has asked, in time, as it was sent along")
    func states() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted)
        let left = await browser.leave()
        let own = browser.cookie
        let state = try #require(left.parameter("state"))
        scripted.change { $0.nonce = left.parameter("nonce") ?? "" }
        func take(_ query: [(String, String)]) async -> HostedAnswer { await browser.get(.providerAnswer, query) }
        var spoilt = Array(state.utf8)
        spoilt[20] = spoilt[20] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        for query in [
            [], [("code", "c")], [("state", ""), ("code", "c")], [("state", "x"), ("code", "c")],
            [("state", String(decoding: spoilt, as: UTF8.self)), ("code", "c")],
            [("state", state), ("state", state), ("code", "c")],
            [("state", String(repeating: "A", count: 20_000)), ("code", "c")],
        ] { #expect(await take(query).isRefusingPage, "\(query)") }
        browser.cookie = nil
        #expect(await take([("state", state), ("code", "c")]).isRefusingPage)
        _ = await browser.get(.login)
        #expect(browser.cookie != nil && browser.cookie != own)
        #expect(await take([("state", state), ("code", "c")]).isRefusingPage)
        #expect(scripted.requests.count == 1)
        browser.cookie = own
        #expect(await take([("state", state), ("code", "c")]).parameter("code") != nil)
        #expect(await take([("state", state), ("code", "c")]).isRefusingPage)
        browser.cookie = own
        #expect(await take([("state", state), ("code", "c")]).isRefusingPage)

        let late = await browser.leave(for: "Login", [("prompt", "login")])
        #expect(late.parameter("prompt") == "login")
        browser.pass(seconds: PoolLimits.providerStateMilliseconds / 1_000)
        #expect(try await browser.comeBack(after: late, from: scripted).isRefusingPage)
    }

    @Test("tells the app what the provider refuses, in words of its own")
    func refusals() async throws {
        let rows: [([(String, String)], String)] = [
            ([("error", "access_denied"), ("error_description", "<script>")], "access_denied"),
            ([("error", "user_cancelled_authorize")], "access_denied"),
            ([("error", "login_required")], "login_required"),
            ([("error", "evil&x=1")], "invalid_request"), ([("error", "")], "invalid_request"),
            ([], "invalid_request"), ([("code", "")], "invalid_request"),
            ([("code", String(repeating: "c", count: 5_000))], "invalid_request"),
            ([("code", "c"), ("iss", "https://evil.example")], "invalid_request"),
        ]
        for (query, error) in rows {
            let scripted = ScriptedProvider()
            let browser = try HostedBrowser.at(scripted, expectsReports: true)
            let answer = try await browser.comeBack(after: await browser.leave(), from: scripted, query)
            #expect(answer.parameter("error") == error, "\(query)")
            #expect(answer.location?.contains("%3C") == false)
            #expect(!scripted.requests.contains { $0.method == "POST" })
        }
    }

    @Test("is one user, whose mapped attributes follow the provider")
    func attributes() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted) { settings in
            settings.providers[0].mapping = [
                .init(attribute: "email", claim: "email"), .init(attribute: "email_verified", claim: "email_verified"),
                .init(attribute: "custom:team", claim: "team"), .init(attribute: "nickname", claim: "nick"),
            ]
            settings.attributes.custom["team"] = AttributeSchema.Custom()
        }
        scripted.change {
            $0.claims = [("email_verified", true), ("team", ["a", 1])]
            $0.userInfo = ["sub": "1234", "nick": "Annie", "email": "other@example.com"]
        }
        #expect(try await browser.arrive(scripted).parameter("code") != nil)
        #expect(
            scripted.requests.last?.fields.contains { $0.name == "authorization" && $0.value == "Bearer at" } == true)
        var user = try await browser.user("Login_1234")
        let sub = user.attribute("sub")
        #expect(user.attribute("email") == "ann@example.com" && user.attribute("email_verified") == "true")
        #expect(user.attribute("custom:team") == #"["a",1]"# && user.attribute("nickname") == "Annie")
        scripted.change { $0.claims = [("email", "new@example.com"), ("name", "Eve")] }
        #expect(try await browser.arrive(scripted, [("prompt", "login")]).parameter("code") != nil)
        user = try await browser.user("Login_1234")
        #expect(user.attribute("sub") == sub && user.attribute("email") == "new@example.com")
        #expect(user.attribute("email_verified") == "false" && user.attribute("custom:team") == #"["a",1]"#)
    }

    @Test("is refused where the provider tells of somebody else than its token does")
    func otherPerson() async throws {
        let scripted = ScriptedProvider()
        scripted.change { $0.userInfo = ["sub": "4321"] }
        let browser = try HostedBrowser.at(scripted, expectsReports: true)
        #expect(try await browser.arrive(scripted).parameter("error") == "invalid_request")
    }

    @Test("is refused where an attribute that everybody has is missing, or one has no form")
    func missingAttributes() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted) { $0.attributes.required = ["email", "birthdate"] }
        var answer = try await browser.arrive(scripted)
        #expect(answer.parameter("error_description") == "attributes required: [birthdate]")
        scripted.change { $0.claims = [("email", "no address")] }
        answer = try await browser.arrive(scripted)
        #expect(answer.parameter("error") == "invalid_request")
        await #expect(throws: PoolError.userNotFound) { try await browser.user("Login_1234") }
    }

    @Test("tells people apart to the letter")
    func subjects() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted) { $0.isCaseSensitive = true }
        for subject in ["aB", "Ab", "e\u{301}", "\u{e9}"] {
            scripted.change { $0.subject = subject }
            let answer = try await browser.arrive(scripted, [("prompt", "login")])
            let tokens = await browser.exchange(try #require(answer.parameter("code"))).json
            let name = try HostedBrowser.claims(tokens["id_token"]?.string)["cognito:username"]?.text
            #expect(name == ByteText("Login_\(subject)"))
        }
        // Where names are one in any case, the second has none, and is not taken for the first.
        let folding = try HostedBrowser.at(scripted)
        scripted.change { $0.subject = "aB" }
        #expect(try await folding.arrive(scripted).parameter("code") != nil)
        scripted.change { $0.subject = "Ab" }
        #expect(try await folding.arrive(scripted, [("prompt", "login")]).parameter("error") == "invalid_request")
    }

    @Test("lets nobody of the pool take a name or an address of a provider's users, nor the other way round")
    func names() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted)
        for name in ["Login_1234", "login_1234", "LOGIN_x"] {
            await #expect(throws: PoolError.invalidParameter("Username cannot begin as those of users of Login do.")) {
                try await browser.make(name)
            }
        }
        #expect(try await browser.arrive(scripted).parameter("code") != nil)
        // Nobody has proved here that it is theirs.
        try await browser.make("ann")
        #expect(try await browser.user("ann").attribute("email") == "ann@example.com")

        let byEmail = try HostedBrowser.at(scripted) { $0.signInNames = [.email] }
        #expect(try await byEmail.arrive(scripted).parameter("code") != nil)
        try await byEmail.call(
            "SignUp",
            ["ClientId": "app", "Username": "ann@example.com", "Password": .string(HostedBrowser.password)])
        #expect(try await byEmail.user("ann@example.com")["UserStatus"] == "UNCONFIRMED")
        #expect(try await byEmail.arrive(scripted, [("prompt", "login")]).parameter("code") != nil)
    }

    @Test("leaves no other way in")
    func noPassword() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted)
        scripted.change { $0.claims = [("email_verified", true)] }
        let answer = try await browser.arrive(scripted)
        let tokens = await browser.exchange(try #require(answer.parameter("code"))).json
        try await browser.edit("Login_1234") { $0.attributes.set("email_verified", to: "true") }
        func refusal(_ operation: String, _ members: JSONValue) async -> PoolError? {
            do throws(PoolError) {
                try await browser.call(operation, members)
                return nil
            } catch { return error }
        }
        let inState = "in the current state."
        #expect(
            await refusal(
                "InitiateAuth",
                [
                    "ClientId": "app", "AuthFlow": "USER_PASSWORD_AUTH",
                    "AuthParameters": ["USERNAME": "Login_1234", "PASSWORD": .string(HostedBrowser.password)],
                ]) == .wrongPassword)
        // As for somebody who is not there, and nothing is sent.
        try await browser.call(
            "InitiateAuth",
            [
                "ClientId": "app", "AuthFlow": "USER_AUTH",
                "AuthParameters": ["USERNAME": "Login_1234", "PREFERRED_CHALLENGE": "EMAIL_OTP"],
            ])
        #expect(try await browser.sentCode().isEmpty)
        #expect(
            await refusal("ForgotPassword", ["ClientId": "app", "Username": "Login_1234"])
                == .notAuthorized("User password cannot be reset \(inState)"))
        #expect(
            await refusal(
                "ChangePassword",
                [
                    "AccessToken": try #require(tokens["access_token"]),
                    "ProposedPassword": .string(HostedBrowser.password),
                ])
                == .notAuthorized("User password cannot be changed \(inState)"))
        let form = await browser.signIn("Login_1234")
        #expect(form.location == nil && form.text.contains("Incorrect username or password."))
    }

    @Test("lets somebody in no longer whom an administrator has disabled")
    func disabled() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted)
        #expect(try await browser.arrive(scripted).parameter("code") != nil)
        try await browser.call(
            "AdminDisableUser", ["UserPoolId": .string(Self.pool), "Username": "Login_1234"], by: true)
        let answer = try await browser.arrive(scripted)
        #expect(answer.parameter("error_description") == "User is disabled." && answer.parameter("code") == nil)
    }

    // MARK: Links

    private static func link(_ browser: HostedBrowser, _ name: String = "ann") async throws {
        try await browser.call(
            "AdminLinkProviderForUser",
            [
                "UserPoolId": .string(pool),
                "DestinationUser": ["ProviderName": "Cognito", "ProviderAttributeValue": .string(name)],
                "SourceUser": ["ProviderName": "Login", "ProviderAttributeValue": "1234"],
            ], by: true)
    }

    @Test("is that of the local user, where an administrator has linked the two")
    func links() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted)
        try await browser.make()
        try await Self.link(browser)
        #expect(try await browser.user("ann").attribute("identities")?.contains(#""primary":false"#) == true)
        scripted.change { $0.claims = [("name", "Ann by Login")] }
        let answer = try await browser.arrive(scripted)
        let tokens = await browser.exchange(try #require(answer.parameter("code"))).json
        let claims = try HostedBrowser.claims(tokens["id_token"]?.string)
        #expect(claims["cognito:username"] == "ann" && claims["cognito:groups"] == nil)
        #expect(claims["identities"]?.array?.first?["providerType"] == "OIDC")
        #expect(try await browser.user("ann").attribute("name") == "Ann by Login")
        #expect(await browser.signIn().parameter("code") != nil)
        let source: JSONValue = ["ProviderName": "Login", "ProviderAttributeValue": "1234"]
        // A browser that came by the provider is known for as long as the two are one.
        _ = try await browser.arrive(scripted, [("prompt", "login")])
        #expect(await browser.get(.authorize).parameter("code") != nil)
        try await browser.call(
            "AdminDisableProviderForUser", ["UserPoolId": .string(Self.pool), "User": source], by: true)
        #expect(try await browser.user("ann").attribute("identities") == nil)
        #expect(await browser.get(.authorize).parameter("code") == nil)
        #expect(try await browser.arrive(scripted, [("prompt", "login")]).parameter("code") != nil)
        #expect(try await browser.user("Login_1234")["UserStatus"] == "EXTERNAL_PROVIDER")
        // Who is a user already cannot become another one, and not lose what leads to them.
        await #expect(throws: PoolError.self) { try await Self.link(browser) }
        await #expect(throws: PoolError.self) {
            try await browser.call(
                "AdminDisableProviderForUser", ["UserPoolId": .string(Self.pool), "User": source], by: true)
        }
    }

    @Test("asks a linked user for the second factor that is on, and nobody for one that is not")
    func secondFactor() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted) { $0.secondFactorDemand = .required }
        #expect(try await browser.arrive(scripted).parameter("code") != nil)
        try await browser.call(
            "AdminDeleteUser", ["UserPoolId": .string(Self.pool), "Username": "Login_1234"], by: true)
        try await browser.make { user in
            user.totpSecret = Array(repeating: 7, count: 20)
            user.secondFactors = SecondFactorChoice(stored: "SOFTWARE_TOKEN_MFA*")
        }
        try await Self.link(browser)
        let asked = try await browser.arrive(scripted)
        #expect(asked.location == nil && asked.text.contains("Enter your code"))
        #expect(await browser.get(.authorize).parameter("code") == nil)
    }

    @Test("is refused for a local user who has never confirmed their account", arguments: [true, false])
    func unconfirmed(isConfirmed: Bool) async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted)
        try await browser.make { $0.status = isConfirmed ? .mustChangePassword : .unconfirmed }
        try await Self.link(browser)
        #expect((try await browser.arrive(scripted).parameter("code") != nil) == isConfirmed)
    }

    // MARK: What is called on the way

    @Test("calls the functions of a sign-up the first time, and those of a sign-in later")
    func triggers() async throws {
        let scripted = ScriptedProvider()
        let functions = TestFunctions()
        let both = Switchboard(functions: functions, provider: scripted)
        let browser = try HostedBrowser(outside: both) { settings in
            settings.providers = [ScriptedProvider.provider()]
            for trigger in PoolTrigger.allCases { settings.triggers.urls[trigger] = "http://functions.test/\(trigger)" }
        }
        let first = try await browser.arrive(scripted)
        _ = await browser.exchange(try #require(first.parameter("code")))
        #expect(
            functions.sources == [
                "PreSignUp_ExternalProvider", "PostConfirmation_ConfirmSignUp", "TokenGeneration_HostedAuth",
            ])
        let event = try #require(functions.events.first)
        #expect(event["userName"] == "Login_1234" && event["callerContext"]?["clientId"] == "app")
        #expect(event["request"]?["userAttributes"]?["email"] == "ann@example.com")
        let told = functions.events[1]["request"]?["userAttributes"]
        #expect(told?["cognito:user_status"] == "EXTERNAL_PROVIDER" && told?["identities"]?.string != nil)
        _ = try await browser.arrive(scripted, [("prompt", "login")])
        #expect(
            functions.sources.dropFirst(3) == ["PreAuthentication_Authentication", "PostAuthentication_Authentication"])
    }

    @Test("does what the function before a sign-up decides: refuses, verifies, links")
    func preSignUp() async throws {
        let scripted = ScriptedProvider()
        let refusing = TestFunctions { _, _ in
            OutsideResponse(
                status: 200, fields: [("x-amz-function-error", "Unhandled")],
                body: Array(#"{"errorMessage":"not you"}"#.utf8))
        }
        let verifying = TestFunctions { _, event in
            event.respond("autoVerifyEmail", true)
            event.respond("autoConfirmUser", true)
            return nil
        }
        func browser(_ functions: any OutsideService) throws -> HostedBrowser {
            try HostedBrowser(outside: Switchboard(functions: functions, provider: scripted)) { settings in
                settings.providers = [ScriptedProvider.provider()]
                settings.triggers.urls[.preSignUp] = "http://functions.test/preSignUp"
                settings.signInNames = [.email]
            }
        }
        let refused = try browser(refusing)
        let answer = try await refused.arrive(scripted)
        #expect(answer.parameter("error_description") == "PreSignUp failed with error not you.")
        await #expect(throws: PoolError.userNotFound) { try await refused.user("Login_1234") }
        let verified = try browser(verifying)
        #expect(try await verified.arrive(scripted).parameter("code") != nil)
        let user = try await verified.user("Login_1234")
        #expect(user["UserStatus"] == "EXTERNAL_PROVIDER" && user.attribute("email_verified") == "true")
        await #expect(throws: PoolError.userNotFound) { try await verified.user("ann@example.com") }
    }

    /// Links whoever comes to a user who is there.
    private final class Linking: OutsideService {
        let browser = Mutex<HostedBrowser?>(nil)

        func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
            guard let browser = browser.withLock({ $0 }) else { throw .unreachable("no pool") }
            do { try await ProviderSignInTests.link(browser) } catch { throw .unreachable("\(error)") }
            return OutsideResponse(status: 200, body: request.body)
        }
    }

    @Test("is the linked user's at once, where the function before a sign-up has linked them")
    func linkedOnTheWay() async throws {
        let scripted = ScriptedProvider()
        let functions = Linking()
        let calling = try HostedBrowser(outside: Switchboard(functions: functions, provider: scripted)) { settings in
            settings.providers = [ScriptedProvider.provider()]
            settings.triggers.urls[.preSignUp] = "http://functions.test/preSignUp"
        }
        // Any call makes the tables.
        _ = await calling.get(.login)
        try await calling.create("ann")
        functions.browser.withLock { $0 = calling }
        let answer = try await calling.arrive(scripted)
        let tokens = await calling.exchange(try #require(answer.parameter("code"))).json
        #expect(try HostedBrowser.claims(tokens["id_token"]?.string)["cognito:username"] == "ann")
        await #expect(throws: PoolError.userNotFound) { try await calling.user("Login_1234") }
        functions.browser.withLock { $0 = nil }
    }

    /// Functions and a provider, by their addresses.
    private final class Switchboard: OutsideService {
        let functions: any OutsideService
        let provider: any OutsideService

        init(functions: any OutsideService, provider: any OutsideService) {
            self.functions = functions
            self.provider = provider
        }

        func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
            try await (request.url.hasPrefix("http://functions.test") ? functions : provider).send(request)
        }
    }

    // MARK: The browser

    @Test("is remembered for the provider that it was at, and no other")
    func session() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted) { settings in
            settings.providers.append(ScriptedProvider.provider(name: "Other"))
        }
        try await browser.make()
        #expect(await browser.signIn().parameter("code") != nil)
        #expect(await browser.leave().parameter("nonce") != nil)
        #expect(try await browser.arrive(scripted).parameter("code") != nil)
        #expect(await browser.leave().parameter("code") != nil)
        #expect(await browser.leave(for: "Login", [("prompt", "none")]).parameter("code") != nil)
        // What the app demands goes along, also by way of the page.
        #expect(await browser.leave(for: "Login", [("max_age", "0")]).parameter("prompt") == "login")
        let page = await browser.get(.login, HostedBrowser.query([("prompt", "login")]))
        #expect(page.text.contains("&amp;prompt=login&amp;identity_provider=Login\""))
        #expect(await browser.leave(for: "Other").parameter("nonce") != nil)
        #expect(await browser.leave(for: "Other", [("prompt", "none")]).parameter("error") == "login_required")
        #expect(await browser.get(.authorize).parameter("code") != nil)
        _ = await browser.get(.logout, [("client_id", "app"), ("logout_uri", HostedBrowser.logout)])
        #expect(await browser.leave().parameter("nonce") != nil)
    }

    @Test("is offered on the sign-in page, and found by other names")
    func buttons() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted)
        let page = await browser.get(.login)
        #expect(page.text.contains("Continue with Login"))
        #expect(page.text.contains("&amp;identity_provider=Login\""))
        for change in [("identity_provider", "Login"), ("idp_identifier", "login.example")] {
            #expect(await browser.get(.authorize, HostedBrowser.query([change])).parameter("nonce") != nil)
        }
        let direct = await browser.get(.login, HostedBrowser.query(by: "Login"))
        #expect(direct.location?.hasPrefix("/oauth2/authorize?") == true)
        for change in [
            ("identity_provider", "login"), ("identity_provider", "Ghost"), ("idp_identifier", "ghost.example"),
            ("identity_provider", "COGNITO "),
        ] {
            let answer = await browser.get(.authorize, HostedBrowser.query([change]))
            #expect(answer.parameter("error") == "invalid_request", "\(change)")
        }
        let long = await browser.leave(for: "Login", [("state", String(repeating: "é", count: 2_000))])
        #expect(long.parameter("error") == "invalid_request")
    }

    @Test(
        "proves the app in the way that the provider takes",
        arguments: [
            (nil, .secret("a b:c"), true), (["client_secret_basic"], .secret("a b:c"), true),
            (["client_secret_basic", "client_secret_post"], .secret("a b:c"), false),
            (["private_key_jwt"], .secret("a b:c"), false), (nil, .none, nil),
        ] as [([String]?, IdentityProvider.Proof, Bool?)])
    func secrets(methods: [String]?, proof: IdentityProvider.Proof, isPassword: Bool?) async throws {
        let scripted = ScriptedProvider()
        scripted.change { script in
            script.document = [
                ("token_endpoint_auth_methods_supported", methods.map { .array($0.map { .string($0) }) })
            ]
        }
        let browser = try HostedBrowser.at(scripted) { $0.providers[0].proof = proof }
        #expect(try await browser.arrive(scripted).parameter("code") != nil)
        let request = try #require(scripted.requests.first { $0.method == "POST" })
        let field = request.fields.first { $0.name == "authorization" }?.value
        let pair = Base64.text(of: Array("our-client:a%20b%3Ac".utf8), .standard)
        #expect(field == (isPassword == true ? "Basic \(pair)" : nil))
        #expect(scripted.form?["client_secret"] == (isPassword == false ? "a b:c" : nil))
        #expect(scripted.form?["client_id"] == "our-client")
    }

    @Test("asks nobody where the doors of a provider are when the settings say it")
    func endpoints() async throws {
        let scripted = ScriptedProvider()
        let browser = try HostedBrowser.at(scripted) { settings in
            settings.providers[0].endpoints = IdentityProvider.Endpoints(
                authorization: "https://elsewhere.example/go?tenant=1", token: "https://login.example/token",
                keys: "https://login.example/keys")
        }
        let left = await browser.leave()
        #expect(left.location?.hasPrefix("https://elsewhere.example/go?tenant=1&response_type=code&") == true)
        #expect(try await browser.comeBack(after: left, from: scripted).parameter("code") != nil)
        #expect(!scripted.requests.contains { $0.url.hasSuffix("openid-configuration") })
    }

    // MARK: Apple

    @Test("at Apple needs a key of its kind")
    func appleKeys() {
        for pem in ["", "meow", String(decoding: PrivateKey.makeRSA().pem, as: UTF8.self)] {
            #expect(AppleClientKey(team: "T", keyID: "K", pem: Array(pem.utf8)) == nil)
        }
    }

    @Test("at Apple proves the app by a token of its key, and takes the answer as a form")
    func apple() async throws {
        let scripted = ScriptedProvider(issuer: "https://appleid.apple.com")
        let key = try #require(AppleClientKey(team: "TEAM", keyID: "KEY", pem: Array(ScriptedProvider.pem.utf8)))
        let browser = try HostedBrowser.at(scripted, .apple) { $0.providers[0].proof = .apple(key) }
        let left = await browser.leave(for: "SignInWithApple")
        #expect(left.parameter("response_mode") == "form_post" && left.parameter("scope") == "openid email name")
        let state = try #require(left.parameter("state"))
        scripted.change {
            $0.nonce = left.parameter("nonce") ?? ""
            $0.claims = [("name", nil)]
        }
        // The form comes from Apple's page, so without the cookie.
        let form = HostedBrowser.encoded([
            ("state", state), ("code", "c"), ("id_token", "ignored"),
            ("user", #"{"name":{"firstName":"Ann","lastName":"Lee"},"email":"evil@example.com","sub":"1"}"#),
        ])
        let own = browser.cookie
        browser.cookie = nil
        let sent = await browser.send(
            .post, .providerAnswer, body: form, origins: ["https://appleid.apple.com"], sites: ["cross-site"],
            keepsCookies: false)
        #expect(sent.status == 303 && sent.field("set-cookie") == nil)
        let location = try #require(sent.location)
        #expect(location.hasPrefix("/oauth2/idpresponse?") && !location.contains("id_token"))
        browser.cookie = own
        let query = location.split(separator: "?", maxSplits: 1)[1]
        let answer = await browser.send(.get, .providerAnswer, query: String(query))
        #expect(answer.parameter("code") != nil)
        let user = try await browser.user("SignInWithApple_1234")
        #expect(user.attribute("given_name") == "Ann" && user.attribute("family_name") == "Lee")
        #expect(user.attribute("name") == "Ann Lee" && user.attribute("email") == "ann@example.com")
        let parts = try #require(scripted.form?["client_secret"]).split(separator: ".").map(String.init)
        let claims = try HostedBrowser.claims(parts.joined(separator: "."))
        #expect(claims["iss"] == "TEAM" && claims["sub"] == "our-client" && claims["exp"] == 1_800_000_300)
        #expect(claims["aud"] == "https://appleid.apple.com")
        let signature = try #require(Base64.bytes(of: parts[2].utf8))
        let publicKey = try #require(PrivateKey(pem: Array(ScriptedProvider.pem.utf8))?.publicKey)
        #expect(publicKey.verifies(signature, of: Array("\(parts[0]).\(parts[1])".utf8), by: .es256))
        let long = String(repeating: "u", count: PoolLimits.providerPersonBytesMax + 1)
        for body in [
            "state=x&code=c", "code=c", "", "state=\(state)&state=\(state)", "state=\(state)&code=c&user=\(long)",
        ] {
            let answer = await browser.send(.post, .providerAnswer, body: body, keepsCookies: false)
            #expect(answer.isRefusingPage, "\(body)")
        }
    }
}
