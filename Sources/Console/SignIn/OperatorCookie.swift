import JSON
import Network

/// The cookie of a session. Its name has the instance in it, since browsers do not tell the ports of a machine apart; under TLS
/// it is for TLS alone.
struct OperatorCookie: Sendable {
    let name: String

    init(instance: String) { name = "homeport-operator-\(instance)" }

    /// Nothing else gets it: not the app's functions, which share the origin.
    static let path = "Path=/_homeport"

    /// The value that a request has sent. Two of the name are none: one of them may be a stranger's.
    func value(in head: HTTPRequestHead) -> String? { Self.value(of: name, in: head) }

    static func value(of name: String, in head: HTTPRequestHead) -> String? {
        let pairs = head.fields.values(of: "cookie" as StaticString).flatMap {
            $0.utf8.split(separator: UInt8(ascii: ";"))
        }
        let values = pairs.compactMap { pair -> String? in
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let given = sides[0].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard sides.count == 2, ByteText(Substring(given)) == ByteText(name) else { return nil }
            return String(Substring(sides[1]))
        }
        return values.count == 1 ? values.first : nil
    }

    func setting(_ value: String, isSecure: Bool) -> String {
        "\(name)=\(value); \(Self.path); Max-Age=\(ConsoleLimits.sessionMilliseconds / 1_000); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }

    func removal(isSecure: Bool) -> String {
        "\(name)=; \(Self.path); Max-Age=0; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }
}
