import Foundation
import JSON
import TestSupport
import Testing

@Suite("The operator's sign-in")
struct ConsoleSignInTests {
    private static let password = "correct horse battery"

    /// A server that others reach, with the token of its link.
    private func production(in folder: TemporaryFolder = TemporaryFolder()) throws -> (
        client: ConsoleClient, setup: String?
    ) {
        try folder.write(#"{"auth": {"apiKeys": [{"key": "da2-own-key"}]}, "console": true}"#, to: "own.json")
        let server = try HomeportProcess(
            ["--config", "own.json", "--host", "0.0.0.0"], schema: ConsoleClient.schema, in: folder)
        let setup = server.banner.firstMatch(of: /#setup=([A-Za-z0-9_-]+)/).map { String($0.1) }
        return (ConsoleClient(server), setup)
    }

    /// Takes the cookie and the token of an answer.
    private func take(_ answer: ConsoleClient.Answer, _ client: ConsoleClient) {
        client.cookie = answer.field("set-cookie")?.split(separator: ";").first.map(String.init)
        client.token = answer.json["csrf"]?.string
    }

    private func signedIn(in folder: TemporaryFolder = TemporaryFolder()) throws -> ConsoleClient {
        let (client, setup) = try production(in: folder)
        let answer = try client.post(
            "setup", ["token": .string(try #require(setup)), "password": .string(Self.password)])
        #expect(answer.status == 200, "\(answer)")
        take(answer, client)
        return client
    }

    @Test("is asked for where others reach the server, for everything but the page and the session")
    func asked() throws {
        let (client, _) = try production()
        #expect(try client.request("GET", "/").status == 200)
        #expect(try client.get("session").json["signIn"]?.string == "setup")
        for path in [
            "info", "schema", "access", "live", "users", "server", "backup", "audit", "messages", "server/history",
        ] {
            let answer = try client.get(path)
            #expect(answer.status == 401 && answer.code == "notSignedIn", "\(path) \(answer)")
        }
        for path in ["run", "rows", "sql", "change", "export", "import", "password"] {
            #expect(try client.call("POST", path, "{}").status == 401, "\(path)")
        }
    }

    @Test("begins with the link of the start, which is good once")
    func setup() throws {
        let (client, setup) = try production()
        let token = try #require(setup)
        let wrong = try client.post("setup", ["token": "AAAA", "password": .string(Self.password)])
        #expect(wrong.status == 403 && wrong.code == "wrongToken")
        let short = try client.post("setup", ["token": .string(token), "password": "short"])
        #expect(short.status == 400)
        let answer = try client.post("setup", ["token": .string(token), "password": .string(Self.password)])
        #expect(answer.status == 200 && answer.json["signIn"]?.string == "done", "\(answer)")
        let cookie = answer.field("set-cookie") ?? ""
        #expect(
            cookie.hasPrefix("homeport-operator-") && cookie.contains("; Path=/_homeport;")
                && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        #expect(!cookie.contains("Secure"))
        take(answer, client)
        #expect(try client.get("info").status == 200)
        #expect(try client.post("setup", ["token": .string(token), "password": "another password"]).status != 200)
    }

    @Test("keeps sessions over a restart, and ends them when somebody signs out")
    func sessions() throws {
        let folder = TemporaryFolder()
        let before = try signedIn(in: folder)
        before.server.signal(SIGTERM)
        _ = before.server.exitStatus()
        let (client, setup) = try production(in: folder)
        #expect(setup == nil)
        client.cookie = before.cookie
        client.token = try client.get("session").json["csrf"]?.string
        #expect(try client.get("info").status == 200)
        let stolen = client.cookie
        #expect(try client.post("sign-out", .object(JSONObject())).status == 200)
        client.cookie = stolen
        #expect(try client.get("info").status == 401)
    }

    @Test("slows who guesses, and lets the right password in again")
    func slowed() throws {
        let client = try signedIn()
        let codes = try guesses(client)
        #expect(codes.prefix(3).allSatisfy { $0 == "wrongPassword" } && codes.last == "slowDown", "\(codes)")
        var slow = try client.post("sign-in", ["password": .string(Self.password)])
        // The wait of a second may be over: then the right password is taken, and all begins anew.
        for _ in 0..<4 where slow.status == 200 {
            #expect(try guesses(client).last == "slowDown")
            slow = try client.post("sign-in", ["password": .string(Self.password)])
        }
        #expect(slow.status == 429 && (slow.json["error"]?["retrySeconds"]?.integer ?? 0) >= 1)
    }

    /// Guesses as a stranger until there is something to wait for, and gives the answers. On a machine that takes long for a password the
    /// first waits are over before the next try.
    private func guesses(_ client: ConsoleClient) throws -> [String] {
        client.cookie = nil
        var codes: [String] = []
        for _ in 0..<12 where codes.last != "slowDown" {
            codes.append(try client.post("sign-in", ["password": "wrong password"]).code ?? "")
        }
        return codes
    }

    @Test("a browser in which somebody was signed in is not slowed with strangers, and is nobody by that alone")
    func knownBrowser() throws {
        let (client, setup) = try production()
        let made = try client.post(
            "setup", ["token": .string(try #require(setup)), "password": .string(Self.password)])
        let cookies = made.head.components(separatedBy: "\r\n").filter { $0.lowercased().hasPrefix("set-cookie:") }
        let mark = try #require(cookies.first { $0.contains("homeport-browser-") })
        #expect(mark.contains("; Path=/_homeport;") && mark.contains("HttpOnly") && mark.contains("SameSite=Strict"))
        let pair = try #require(mark.dropFirst("set-cookie: ".count).split(separator: ";").first.map(String.init))
        for forged in [String(pair.dropLast(3)) + "AAA", pair + "x", String(pair.prefix { $0 != "." })] {
            var codes: [String] = []
            // A stranger's wait may be over before the next try, and is longer then. A known browser has three tries without one.
            for _ in 0..<3 where codes.last != "slowDown" {
                #expect(try guesses(client).last == "slowDown")
                client.cookie = forged
                codes.append(try client.post("sign-in", ["password": "wrong password"]).code ?? "")
            }
            #expect(codes.last == "slowDown", "\(forged) \(codes)")
        }
        client.cookie = pair
        #expect(try client.get("info").status == 401)
        #expect(try client.post("sign-in", ["password": "wrong password"]).code == "wrongPassword")
        #expect(try client.post("sign-in", ["password": .string(Self.password)]).status == 200)
    }

    @Test("wants the token of the session for whatever changes or runs something")
    func tokens() throws {
        let client = try signedIn()
        let token = client.token
        for wrong in [nil, "", "AAAA", token.map { $0 + "x" }] {
            client.token = wrong
            let answer = try client.post("rows", ["model": "Post"])
            #expect(answer.status == 403 && answer.code == "csrf", "\(answer)")
        }
        client.token = token
        #expect(try client.post("rows", ["model": "Post"]).status == 200)
        // The same of another session is none of this one.
        let other = try client.post("sign-in", ["password": .string(Self.password)])
        client.token = other.json["csrf"]?.string
        #expect(try client.post("rows", ["model": "Post"]).status == 403)
    }

    @Test("ends other sessions with another password, and says who did what from where")
    func changed() throws {
        let client = try signedIn()
        let first = (client.cookie, client.token)
        take(try client.post("sign-in", ["password": .string(Self.password)]), client)
        let answer = try client.post(
            "password", ["password": .string(Self.password), "newPassword": "another long password"])
        #expect(answer.status == 200, "\(answer)")
        #expect(try client.get("info").status == 200)
        let entries = try client.get("audit").json["entries"]?.array ?? []
        #expect(
            entries.contains {
                $0["action"]?.string == "operator.password" && $0["from"]?.string == "127.0.0.1"
                    && $0["who"]?.string == "administrator"
            }, "\(entries)")
        (client.cookie, client.token) = first
        #expect(try client.get("info").status == 401)
    }

    @Test("is asked of nobody on this machine, unless they come through a proxy")
    func development() throws {
        let client = try ConsoleClient.server()
        #expect(try client.get("session").json["signIn"]?.string == "none")
        let proxied = try client.call("GET", "info", fields: ["X-Forwarded-For: 10.0.0.1"])
        #expect(proxied.status == 401)
        let setup = try client.call(
            "POST", "setup", #"{"token": "", "password": "a long password"}"#, fields: ["Via: 1.1 x"])
        #expect(setup.status == 403)
    }

    @Test("hides password, sessions and keys from the SQL view")
    func secrets() throws {
        let client = try signedIn()
        for table in ["_homeport_console_settings", "_homeport_console_sessions", "_homeport_settings"] {
            #expect(try client.post("sql", ["sql": .string("SELECT * FROM \(table)")]).status == 400)
        }
        let server = try client.get("server")
        #expect(server.status == 200 && !server.body.contains("da2-own-key"))
    }
}
