import Crypto
import Foundation
import JSON
import TestSupport
import Testing

/// A browser in front of a server's pages, over real sockets: it keeps its cookie and what the last form had in it, and follows
/// nothing by itself.
final class PageBrowser {
    let server: HomeportProcess
    var cookie: String?
    private(set) var token = ""
    /// Sent with every request.
    var fields: [String] = []

    static let clientID = "app"
    static let redirect = "http://localhost:3000/in"
    static let logout = "http://localhost:3000/out"
    static let password = "Str0ng!Passw0rd"
    static let verifier = String(repeating: "v", count: 64)

    /// What a server needs for it.
    static let environment = [
        "HOMEPORT_AUTH_POOL_CLIENTS":
            #"[{"id":"app","callbackUrls":["http://localhost:3000/in"],"logoutUrls":["http://localhost:3000/out"]}]"#
    ]

    init(_ server: HomeportProcess) {
        self.server = server
    }

    struct Answer {
        let status: Int
        let fields: [String: String]
        let body: String

        var location: String? { fields["location"] }
        var json: JSONValue { (try? JSONReader.value(of: body)) ?? .null }

        /// A parameter of the address that it leads to.
        func parameter(_ name: String) -> String? {
            guard let location, let parts = URLComponents(string: location) else { return nil }
            return parts.queryItems?.first { $0.name == name }?.value
        }
    }

    // MARK: Requests

    var base: String { "http://localhost:\(server.port)" }

    func get(_ path: String, _ pairs: [(String, String)] = [], fields: [String] = []) throws -> Answer {
        try send("GET", pairs.isEmpty ? path : "\(path)?\(Self.encoded(pairs))", fields)
    }

    /// Follows an address of the server itself.
    func follow(_ answer: Answer) throws -> Answer {
        let location = try #require(answer.location)
        let path = location.hasPrefix(base) ? String(location.dropFirst(base.count)) : location
        #expect(path.hasPrefix("/"), "\(location)")
        return try send("GET", path)
    }

    func post(
        _ path: String, _ form: [(String, String)], _ query: [(String, String)] = [], fields: [String] = []
    ) throws -> Answer {
        try send(
            "POST", query.isEmpty ? path : "\(path)?\(Self.encoded(query))",
            ["Content-Type: application/x-www-form-urlencoded"] + fields, Self.encoded(form))
    }

    /// Sends the form of the last page.
    func submit(_ path: String, _ form: [(String, String)], _ query: [(String, String)]) throws -> Answer {
        try post(path, [("_csrf", token)] + form, query, fields: ["Origin: \(base)", "Sec-Fetch-Site: same-origin"])
    }

    func send(
        _ method: String, _ target: String, _ fields: [String] = [], _ body: String = "", host: String? = nil
    ) throws -> Answer {
        let client = try RawClient(port: server.port)
        var lines = ["Host: \(host ?? "localhost:\(server.port)")", "Connection: close"] + self.fields + fields
        if method == "POST" { lines.append("Content-Length: \(body.utf8.count)") }
        if let cookie { lines.append("Cookie: \(cookie)") }
        try client.send("\(method) \(target) HTTP/1.1\r\n\(lines.map { "\($0)\r\n" }.joined())\r\n\(body)")
        let parts = try client.readToEnd().components(separatedBy: "\r\n\r\n")
        let head = try AnswerHead(parts[0])
        let answer = Answer(
            status: head.status, fields: head.fields, body: parts.dropFirst().joined(separator: "\r\n\r\n"))
        if let set = answer.fields["set-cookie"] {
            cookie = set.contains("Max-Age=0") ? nil : String(set.prefix { $0 != ";" })
        }
        if let start = answer.body.range(of: #"name="_csrf" value=""#) {
            token = String(answer.body[start.upperBound...].prefix { $0 != "\"" })
        }
        return answer
    }

    static func encoded(_ pairs: [(String, String)]) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }
        return pairs.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
    }

    // MARK: What an app does

    /// With which an app sends somebody to sign in.
    static func query(_ changes: [(String, String?)] = []) -> [(String, String)] {
        var pairs = [
            ("redirect_uri", redirect), ("response_type", "code"), ("client_id", clientID),
            ("scope", "openid email aws.cognito.signin.user.admin"), ("state", "a+b &%/é"),
            ("code_challenge", Base64.text(of: Digest.sha256.of(Array(verifier.utf8)))),
            ("code_challenge_method", "S256"),
        ]
        for (name, value) in changes {
            pairs.removeAll { $0.0 == name }
            if let value { pairs.append((name, value)) }
        }
        return pairs
    }

    func exchange(_ code: String, _ changes: [(String, String?)] = []) throws -> Answer {
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("client_id", Self.clientID),
            ("redirect_uri", Self.redirect), ("code_verifier", Self.verifier),
        ]
        for (name, value) in changes {
            form.removeAll { $0.0 == name }
            if let value { form.append((name, value)) }
        }
        return try program("/oauth2/token", form)
    }

    /// A program's form: without the browser's cookie.
    func program(_ path: String, _ form: [(String, String)]) throws -> Answer {
        let own = cookie
        cookie = nil
        defer { cookie = own }
        return try post(path, form)
    }

    /// The claims of a token.
    static func claims(_ token: JSONValue?) throws -> JSONValue {
        let parts = try #require(token?.string).split(separator: ".")
        return try JSONReader.value(of: try #require(Base64.bytes(of: parts[1].utf8)))
    }

    /// Makes an account on the pages and signs in; the code that the app gets.
    func signUp(_ name: String = "ann") throws {
        _ = try get("/signup", Self.query())
        let made = try submit(
            "/signup",
            [("username", name), ("password", Self.password), ("attribute.email", "\(name)@example.com")], Self.query())
        #expect(made.status == 200 && made.body.contains("Confirm your account"))
        let code = try #require(server.code(for: name))
        let confirmed = try submit("/confirm", [("username", name), ("code", code)], Self.query())
        #expect(confirmed.status == 200 && confirmed.body.contains("Please sign in."))
    }

    func signIn(_ name: String = "ann") throws -> Answer {
        _ = try get("/login", Self.query())
        return try submit("/login", [("username", name), ("password", Self.password)], Self.query())
    }
}
