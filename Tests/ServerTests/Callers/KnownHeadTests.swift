import Access
import Network
import Synchronization
import Testing

@testable import Server

@Suite("Callers that are known by their head")
struct KnownHeadTests {
    private final class Clock: Sendable {
        let seconds = Atomic<Int64>(1_000)
    }

    private let clock = Clock()

    private func authenticator() throws -> Authenticator {
        var settings = CredentialSettings(modes: [.apiKey])
        settings.apiKeys = [APIKey("da2-a"), APIKey("da2-b", expires: 2_000)]
        return try Authenticator(settings, now: { [clock] in clock.seconds.load(ordering: .relaxed) })
    }

    /// A head whose caller an authenticator has recognised.
    private func known(
        by authenticator: Authenticator, _ fields: String..., from peer: SocketAddress = .loopback(port: 1)
    ) throws -> KnownHead {
        let fields = HeadFields(try .read("POST /graphql", ["Host: localhost"] + fields), from: peer)
        let known = KnownHead(fields.head, .answer(HTTPResponse()))
        let answer = authenticator.identify(fields) { CredentialRequest(path: "/graphql", fields: fields, body: []) }
        guard case .identity(let identity) = answer else { throw NotRecognised() }
        known.note(identity, fields, by: authenticator)
        return known
    }

    private struct NotRecognised: Error {}

    @Test("the holder of a key is known until the key ends, and again when the clock is set back")
    func ends() throws {
        let authenticator = try authenticator()
        let known = try known(by: authenticator, "x-api-key: da2-b")
        for (now, isKnown) in [(1_000, true), (1_999, true), (2_000, false), (3_000, false), (1_500, true)]
            as [(Int64, Bool)]
        {
            clock.seconds.store(now, ordering: .relaxed)
            #expect((known.holder(isPeerLoopback: true, of: authenticator) != nil) == isKnown)
        }
        let lasting = try self.known(by: authenticator, "x-api-key: da2-a")
        clock.seconds.store(.max, ordering: .relaxed)
        #expect(lasting.holder(isPeerLoopback: true, of: authenticator) != nil)
    }

    @Test("other settings and a peer elsewhere ask anew")
    func asksAnew() throws {
        let authenticator = try authenticator()
        let known = try known(by: authenticator, "x-api-key: da2-a")
        #expect(known.holder(isPeerLoopback: false, of: authenticator) == nil)
        #expect(known.holder(isPeerLoopback: true, of: try self.authenticator()) == nil)
        #expect(known.holder(isPeerLoopback: true, of: authenticator) != nil)
    }

    @Test("a key beside a token or a signature is asked for each time")
    func proofs() throws {
        let authenticator = try authenticator()
        for token in ["", "AWS4-HMAC-SHA256 x", "a.b.c"] {
            let known = try known(by: authenticator, "x-api-key: da2-a", "authorization: \(token)")
            #expect(known.holder(isPeerLoopback: true, of: authenticator) == nil)
        }
    }

    @Test("functions are told of the host that the request came from, and requests of one host share what says so")
    func senders() throws {
        let head = try HTTPRequestHead.read("POST /graphql", ["Host: localhost", "x-client: one"])
        let known = KnownHead(head, .answer(HTTPResponse()))
        let forwarding = Forwarding([])
        func sender(_ address: String, port: UInt16) throws -> HTTPSender {
            let peer = try #require(SocketAddress(numeric: address, port: port))
            return known.sender(of: head, from: peer, forwarding)
        }
        let first = try sender("192.0.2.1", port: 1)
        #expect(try sender("192.0.2.1", port: 2) === first)
        for address in ["192.0.2.2", "192.0.2.1", "2001:db8::1"] {
            #expect(try sender(address, port: 1).peer.hostText == address)
        }
    }

    @Test("only a host that is always this machine needs no question")
    func hosts() throws {
        for (host, isPlain) in [
            ("localhost:1", true), ("127.0.0.1", true), ("api.example.com", false), ("localhost.", false),
        ] {
            let head = try HTTPRequestHead.read("POST /graphql", ["Host: \(host)"])
            #expect(KnownHead(head, .answer(HTTPResponse())).isPlain == isPlain)
        }
    }
}
