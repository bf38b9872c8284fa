import Crypto
import JSON

/// What a client carries from one call of a sign-in to the next. It is sealed, and bound to the pool's data, its client and the
/// record of the user: it chooses all three, whatever else the next call says.
struct SealedState: Sendable {
    /// What the state is for. A state for one thing is no good for another.
    enum Kind: String, Sendable {
        /// A `SECRET_BLOCK`.
        case proof
        /// Waits for the answer to the challenge that it names.
        case challenge
        /// Signs its user in, once: they have just signed up.
        case signedUp
        /// An authenticator app is being set up, and after it the sign-in goes on.
        case setUp
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

    /// The sealed bytes.
    func sealed(by seal: Seal) -> [UInt8] {
        let content = JSONObject([
            ("i", .string(id)), ("c", .string(client)), ("u", user.map(JSONValue.integer) ?? .null),
            ("m", .integer(made)), ("e", .integer(expires)), ("d", .object(details)),
        ])
        return seal.seal(JSONWriter.bytes(of: .object(content)), for: Array(kind.rawValue.utf8))
    }

    /// The state of bytes that this server has sealed for that kind; nil for others.
    init?(_ bytes: [UInt8], _ kind: Kind, openedBy seal: Seal) {
        guard let plain = seal.open(bytes, for: Array(kind.rawValue.utf8)),
            let content = try? JSONReader.value(of: plain).object, let id = content["i"]?.string,
            let client = content["c"]?.string, let made = content["m"]?.integer,
            let expires = content["e"]?.integer, let details = content["d"]?.object
        else { return nil }
        self.kind = kind
        self.id = id
        self.client = client
        user = content["u"]?.integer
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
    func state(_ session: String?, _ kind: SealedState.Kind, of client: AppClient) throws(PoolError) -> SealedState {
        guard let session, let bytes = Base64.bytes(of: session.utf8),
            let state = SealedState(bytes, kind, openedBy: sessionSeal), ByteText(state.client) == ByteText(client.id)
        else { throw .invalidSession }
        guard state.expires > now else { throw .expiredSession }
        guard try !reader().isUsed(state.id) else { throw .usedSession }
        return state
    }
}
