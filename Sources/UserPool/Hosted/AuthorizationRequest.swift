import Crypto
import JSON

/// What an app asks for when it sends somebody to sign in (RFC 6749, 4.1.1; OpenID Connect Core, 3.1.2.1): checked, and checked
/// again with every page on the way, for it travels in their addresses.
struct AuthorizationRequest: Sendable {
    let client: AppClient
    let redirect: String
    private(set) var scopes = ""
    /// Given back as it came.
    let state: String?
    private(set) var nonce: String?
    /// The digest that the code's verifier has to have (RFC 7636); nil for clients that prove themselves by a secret.
    private(set) var challenge: String?
    private(set) var provider: String?
    /// The same by something else than its name.
    private(set) var providerIdentifier: String?
    private(set) var hint: String?
    /// True if nobody may be asked anything.
    private(set) var isSilent = false
    /// True if it does not do that somebody is signed in already.
    private(set) var demandsSignIn = false
    /// How long ago that may have been, in seconds.
    private(set) var ageMax: Int64?
    /// As it came, for the addresses of pages.
    let query: FormPairs

    static let textBytesMax = 4_096
    private static let nonceBytesMax = 1_024
    private static let challengeCount = 43
    /// Ways to say all this that could hide what a person would see, or make the server fetch it.
    private static let refused = ["request", "request_uri", "response_mode", "registration"]

    init(_ query: FormPairs?, of clients: [ByteText: AppClient]) throws(HostedFault) {
        guard let query else { throw .wrong("The address of this page is not well-formed, or says something twice.") }
        self.query = query
        // Who is to learn what comes of it has to be sure before anything else, or a stranger could be told.
        guard let id = query["client_id"], let client = clients[id] else {
            throw .wrong("client_id names no client of this user pool.")
        }
        self.client = client
        guard let redirect = query["redirect_uri"],
            client.redirectURIs.contains(where: { ByteText($0) == ByteText(redirect) })
        else {
            throw .wrong(
                "redirect_uri is none that is registered for this client. It has to be one of its redirect addresses, "
                    + "character by character.")
        }
        self.redirect = redirect
        if let name = Self.refused.first(where: { query[$0] != nil }) { throw .wrong("\(name) is not supported.") }
        challenge = try Self.challenge(query, client)
        for name in ["state", "scope", "login_hint", "identity_provider", "idp_identifier"] {
            guard query[name]?.utf8.count ?? 0 <= Self.textBytesMax else { throw .wrong("\(name) is too long.") }
        }
        state = query["state"]
        do throws(AuthorizationFault) {
            try readRest()
        } catch {
            throw .app(self, error)
        }
    }

    /// The digest that proves later that the code comes back to who has asked for it.
    private static func challenge(_ query: FormPairs, _ client: AppClient) throws(HostedFault) -> String? {
        guard let challenge = query["code_challenge"] else {
            guard client.secret != nil, query["code_challenge_method"] == nil else {
                throw .wrong("code_challenge is missing: this client has to use PKCE (RFC 7636) with S256.")
            }
            return nil
        }
        guard let method = query["code_challenge_method"], ByteText(method) == "S256" else {
            throw .wrong("code_challenge_method has to be S256.")
        }
        guard challenge.utf8.count == challengeCount, Base64.bytes(of: challenge.utf8)?.count == 32 else {
            throw .wrong("code_challenge has to be 43 characters: a SHA-256 in base64url.")
        }
        return challenge
    }

    private mutating func readRest() throws(AuthorizationFault) {
        guard let type = query["response_type"] else { throw .request("response_type is missing") }
        guard ByteText(type) == "code" else { throw .type }
        let asked = (query["scope"] ?? "").words
        if let foreign = asked.first(where: { name in !client.scopes.contains { ByteText($0) == ByteText(name) } }) {
            throw .scope(foreign)
        }
        var scopes: [String] = []
        for name in asked.isEmpty ? client.scopes : asked
        where !scopes.contains(where: { ByteText($0) == ByteText(name) }) {
            scopes.append(name)
        }
        self.scopes = scopes.joined(separator: " ")
        nonce = query["nonce"]
        guard nonce?.utf8.count ?? 0 <= Self.nonceBytesMax else { throw .request("nonce is too long") }
        provider = query["identity_provider"]
        providerIdentifier = query["idp_identifier"]
        hint = query["login_hint"]
        if let text = query["max_age"] {
            guard let seconds = text.plainNumber else { throw .request("max_age is no number") }
            ageMax = seconds
        }
        let prompts = Set(texts: (query["prompt"] ?? "").words)
        isSilent = prompts.contains("none")
        demandsSignIn = prompts.contains("login")
        if isSilent, prompts.count > 1 { throw .request("prompt is none and more") }
    }

    /// The app's address with an answer.
    func address(_ answer: [(String, String)]) -> String {
        var pairs = FormPairs()
        for (name, value) in answer { pairs.append(name, value) }
        if let state { pairs.append("state", state) }
        return "\(redirect)\(redirect.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")\(pairs.encoded)"
    }

    /// The address by which the same is asked for at a provider.
    func page(at provider: IdentityProvider) -> String {
        var pairs = query.without(["identity_provider", "idp_identifier"])
        pairs.append("identity_provider", provider.name)
        return "\(HostedPath.authorize.rawValue)?\(pairs.encoded)"
    }

    /// The address of a page on the way.
    func page(_ path: HostedPath) -> String { "\(path.rawValue)?\(query.encoded)" }
}
