import JSON
import PostgresSupport
import Store
import Testing

@testable import UserPool

/// A sign-in each step of which comes to another server, as behind a balancer.
@Suite(
    "Pages and providers of several nodes", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .serialized)
struct NodeProviderTests {
    /// The same browser before each of several nodes.
    private struct Nodes {
        let scripted = ScriptedProvider(issuer: ScriptedProvider.google)
        let all: [HostedBrowser]

        init(isFromThisMachine: Bool = false, _ change: (inout PoolSettings) -> Void) throws {
            let location = try TestDatabase.server()
            let scripted = scripted
            all = try (0..<2).map { _ in
                try HostedBrowser(
                    outside: scripted, isFromThisMachine: isFromThisMachine, at: location, expectsReports: true, change)
            }
        }

        /// The node of a number, before which the browser has the cookie that the other one has given.
        func before(_ number: Int) -> HostedBrowser {
            let (here, other) = (all[number % 2], all[(number + 1) % 2])
            here.cookie = other.cookie
            return here
        }
    }

    @Test(
        "somebody who leaves from one comes back to the other with the state, the verifier and the nonce, once",
        arguments: [0, 1])
    func provider(first: Int) async throws {
        let nodes = try Nodes { settings in
            settings.providers = [ScriptedProvider.provider(.google, issuer: ScriptedProvider.google)]
        }
        var names: [JSONValue?] = []
        for round in 0..<2 {
            let (one, two) = (first + round, first + round + 1)
            let left = await nodes.before(one).leave(for: "Google", round == 0 ? [] : [("prompt", "login")])
            let answer = try await nodes.before(two).comeBack(after: left, from: nodes.scripted)
            let code = try #require(answer.parameter("code"), "\(answer.location ?? answer.text)")
            // The answer was used, whichever node is asked.
            let state = try #require(left.parameter("state"))
            #expect(
                await nodes.before(one).get(.providerAnswer, [("state", state), ("code", "c0de-of-theirs")])
                    .isRefusingPage)
            let tokens = await nodes.before(one).exchange(code).json
            let claims = try HostedBrowser.claims(tokens["id_token"]?.string)
            #expect(claims["nonce"] == "n-1")
            names.append(claims["cognito:username"])
            // Its code as well: whoever shows it again ends what it has given.
            #expect(await nodes.before(two).exchange(code).json["error"] == "invalid_grant")
            let refresh = try #require(tokens["refresh_token"])
            await #expect(throws: PoolError.self) {
                try await nodes.before(one).call(
                    "GetTokensFromRefreshToken", ["ClientId": "app", "RefreshToken": refresh])
            }
        }
        #expect(names == ["Google_1234", "Google_1234"])
    }

    @Test("a stand-in's page, its answer and the code are each taken by another node")
    func standIn() async throws {
        let nodes = try Nodes(isFromThisMachine: true) { $0.providers = [IdentityProvider(standInFor: .google)] }
        let left = await nodes.before(0).get(.authorize, HostedBrowser.query(by: "Google"))
        let query = try ["redirect_uri", "state", "nonce", "code_challenge", "client_id"].map { name in
            (name, try #require(left.parameter(name)))
        }
        let page = await nodes.before(1).get(.standIn, query)
        #expect(page.status == 200)
        let sent = await nodes.before(0).post(
            .standIn, [("email", "ann@example.com"), ("name", "Ann")], query, token: nodes.all[1].token)
        let start = "http://\(HostedBrowser.authority)/oauth2/idpresponse?"
        let location = try #require(sent.location)
        #expect(location.hasPrefix(start), "\(location)")
        let answer = await nodes.before(1).send(.get, .providerAnswer, query: String(location.dropFirst(start.count)))
        let tokens = await nodes.before(0).exchange(try #require(answer.parameter("code"))).json
        #expect(try HostedBrowser.claims(tokens["id_token"]?.string)["email"] == "ann@example.com")
    }

    @Test("a form of one is taken by the other, the sign-in of the browser holds on both, and ends on both")
    func pages() async throws {
        let nodes = try Nodes { _ in }
        try await nodes.all[0].make()
        _ = await nodes.before(0).get(.login)
        let form = [("username", "ann"), ("password", HostedBrowser.password)]
        let answer = await nodes.before(1).post(.login, form, token: nodes.all[0].token)
        #expect(answer.parameter("code") != nil, "\(answer.text)")
        // Signed in, nobody is asked again.
        #expect(await nodes.before(0).get(.authorize).parameter("code") != nil)
        #expect(
            await nodes.before(1).get(.logout, [("client_id", "app"), ("logout_uri", HostedBrowser.logout)]).status
                == 302)
        nodes.all[0].cookie = answer.field("set-cookie").map { String($0.prefix { $0 != ";" }) } ?? nodes.all[0].cookie
        #expect(await nodes.all[0].get(.authorize).parameter("code") == nil)
    }

    @Test("a user who signs up at one confirms by the link at the other, once")
    func link() async throws {
        let nodes = try Nodes { settings in
            settings.verifiesByLink = true
            settings.messages.link = MessageTemplate(subject: "Welcome", email: "Follow {##this##}.", sms: nil)
        }
        try await nodes.all[0].call(
            "SignUp",
            [
                "ClientId": "app", "Username": "ann", "Password": .string(HostedBrowser.password),
                "UserAttributes": [["Name": "email", "Value": "ann@example.com"]],
            ])
        let link = [
            ("client_id", "app"), ("user_name", "ann"), ("confirmation_code", try await nodes.all[1].sentCode()),
        ]
        #expect(await nodes.all[1].get(.confirmUser, link).status == 200)
        #expect(await nodes.all[0].get(.confirmUser, link).status == 400)
        #expect(await nodes.before(0).signIn().parameter("code") != nil)
    }
}
