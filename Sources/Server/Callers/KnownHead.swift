import Access
import Network

/// What a loop has found out about a head of requests for the API, kept beside the head itself: clients send the same one again and
/// again.
///
/// Equal bytes have the same route and accepted types. The host is asked for each request unless it is one that nobody can take away.
/// Where a request came from is told by its head and the host of its peer, so the object that says so is kept for the last host.
/// A caller is kept for an API key alone, never for a token or a signature, and ends with the key, with the authenticator that has
/// recognised it (other settings have another one), and for a peer elsewhere.
final class KnownHead {
    let reception: HTTPReception
    /// True if the host is this machine by a name that is always its own.
    let isPlain: Bool
    private var holder: Identity?
    private var authenticator: Authenticator?
    private var isPeerLoopback = false
    /// Has the fields of the head and not the head, which has all of this.
    private var sender: HTTPSender?

    init(_ head: HTTPRequestHead, _ reception: HTTPReception) {
        self.reception = reception
        isPlain = HostCheck.isPlain(head)
    }

    /// The holder of the API key that the head shows; nil where that has to be found out.
    func holder(isPeerLoopback: Bool, of authenticator: Authenticator) -> Identity? {
        guard let holder, self.authenticator === authenticator, self.isPeerLoopback == isPeerLoopback,
            authenticator.isInForce(holder)
        else { return nil }
        return holder
    }

    /// From where a request with this head came: the same object while the host is the same.
    func sender(of head: HTTPRequestHead, from peer: SocketAddress, _ forwarding: Forwarding) -> HTTPSender {
        if let sender, sender.peer.host == peer.host { return sender }
        let new = HTTPSender(head.fields, peer, forwarding)
        sender = new
        return new
    }

    /// Notes whom an authenticator has recognised by the head.
    func note(_ identity: Identity, _ fields: HeadFields, by authenticator: Authenticator) {
        guard case .apiKey = identity.proof, !fields.head.fields.contains("authorization") else { return }
        (holder, self.authenticator, isPeerLoopback) = (identity, authenticator, fields.isPeerLoopback)
    }
}
