import Crypto
import JSON

/// What ties a browser to its forms, and to who has signed in with it: one cookie, of a name and a secret. Before a sign-in
/// nothing is kept of it here; a sign-in gives a new one.
struct BrowserCookie: Sendable {
    let token: RefreshToken
    /// True if the browser has sent it.
    let isKnown: Bool

    /// Under https no other host of the same site can set a cookie of that name, which browsers take for the whole host alone.
    private static func name(isSecure: Bool) -> String { isSecure ? "__Host-homeport" : "homeport-sign-in" }

    /// Where browsers send it under http: to the pages. There are as many cookies as first parts of their paths.
    private static let paths: [String] = HostedPath.allCases.reduce(into: []) { paths, path in
        let first = "/" + String(Substring(path.rawValue.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }))
        if !paths.contains(where: { $0.utf8.elementsEqual(first.utf8) }) { paths.append(first) }
    }

    /// The cookie of a request, or a new one. Two of the name are none: one of them may be a stranger's.
    init(_ request: HostedRequest) {
        let name = ByteText(Self.name(isSecure: request.isSecure))
        let pairs = request.cookies.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
        let values = pairs.compactMap { pair -> String? in
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let given = sides[0].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard sides.count == 2, ByteText(Substring(given)) == name else { return nil }
            return String(Substring(sides[1]))
        }
        if values.count == 1, let token = RefreshToken(values[0]) {
            self.token = token
            isKnown = true
        } else {
            token = RefreshToken(for: UUIDText.random())
            isKnown = false
        }
    }

    static func fields(_ token: RefreshToken, isSecure: Bool) -> [(name: String, value: String)] {
        fields("\(name(isSecure: isSecure))=\(token.text)", isSecure)
    }

    static func removal(isSecure: Bool) -> [(name: String, value: String)] {
        fields("\(name(isSecure: isSecure))=; Max-Age=0", isSecure)
    }

    private static func fields(_ content: String, _ isSecure: Bool) -> [(name: String, value: String)] {
        (isSecure ? ["/"] : paths).map { path in
            ("set-cookie", "\(content); Path=\(path); HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")")
        }
    }

    /// What stands in the forms of pages that this browser has got. Nobody who does not know the cookie can make it.
    func formToken(_ key: [UInt8]) -> String {
        Base64.text(of: HMACSHA256.code(of: Array(token.text.utf8), key: key))
    }
}
