import Crypto
import JSON
import Network

/// A cookie that says of a browser that somebody was signed in with it before, and nothing more: its wrong tries are not counted with
/// those of strangers. It outlives the session and signs nobody in.
struct BrowserMark: Sendable {
    private let name: String
    private let secret: [UInt8]

    private static let lifeSeconds = 365 * 86_400
    private static let nameBytes = 12

    /// - Parameter secret: the same after a restart.
    init(instance: String, secret: [UInt8]) {
        name = "homeport-browser-\(instance)"
        self.secret = secret
    }

    /// The name of the browser that sent a request; nil for an unknown browser.
    func browser(of head: HTTPRequestHead) -> ByteText? {
        guard let value = OperatorCookie.value(of: name, in: head) else { return nil }
        let parts = value.parts(separatedBy: ".")
        guard parts.count == 2, ConstantTime.areEqual(proof(of: parts[0]), parts[1]) else { return nil }
        return ByteText(parts[0])
    }

    /// The cookie of a browser that is not known yet.
    func setting(isSecure: Bool) -> String {
        let browser = Base64.text(of: RandomBytes.make(count: Self.nameBytes), .url)
        return
            "\(name)=\(browser).\(proof(of: browser)); \(OperatorCookie.path); Max-Age=\(Self.lifeSeconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }

    private func proof(of browser: String) -> String {
        Base64.text(of: HMACSHA256.code(of: Array(browser.utf8), key: secret), .url)
    }
}
