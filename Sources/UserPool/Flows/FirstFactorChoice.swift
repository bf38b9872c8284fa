import Crypto
import JSON

/// `USER_AUTH`: whoever signs in says by what.
///
///     InitiateAuth ─┬─ a session of a sign-up ──────────────────────▶ the next step
///                   ├─ PREFERRED_CHALLENGE, which the user has ─────▶ its first round
///                   └─ none, or one that they lack ─▶ SELECT_CHALLENGE ─▶ the first round of what is chosen
///
/// Whoever is not there is answered like somebody with a password and one address, and always the same, where existence is
/// hidden.
extension PoolRun {
    /// What can prove first who somebody is.
    private enum FirstWay: String, CaseIterable {
        case passwordSRP = "PASSWORD_SRP"
        case password = "PASSWORD"
        case email = "EMAIL_OTP"
        case sms = "SMS_OTP"
        case passkey = "WEB_AUTHN"

        /// The attribute that a code goes to.
        var attribute: String? {
            switch self {
            case .email: "email"
            case .sms: "phone_number"
            case .passwordSRP, .password, .passkey: nil
            }
        }
    }

    /// What the pool has to allow for a way.
    private static func factor(of way: FirstWay) -> PoolSettings.FirstFactor {
        switch way {
        case .passwordSRP, .password: .password
        case .email: .emailCode
        case .sms: .messageCode
        case .passkey: .passkey
        }
    }

    func beginChoice(for client: AppClient) async throws(PoolError) -> JSONObject {
        let member = "AuthParameters"
        if let session = input.text("Session") { return try await signInNewcomer(session, for: client) }
        let given = try demandedParameter("USERNAME", of: member)
        guard given.unicodeScalars.count <= PoolLimits.usernameLengthMax else {
            throw .invalidParameter("USERNAME must have at most \(PoolLimits.usernameLengthMax) characters.")
        }
        let preferred: FirstWay?
        if let name = parameter("PREFERRED_CHALLENGE", of: member), !name.isEmpty {
            guard let way = FirstWay(rawValue: name) else {
                throw .invalidParameter("PREFERRED_CHALLENGE \(Self.shown(name)) is no challenge to begin with.")
            }
            preferred = way
        } else {
            preferred = nil
        }
        let (user, ways) = try await chooser(given)
        if let preferred, ways.contains(preferred) {
            return try await begin(preferred, of: user, given: given, member: member, after: nil, for: client)
        }
        var details = JSONObject()
        details.set("g", to: .string(given))
        var answer = challenge(.select, JSONObject(), details, of: user?.number, for: client)
        answer.set("AvailableChallenges", to: .array(ways.map { .string($0.rawValue) }))
        return answer
    }

    /// `SELECT_CHALLENGE`.
    func answerSelection(for client: AppClient) async throws(PoolError) -> JSONObject {
        let member = "ChallengeResponses"
        let state = try await waiting(for: .select, of: client)
        guard let given = state.text("g") else { throw .invalidSession }
        let answer = try demandedParameter("ANSWER", of: member)
        let user = try await user(state.user)
        if state.user != nil, user == nil { throw .invalidSession }
        guard let way = FirstWay(rawValue: answer), try await ways(of: user, given).contains(way) else {
            throw .invalidParameter("ANSWER is none of the available challenges.")
        }
        return try await begin(way, of: user, given: given, member: member, after: state, for: client)
    }

    private static func shown(_ name: String) -> String { String(name.unicodeScalars.prefix(32).filter(\.isASCII)) }

    /// The user whom a choice names, and the ways that they have. Nobody is one who is not there, and one who has nothing to choose
    /// from, where nobody is to learn that.
    private func chooser(_ given: String) async throws(PoolError) -> (user: User?, ways: [FirstWay]) {
        let user = try await userToProve(given)
        let ways = try await ways(of: user, given)
        guard let user, ways.isEmpty else { return (user, ways) }
        guard settings.existenceErrors == .hidden else {
            throw user.status == .unconfirmed ? .notConfirmed : .wrongPassword
        }
        return (nil, try await self.ways(of: nil, given))
    }

    /// The ways of a user, and of who stands in for one who is not there. Who stands in is made for everybody, or making them could
    /// be felt.
    private func ways(of user: User?, _ given: String) async throws(PoolError) -> [FirstWay] {
        let standIn = standInChooser(given)
        return try await ways(of: user ?? standIn)
    }

    /// Somebody with a password and one address.
    private func standInChooser(_ given: String) -> User {
        var standIn = standInUser(given)
        standIn.status = .confirmed
        standIn.password = StoredPassword(salt: [], verifier: [])
        let attribute = ContactAddress.isPhone(given) ? "phone_number" : "email"
        standIn.attributes.set(attribute, to: .string(given))
        standIn.attributes.set("\(attribute)_verified", to: "true")
        return standIn
    }

    /// In the order in which they are offered.
    private func ways(of user: User) async throws(PoolError) -> [FirstWay] {
        let hasPasskey = try await hasPasskey(user)
        return FirstWay.allCases.filter { way in
            guard settings.firstFactors.contains(Self.factor(of: way)) else { return false }
            switch way {
            case .passwordSRP, .password: return user.hasPassword
            case .email, .sms:
                guard let attribute = way.attribute, user.status == .confirmed, user.hasVerified(attribute) else {
                    return false
                }
                // Where codes to this address are the only second factor, they cannot be the first one too.
                let second = settings.secondFactorDemand == .off ? [] : settings.secondFactors(of: user)
                return second.isEmpty || second.contains { $0.attribute != attribute && user.isReady(for: $0) }
            case .passkey: return hasPasskey
            }
        }
    }

    /// By what somebody may begin a sign-in, as the service names it: a password is one thing, however it is proved.
    func firstFactors(of user: User) async throws(PoolError) -> [JSONValue] {
        try await ways(of: user).filter { $0 != .passwordSRP }.map { .string($0.rawValue) }
    }

    /// The first round of a way. `state` is the session that has let it be chosen.
    private func begin(
        _ way: FirstWay, of user: User?, given: String, member: String, after state: SealedState?,
        for client: AppClient
    ) async throws(PoolError) -> JSONObject {
        // The session is good for another try until one is right.
        var details = JSONObject()
        if let state {
            details.set("s", to: .string(state.id))
            details.set("e", to: .integer(state.expires))
        }
        switch way {
        case .password:
            return try await signInByPassword(
                of: user, given: given, demandedParameter("PASSWORD", of: member), for: client, details: details,
                device: deviceKey(of: member))
        case .passwordSRP:
            var answer = try await beginProof(
                demandedParameter("SRP_A", of: member), of: user, given: given, for: client, details: details)
            let next = SealedState(
                .challenge, client: client, user: user?.number, now: now,
                details: JSONObject([("n", .string(Challenge.passwordVerifier.rawValue))]))
            answer.set("Session", to: .string(session(next)))
            return answer
        case .email, .sms: return try await sendFirst(way, to: user, given: given, after: state, for: client)
        case .passkey:
            guard let user else { throw .invalidParameter("WEB_AUTHN is not enabled for this user pool.") }
            return try await beginPasskey(of: user, given: given, details: details, for: client)
        }
    }

    /// Sends a code that proves who somebody is, and asks for it. It takes as long for those who are not there.
    private func sendFirst(
        _ way: FirstWay, to user: User?, given: String, after state: SealedState?, for client: AppClient
    ) async throws(PoolError) -> JSONObject {
        let attribute = way.attribute ?? "email"
        let isHidden = settings.existenceErrors == .hidden
        let former = state ?? SealedState(.challenge, client: client, user: user?.number, now: now)
        let delivery = try await write { change throws(PoolError) -> CodeDelivery? in
            guard try change.use(former.id, until: former.expires) else { throw .usedSession }
            guard let user, let present = try change.session.user(user.number), present.isEnabled,
                present.hasVerified(attribute), let address = present.attribute(attribute)
            else { return nil }
            let delivery = CodeDelivery(attribute, address)
            if try change.mayQueue(to: address) {
                try change.send(.signIn, to: present, delivery)
            } else if !isHidden {
                throw .tooManyAttempts
            }
            return delivery
        }
        pool.whenQueued()
        let shown = delivery ?? .standIn(for: given, in: settings)
        var details = JSONObject()
        details.set("g", to: .string(given))
        return challenge(
            way == .email ? .emailCode : .smsFirst, shown.parameters(for: user?.name ?? standInName(given)), details,
            of: user?.number, for: client)
    }

    /// Lets in somebody who has just signed up, by the session that they got for it.
    private func signInNewcomer(_ session: String, for client: AppClient) async throws(PoolError) -> JSONObject {
        let state = try await state(session, .signedUp, of: client)
        guard let number = state.user, let user = try await user(number) else { throw .invalidSession }
        if let given = parameter("USERNAME", of: "AuthParameters") {
            guard try await self.user(named: name(given))?.number == user.number else { throw .invalidSession }
        }
        guard user.status != .unconfirmed else { throw .notConfirmed }
        try await askBeforeSignIn(user, given: user.name)
        var progress = SignInProgress(user: number, client: client, firstFactor: .signUp, usedState: state)
        progress.device = try deviceKey(of: "AuthParameters")
        return try await proceed(progress)
    }
}
