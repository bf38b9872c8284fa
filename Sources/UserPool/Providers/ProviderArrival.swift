import Crypto
import JSON

/// Somebody who has signed in at a provider, as the pool is to know them.
struct ProviderArrival: Sendable {
    let provider: IdentityProvider
    let source: ForeignUser
    /// The attributes that the provider's claims are mapped to.
    let attributes: JSONObject

    /// - Parameters:
    ///   - claims: those of the proved ID token.
    ///   - person: what Apple's page says of somebody who signs in for the first time, by way of their browser: JSON. It is as
    ///     good as what people say of themselves, so nothing but names is taken from it.
    init(_ provider: IdentityProvider, _ claims: JSONObject, person: String?) {
        self.provider = provider
        source = ForeignUser(provider: provider.name, subject: claims["sub"]?.string ?? "")
        var claims = claims
        if provider.kind == .apple, let person, person.utf8.count <= PoolLimits.providerPersonBytesMax,
            let names = (try? JSONReader.value(of: person))?["name"]
        {
            let first = names["firstName"]?.string ?? ""
            let last = names["lastName"]?.string ?? ""
            let all = [first, last].filter { !$0.isEmpty }.joined(separator: " ")
            for (claim, value) in [("firstName", first), ("lastName", last), ("name", all)]
            where !value.isEmpty && claims[claim] == nil { claims.set(claim, to: .string(value)) }
        }
        var attributes = JSONObject()
        for mapping in provider.mapping {
            guard let text = claims[mapping.claim].flatMap(Self.text), !text.isEmpty else { continue }
            attributes.set(mapping.attribute, to: .string(text))
        }
        self.attributes = attributes
    }

    /// A claim as the value of an attribute, which is a text.
    private static func text(_ claim: JSONValue) -> String? {
        switch claim {
        case .null: nil
        case .string(let text): text
        default: JSONWriter.text(of: claim)
        }
    }
}

extension PoolRun {
    /// Signs in somebody who has come by a provider: the user that they are here, whom they become if they are none.
    func signIn(_ arrival: ProviderArrival, for client: AppClient) async throws(PoolError) -> JSONObject {
        var run = self
        let user: User
        let source = arrival.source
        if let known = try await read({ reader throws(PoolError) in try reader.user(linkedTo: source) }) {
            try await askBeforeSignIn(known, given: known.name)
            user = known
        } else {
            let made = try await become(arrival)
            run.isOfNewcomer = made.isNew
            user = made.user
        }
        let progress = SignInProgress(user: user.number, client: client, firstFactor: .provider(arrival.provider.name))
        return try await run.lead(user.number, client) { change throws(PoolError) in
            guard let present = try change.session.user(linkedTo: arrival.source), present.number == user.number else {
                throw .userNotFound
            }
            if present.isEnabled { try change.take(arrival.attributes, for: present) }
            return try change.step(progress)
        }
    }

    /// Makes a user of somebody who has none here, unless the function that is asked before has linked them to one.
    private func become(_ arrival: ProviderArrival) async throws(PoolError) -> (user: User, isNew: Bool) {
        let asked = try await askBeforeSignUp(newcomer(arrival), "ExternalProvider")
        let newcomer = Newcomer(
            user: asked.user, names: asked.names.filter { $0.kind == "sub" || $0.kind == "username" })
        let pool = pool.identifiers.userPoolID
        let made = try await write { change throws(PoolError) -> (user: User, isNew: Bool) in
            if let linked = try change.session.user(linkedTo: arrival.source) { return (linked, false) }
            return (try change.create(newcomer, for: arrival.source, inPool: pool), true)
        }
        if made.isNew { try await tellOfConfirmation(made.user, "ConfirmSignUp") }
        return made
    }

    private func newcomer(_ arrival: ProviderArrival) throws(PoolError) -> Newcomer {
        var attributes = arrival.attributes
        for attribute in attributes {
            let fault = settings.attributes.fault(
                of: attribute.key, attribute.value.string ?? "", isByAdministrator: true, isNew: true)
            if let fault { throw fault }
        }
        if let missing = settings.attributes.missing(in: attributes) {
            throw .invalidParameter("attributes required: [\(missing)]")
        }
        for address in ["email", "phone_number"] where attributes[address] != nil {
            if attributes["\(address)_verified"] == nil { attributes.set("\(address)_verified", to: "false") }
        }
        let name = arrival.provider.userName(of: arrival.source.subject)
        let sub = UUIDText.random()
        let user = User(
            number: 0, sub: sub, name: name, status: .external, isEnabled: true, created: now, modified: now,
            attributes: attributes, password: nil, foreignHash: nil, temporaryUntil: nil,
            secondFactors: SecondFactorChoice(), totpSecret: nil, totpCounter: 0)
        return Newcomer(user: user, names: [(self.name(sub), "sub"), (self.name(name), "username")])
    }
}

extension PoolWriting {
    /// Takes over what a provider tells of a user now.
    fileprivate func take(_ attributes: JSONObject, for user: User) throws(PoolError) {
        let changed = JSONObject(
            attributes.members.filter { user.attributes[$0.key]?.text != $0.value.text }.map { ($0.key, $0.value) })
        guard !changed.isEmpty else { return }
        var user = user
        try set(changed, of: &user, isByAdministrator: true)
        try save(user)
    }
}
