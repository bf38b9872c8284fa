import Network

/// Where a request comes from: this machine itself, or anywhere.
///
/// What is no secret is good on this machine only: the API key of Amplify's local mock, explanations of denials. Behind a
/// proxy every request comes from this machine, so the name by which it was called must be the machine's own, and no field
/// may tell of somebody before. A proxy that says nothing of itself and sends its own name for that of the client (nginx
/// does, unless it is told otherwise) cannot be seen: who has one needs keys of their own.
enum RequestOrigin {
    /// Whether a request comes from a program on this machine, as far as can be seen.
    static func isThisMachine(_ head: HTTPRequestHead, from peer: SocketAddress) -> Bool {
        peer.isLoopback && isCalledLoopback(head) && !isForwarded(head.fields)
    }

    /// A target may name another authority than the `host` field does: both count.
    private static func isCalledLoopback(_ head: HTTPRequestHead) -> Bool {
        if head.withHostField({ HostCheck.isLocal($0, "localhost") || HostCheck.isLocal($0, "127.0.0.1") }) ?? false {
            return true
        }
        guard let authority = head.authority, let host = head.fields["host"] else { return false }
        return HostCheck.isLoopback(authority) && HostCheck.isLoopback(host)
    }

    /// Fields by which proxies, load balancers and content networks tell of the client before them.
    private static let forwardingNames: [StaticString] = [
        "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "client-ip", "true-client-ip",
        "cdn-loop", "x-host", "x-proxyuser-ip", "x-remote-ip", "x-remote-addr",
    ]
    private static let forwardingPrefixes: [StaticString] = [
        "x-forwarded", "x-original-", "x-envoy-", "cf-", "fly-", "fastly-",
    ]

    static func isForwarded(_ fields: HTTPFields) -> Bool {
        forwardingNames.contains { fields.contains($0) } || forwardingPrefixes.contains { fields.contains(prefix: $0) }
    }
}
