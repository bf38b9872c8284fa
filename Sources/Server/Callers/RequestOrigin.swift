import Access
import Glibc
import Network

/// Where a request comes from: this machine itself, or anywhere.
///
/// What is no secret is good on this machine only: the API key of Amplify's local mock, explanations of denials. Behind a
/// proxy every request comes from this machine, so the name by which it was called must be the machine's own, and no field
/// may tell of somebody before. A proxy that says nothing of itself and sends its own name for that of the client (nginx
/// does, unless it is told otherwise) cannot be seen: who has one needs keys of their own.
enum RequestOrigin {
    /// Returns whether a request comes from a program on this machine, as far as can be seen.
    static func isThisMachine(_ head: HTTPRequestHead, from peer: SocketAddress) -> Bool {
        isThisMachine(head, isPeerLoopback: peer.isLoopback)
    }

    static func isThisMachine(_ head: HTTPRequestHead, isPeerLoopback: Bool) -> Bool {
        isPeerLoopback && isCalledLoopback(head) && !head.fields.contains(where: isForwarding)
    }

    /// Returns whether nothing tells of a client before the peer.
    static func isDirect(_ head: HTTPRequestHead) -> Bool { !head.fields.contains(where: isForwarding) }

    /// Where a request comes from, with the page that a browser says it is from.
    static func source(of head: HTTPRequestHead, from peer: SocketAddress) -> RequestSource {
        source(of: head, isPeerLoopback: peer.isLoopback)
    }

    static func source(of head: HTTPRequestHead, isPeerLoopback: Bool) -> RequestSource {
        guard isThisMachine(head, isPeerLoopback: isPeerLoopback) else { return .elsewhere }
        if case .foreign = RequestingPage(of: head, at: head.authority) { return .foreignPage }
        return .thisMachine
    }

    /// A target may name another authority than the `host` field does: both count.
    private static func isCalledLoopback(_ head: HTTPRequestHead) -> Bool {
        if HostCheck.isPlain(head) { return true }
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

    /// Returns whether a field of that name tells of a client before. Hot path: two letters decide for nearly all.
    private static func isForwarding(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.count >= namesMin, mayBeForwarding(name[0], name[1], name[2]) else { return false }
        return forwardingNames.contains { name.count == $0.utf8CodeUnitCount && begins(name, $0) }
            || forwardingPrefixes.contains { begins(name, $0) }
    }

    /// No name above is shorter.
    private static let namesMin = 3

    /// Returns whether one of the names above begins so. Nearly every request has `content-type`, `connection` and `x-api-key`.
    private static func mayBeForwarding(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        switch first {
        case UInt8(ascii: "c"):
            second == UInt8(ascii: "l") || second == UInt8(ascii: "d") || second == UInt8(ascii: "f")
        case UInt8(ascii: "f"), UInt8(ascii: "t"), UInt8(ascii: "v"): true
        case UInt8(ascii: "x"): third != UInt8(ascii: "a")
        default: false
        }
    }

    private static func begins(_ name: UnsafeRawBufferPointer, _ prefix: StaticString) -> Bool {
        guard name.count >= prefix.utf8CodeUnitCount, let start = name.baseAddress else { return false }
        return memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
    }
}
