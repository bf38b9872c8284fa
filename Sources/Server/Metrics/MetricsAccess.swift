import Crypto
import Network

/// Permission to read `/metrics`: for programs on this machine, callers from the listed addresses, and callers with the token. The
/// counts show which operations an app has and how much it is used.
struct MetricsAccess: Sendable {
    private let settings: MetricsSettings
    private let forwarding: Forwarding

    static let tokenBytesMin = 16

    init(_ settings: MetricsSettings, _ forwarding: Forwarding) {
        (self.settings, self.forwarding) = (settings, forwarding)
    }

    static func isToken(_ text: String) -> Bool {
        text.utf8.count >= tokenBytesMin && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Whether a request may have them. Behind a proxy that is not configured, every request seems to come from the proxy: a list of
    /// addresses says nothing of such a request.
    func allows(_ head: HTTPRequestHead, from peer: SocketAddress) -> Bool {
        if RequestOrigin.isThisMachine(head, from: peer) { return true }
        if let token = settings.token, let shown = head.fields["authorization"],
            ConstantTime.areEqual("Bearer \(token)", shown)
        {
            return true
        }
        guard !settings.addresses.isEmpty, RequestOrigin.isDirect(head) || forwarding.isProxy(peer),
            let client = SocketAddress(numeric: forwarding.client(of: head, from: peer), port: 0)
        else { return false }
        return settings.addresses.contains { $0.contains(client.host) }
    }
}
