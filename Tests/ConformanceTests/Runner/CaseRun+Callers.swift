import Crypto
import JSON
import TestSupport

/// What a request shows to be let in.
extension CaseRun {
    struct UnknownCaller: Error, CustomStringConvertible {
        let name: String
        var description: String { "the case has no identity \(name)" }
    }

    func identity(_ name: String) throws(UnknownCaller) -> Identity {
        if let identity = identities[name] { return identity }
        guard name == "anon" else { throw UnknownCaller(name: name) }
        return .anonymous
    }

    /// The fields of a request that say who calls, with the others.
    func fields(
        of caller: String, _ path: String, _ body: String, _ others: [(name: String, value: String)]
    ) throws(UnknownCaller) -> [(name: String, value: String)] {
        switch try identity(caller) {
        case .anonymous: others
        case .apiKey(let key): others + [("x-api-key", key)]
        case .token(let identity): others + [("Authorization", identity.token())]
        case .authorized(let identity): others + [("Authorization", identity.token)]
        case .signer(let identity):
            identity.signedFields(
                of: .init(host: server.authority, path: path, fields: others, body: Array(body.utf8)))
        }
    }

    /// The object that says who calls in a message over a WebSocket, as the clients make it.
    func authorization(of caller: String, at place: String, _ body: String) throws(UnknownCaller) -> JSONValue {
        var others = [(name: "host", value: server.authority)]
        if case .signer = try identity(caller) {
            others = [
                ("accept", "application/json, text/javascript"), ("content-encoding", "amz-1.0"),
                ("content-type", "application/json; charset=UTF-8"),
            ]
        }
        let fields = try fields(of: caller, place, body, others)
        return .object(JSONObject(fields.map { ($0.name, JSONValue.string($0.value)) }))
    }

    /// The same for Events: `/event` is signed whatever is done, and the names of signed fields are in small letters.
    func eventAuthorization(of caller: String, _ body: String = "{}") throws(UnknownCaller) -> JSONObject {
        let fields = try authorization(of: caller, at: "/event", body).object ?? JSONObject()
        guard case .signer = try identity(caller) else { return fields }
        return JSONObject(fields.map { ($0.key.lowercased(), $0.value) })
    }

    /// What is written byte by byte may use these names too: `${host}`, `${apiKey}`, and by caller `${token:NAME}`,
    /// `${wsAuth:NAME}` (an object), `${wsHeader:NAME}` (the parameter of a handshake) and `${eventHeader:NAME}` (a subprotocol).
    func allNames() throws -> Substitution {
        var all = names
        all.values["host"] = .string(server.authority)
        all.values["apiKey"] = .string(Identity.knownAPIKey)
        for (name, identity) in identities {
            if case .token(let identity) = identity { all.values["token:\(name)"] = .string(identity.token()) }
            all.values["wsAuth:\(name)"] = try authorization(of: name, at: "/graphql", "{}")
            let handshake = try authorization(of: name, at: "/graphql/connect", "{}")
            all.values["wsHeader:\(name)"] = .string(SubscriptionLink.parameter(handshake))
        }
        for name in identities.keys + ["anon"] {
            let object = JSONWriter.bytes(of: .object(try eventAuthorization(of: name)))
            all.values["eventHeader:\(name)"] = .string("header-\(Base64.text(of: object))")
        }
        return all
    }
}
