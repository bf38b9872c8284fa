import Access
import JSON

/// A caller of the test against leaks: what they are to rules, written down by hand.
struct LeakCaller: Sendable {
    enum Mode: Sendable { case apiKey, pool, oidc, function, signedIn, guest }

    let name: String
    let mode: Mode
    var subject = ""
    var username = ""
    var groups: [String] = []
    let identity: Identity

    static let all: [LeakCaller] = [
        LeakCaller(name: "a key", mode: .apiKey, identity: .apiKey),
        pool("alice", groups: ["Admin"]), pool("bob", groups: ["Dev", "Other"]), pool("carol", groups: []),
        oidc("ann", groups: ["Admin"]), oidc("ben", groups: []),
        // Those whose names or groups look like another's: K and the sign for kelvin, é as one character and as two.
        pool("Kate", groups: ["D\u{E9}v"]), pool("\u{212A}ate", groups: ["De\u{301}v"]),
        pool("jos\u{E9}", groups: ["Admin\u{301}"]), pool("jose\u{301}", groups: []),
        oidc("Ken", groups: []), oidc("\u{212A}en", groups: []),
        LeakCaller(name: "a function", mode: .function, identity: .lambda(deniedFields: [])),
        LeakCaller(name: "signed in", mode: .signedIn, identity: .iam(.authenticated, identityID: "us-east-1:1")),
        LeakCaller(name: "a guest", mode: .guest, identity: .iam(.unauthenticated, identityID: "us-east-1:2")),
    ]

    private static func pool(_ name: String, groups: [String]) -> LeakCaller {
        LeakCaller(
            name: name, mode: .pool, subject: "sub-\(name)", username: name, groups: groups,
            identity: .userPool(username: name, sub: "sub-\(name)", groups: groups))
    }

    private static func oidc(_ name: String, groups: [String]) -> LeakCaller {
        var claims = JSONObject([("sub", .string("sub-\(name)"))])
        if !groups.isEmpty { claims["cognito:groups"] = .array(groups.map(JSONValue.string)) }
        return LeakCaller(
            name: name, mode: .oidc, subject: "sub-\(name)", groups: groups, identity: .oidc(claims: claims))
    }

    /// Whether a stored owner is this caller, for the claim `sub::username`.
    func owns(_ owner: String) -> Bool {
        mode == .pool && ["\(subject)::\(username)", subject, username].contains(owner)
    }
}
