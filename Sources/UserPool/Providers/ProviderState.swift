import Crypto
import JSON

/// What comes back from a provider with its answer: for whom somebody was sent there, and with what. It is sealed, bound to the
/// browser by its cookie, and good once.
struct ProviderState: Sendable {
    /// What may be used once.
    let id: String
    let provider: String
    /// The app's request, as it came.
    let query: String
    /// What the ID token has to say.
    let nonce: String
    /// What proves to the provider that its code has come back to who asked for it (RFC 7636).
    let verifier: String
    /// Where the provider sends people back to.
    let redirect: String
    /// In milliseconds since 1970.
    let expires: Int64
    private let browser: String

    private static let purpose = Array("provider".utf8)
    private static let randomCount = 32

    init(
        _ provider: IdentityProvider, for authorization: AuthorizationRequest, in cookie: BrowserCookie, base: String,
        now: Int64
    ) {
        func random() -> String { Base64.text(of: RandomBytes.make(count: Self.randomCount)) }
        id = random()
        self.provider = provider.name
        query = authorization.query.encoded
        nonce = random()
        verifier = random()
        redirect = "\(base)\(HostedPath.providerAnswer.rawValue)"
        expires = now + PoolLimits.providerStateMilliseconds
        browser = Self.mark(of: cookie)
    }

    /// What the verifier is known by until it is sent.
    var challenge: String { Base64.text(of: Digest.sha256.of(Array(verifier.utf8))) }

    /// What stands for a browser without letting anybody be it.
    private static func mark(of cookie: BrowserCookie) -> String {
        Base64.text(of: Digest.sha256.of(Array(cookie.token.text.utf8)))
    }

    /// Returns whether it was made for that browser.
    func isOf(_ cookie: BrowserCookie) -> Bool {
        cookie.isKnown && ConstantTime.areEqual(browser, Self.mark(of: cookie))
    }

    /// The sealed text; nil where the app's request is too long to be sent along.
    func sealed(by seal: Seal) -> String? {
        let content = JSONWriter.bytes(of: [
            "i": .string(id), "p": .string(provider), "q": .string(query), "n": .string(nonce),
            "v": .string(verifier), "r": .string(redirect), "e": .integer(expires), "b": .string(browser),
        ])
        guard content.count <= PoolLimits.providerStateBytesMax else { return nil }
        return Base64.text(of: seal.seal(content, for: Self.purpose))
    }

    /// The state of a text that this server has sealed; nil for others.
    init?(_ text: String, openedBy seal: Seal) {
        guard text.utf8.count <= 2 * PoolLimits.providerStateBytesMax, let bytes = Base64.bytes(of: text.utf8),
            let plain = seal.open(bytes, for: Self.purpose), let content = try? JSONReader.value(of: plain),
            let id = content["i"]?.string, let provider = content["p"]?.string, let query = content["q"]?.string,
            let nonce = content["n"]?.string, let verifier = content["v"]?.string,
            let redirect = content["r"]?.string, let expires = content["e"]?.integer,
            let browser = content["b"]?.string
        else { return nil }
        self.id = id
        self.provider = provider
        self.query = query
        self.nonce = nonce
        self.verifier = verifier
        self.redirect = redirect
        self.expires = expires
        self.browser = browser
    }
}
