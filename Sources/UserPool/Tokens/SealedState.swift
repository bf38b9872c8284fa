import Crypto
import JSON

/// What a client carries from one call of a sign-in to the next. It is sealed, and bound to the pool's data, its client and the
/// record of the user: it chooses all three, whatever else the next call says.
struct SealedState: Sendable {
    /// What the state is for. A state for one thing is no good for another.
    enum Kind: String, Sendable {
        /// A `SECRET_BLOCK`.
        case proof
        /// The same of a device's proof.
        case deviceProof
        /// Waits for the answer to the challenge that it names.
        case challenge
        /// Signs its user in, once: they have just signed up.
        case signedUp
        /// An authenticator app is being set up, and after it the sign-in goes on.
        case setUp

        /// What the seal is bound to.
        fileprivate var purpose: [UInt8] { Array(rawValue.utf8) }
    }

    let kind: Kind
    /// What may be used once.
    let id: String
    let client: String
    /// Nil: stands in for a user who is not there.
    let user: Int64?
    let made: Int64
    let expires: Int64
    /// What else there is to know.
    var details: JSONObject

    init(_ kind: Kind, client: AppClient, user: Int64?, now: Int64, details: JSONObject = JSONObject()) {
        self.kind = kind
        id = Base64.text(of: RandomBytes.make(count: 16))
        self.client = client.id
        self.user = user
        made = now
        expires = now + client.sessionSeconds * 1_000
        self.details = details
    }

    func text(_ name: String) -> String? { details[name]?.string }

    /// As long for those who are not there, whose number is none, as for others: seals have the length of what is in them.
    private static func userText(_ user: Int64?) -> String {
        let digits = String(user ?? 0)
        return String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits
    }

    /// The sealed bytes.
    func sealed(by seal: Seal) -> [UInt8] {
        let content = JSONObject([
            ("i", .string(id)), ("c", .string(client)), ("u", .string(Self.userText(user))),
            ("m", .integer(made)), ("e", .integer(expires)), ("d", .object(details)),
        ])
        return seal.seal(JSONWriter.bytes(of: .object(content)), for: kind.purpose)
    }

    /// The state of bytes that this server has sealed for that kind; nil for others.
    init?(_ bytes: [UInt8], _ kind: Kind, openedBy seal: Seal) {
        guard let plain = seal.open(bytes, for: kind.purpose),
            let content = try? JSONReader.value(of: plain).object, let id = content["i"]?.string,
            let client = content["c"]?.string, let made = content["m"]?.integer,
            let expires = content["e"]?.integer, let details = content["d"]?.object
        else { return nil }
        self.kind = kind
        self.id = id
        self.client = client
        user = content["u"]?.string.flatMap { Int64($0) }.flatMap { $0 == 0 ? nil : $0 }
        self.made = made
        self.expires = expires
        self.details = details
    }
}

extension PoolRun {
    /// A session of one door is none of the other.
    private var sessionSeal: Seal { door == .pages ? pool.pageSeal : pool.seal }

    /// A state as `Session`.
    func session(_ state: SealedState) -> String { Base64.text(of: state.sealed(by: sessionSeal)) }

    /// The state of a `Session`, which has to be for this client and not used up.
    func state(_ session: String?, _ kind: SealedState.Kind, of client: AppClient) async throws(PoolError)
        -> SealedState
    {
        let found = try await state(session, kind)
        guard ByteText(found.client.id) == ByteText(client.id) else { throw .invalidSession }
        return found.state
    }

    /// The same where the request names no client: the session does.
    func state(
        _ session: String?, _ kind: SealedState.Kind
    ) async throws(PoolError) -> (state: SealedState, client: AppClient) {
        guard let session, let bytes = Base64.bytes(of: session.utf8),
            let state = SealedState(bytes, kind, openedBy: sessionSeal), let client = pool.clients[state.client]
        else { throw .invalidSession }
        guard state.expires > now else { throw .expiredSession }
        try await read { reader throws(PoolError) in
            guard try !reader.isUsed(state.id) else { throw .usedSession }
            if let user = state.user, try reader.isEnded(sessionOf: user, madeAt: state.made) { throw .invalidSession }
        }
        return (state, client)
    }
}
