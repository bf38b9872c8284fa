import Crypto
import JSON
import Store

/// How far somebody is on their way in: what is proved, and what the next answer depends on.
struct SignInProgress: Sendable {
    /// What has proved who it is.
    enum FirstFactor: Sendable {
        /// By the verifier that it was proved against: another one since then means that the password was changed.
        case password([UInt8])
        /// The same in an earlier call, of which the session carries a digest of the verifier.
        case passwordBefore([UInt8])
        /// A code that went to that attribute of the user's.
        case code(String)
        /// They have just signed up.
        case signUp
        case custom
        case passkey
        /// Another provider, which has said who they are.
        case provider(String)
    }

    let user: Int64
    let client: AppClient
    var firstFactor: FirstFactor
    /// Whose tries were counted, and are to be forgotten now.
    var triesSubject: String?
    /// The session that has led here: it is used up when the next step is made.
    var usedState: SealedState?
    /// True if a second factor is proved.
    var hasSecondFactor = false
    /// The device that the client says it is.
    var device: String?
    /// Where the call came from that proved it to be that device; nil before.
    var deviceAddress: String?
    var details = JSONObject()
}

extension SignInProgress.FirstFactor {
    /// The provider that has said who it is.
    var provider: String? {
        if case .provider(let name) = self { name } else { nil }
    }

    /// The attribute to which a code went that stands for the first factor: it is no good as the second.
    var attribute: String? {
        if case .code(let attribute) = self { attribute } else { nil }
    }

    /// Returns whether it still holds for a user as they are now.
    func holds(for user: User) -> Bool {
        switch self {
        case .password(let verifier): user.password?.verifier == verifier
        case .passwordBefore(let digest): user.password.map { Digest.sha256.of($0.verifier) == digest } ?? false
        case .code, .signUp, .custom, .passkey, .provider: true
        }
    }
}

// What a session carries of the way so far.
extension SignInProgress {
    /// As details of a state.
    var carried: JSONObject {
        var details = JSONObject()
        switch firstFactor {
        case .password(let verifier):
            details.set("p", to: .string(Base64.text(of: Digest.sha256.of(verifier))))
        case .passwordBefore(let digest): details.set("p", to: .string(Base64.text(of: digest)))
        case .code(let attribute): details.set("c", to: .string(attribute))
        case .signUp: details.set("f", to: "signUp")
        case .custom: details.set("f", to: "custom")
        case .passkey: details.set("f", to: "passkey")
        case .provider(let name): details.set("v", to: .string(name))
        }
        if hasSecondFactor { details.set("2", to: true) }
        if let device { details.set("k", to: .string(device)) }
        return details
    }

    /// The way that a session has come, which is used up by the next step. Nil where it carries none.
    init?(_ state: SealedState, of client: AppClient) {
        guard let user = state.user else { return nil }
        if let digest = state.text("p") {
            guard let bytes = Base64.bytes(of: digest.utf8) else { return nil }
            firstFactor = .passwordBefore(bytes)
        } else if let attribute = state.text("c") {
            firstFactor = .code(attribute)
        } else if let name = state.text("v") {
            firstFactor = .provider(name)
        } else {
            switch state.details["f"]?.text {
            case "signUp": firstFactor = .signUp
            case "custom": firstFactor = .custom
            case "passkey": firstFactor = .passkey
            default: return nil
            }
        }
        self.user = user
        self.client = client
        usedState = state
        hasSecondFactor = state.details["2"]?.bool ?? false
        device = state.text("k")
    }
}

extension SealedState {
    /// Returns whether the challenge was this one.
    func waits(for challenge: Challenge) -> Bool { details["n"]?.text == ByteText(challenge.rawValue) }
}

/// What comes next on the way in.
enum SignInStep: Sendable {
    case refused(PoolError)
    /// A challenge: its parameters, and what its answer has to know.
    case challenge(Challenge, JSONObject, details: JSONObject)
    case done(TokenSubject, RefreshToken)
}

extension PoolRun {
    /// Goes on behind a factor that was proved: tokens, or the next challenge. It is decided in the transaction that makes the
    /// sign-in, over what is stored at that moment.
    func proceed(_ progress: SignInProgress) async throws(PoolError) -> JSONObject {
        try await lead(progress.user, progress.client) { change throws(PoolError) in try change.step(progress) }
    }

    /// The same where more than the way so far decides what comes next.
    func lead(
        _ user: Int64, _ client: AppClient,
        _ decide: @escaping @Sendable (PoolWriting) throws(PoolError) -> SignInStep
    ) async throws(PoolError) -> JSONObject {
        switch try await write(decide) {
        case .refused(let error): throw error
        case .challenge(let challenge, let parameters, let details):
            pool.whenQueued()
            return self.challenge(challenge, parameters, details, of: user, for: client)
        case .done(let subject, let refresh) where door == .pages:
            if !isOfNewcomer { try await tellOfSignIn(subject.user, newDevice: false) }
            return JSONObject([(PageSession.member, .string(refresh.text))])
        case .done(let subject, let refresh):
            let tokens = try await tokens(of: subject, refresh: refresh)
            var result = tokens.result
            if settings.deviceTracking != .off, subject.device == nil {
                let device = JSONObject([
                    ("DeviceGroupKey", .string(deviceGroupKey(of: subject.user))),
                    ("DeviceKey", .string(newDeviceKey(of: subject.origin))),
                ])
                result.set("NewDeviceMetadata", to: .object(device))
            }
            return JSONObject([
                ("AuthenticationResult", .object(result)), ("ChallengeParameters", .object(JSONObject())),
            ])
        }
    }

    /// A challenge as it is answered, with a session that waits for it alone. A user who is not there gets one too.
    func challenge(
        _ challenge: Challenge, _ parameters: JSONObject, _ details: JSONObject, of user: Int64?, for client: AppClient
    ) -> JSONObject {
        var details = details
        details.set("n", to: .string(challenge.rawValue))
        let state = SealedState(.challenge, client: client, user: user, now: now, details: details)
        return JSONObject([
            ("ChallengeName", .string(challenge.rawValue)), ("ChallengeParameters", .object(parameters)),
            ("Session", .string(session(state))),
        ])
    }

    /// The state of the request's session, which has to wait for that challenge.
    func waiting(for challenge: Challenge, of client: AppClient) async throws(PoolError) -> SealedState {
        let state = try await state(demandedSession(), .challenge, of: client)
        guard state.waits(for: challenge) else { throw .invalidSession }
        return state
    }

    /// How far somebody is whose session waits for that challenge.
    func progress(waitingFor challenge: Challenge, of client: AppClient) async throws(PoolError) -> SignInProgress {
        guard var progress = SignInProgress(try await waiting(for: challenge, of: client), of: client) else {
            throw .invalidSession
        }
        guard try await isMeant(progress.user) else { throw .invalidSession }
        if progress.device == nil { progress.device = try deviceKey(of: "ChallengeResponses") }
        return progress
    }

    /// Returns whether an answer that names somebody means that user. The name chooses nobody: sessions and proofs say whose they are.
    func isMeant(_ user: Int64) async throws(PoolError) -> Bool {
        guard let given = parameter("USERNAME", of: "ChallengeResponses") else { return true }
        return try await self.user(named: name(given))?.number == user
    }

    func demandedSession() throws(PoolError) -> String {
        guard let session = input.text("Session") else { throw .invalidParameter("Missing required parameter Session") }
        return session
    }

    /// The device that a client says it is. Some send an empty key where they know of none.
    func deviceKey(of member: String) throws(PoolError) -> String? {
        guard let key = parameter("DEVICE_KEY", of: member), !key.isEmpty else { return nil }
        guard key.utf8.count <= PoolLimits.deviceKeyBytesMax else { throw .unknownDevice }
        return key
    }
}

extension PoolWriting {
    /// The user who is on the way, if what they have proved still holds and they may go on.
    func user(of progress: SignInProgress) throws(PoolError) -> User? {
        guard let user = try session.user(progress.user), progress.firstFactor.holds(for: user), user.isEnabled else {
            return nil
        }
        return user
    }

    /// What comes next. What refuses is answered and not thrown: what was counted has to stand.
    func step(_ progress: SignInProgress) throws(PoolError) -> SignInStep {
        guard let user = try session.user(progress.user), progress.firstFactor.holds(for: user) else {
            return .refused(progress.usedState == nil ? .wrongPassword : .invalidSession)
        }
        if let state = progress.usedState, try !use(state.id, until: state.expires) { return .refused(.usedSession) }
        // A session that let a proof begin ends with it.
        if let id = progress.details["s"]?.string, let expires = progress.details["e"]?.integer,
            try !use(id, until: expires)
        {
            return .refused(.usedSession)
        }
        if let subject = progress.triesSubject { try endTries(subject) }
        guard user.isEnabled else { return .refused(.disabled) }
        let provider = progress.firstFactor.provider
        switch user.status {
        case .unconfirmed: return .refused(.notConfirmed)
        case .mustReset: return .refused(.resetRequired)
        // Whoever comes by a provider has no need of a password.
        case .mustChangePassword: if provider == nil { return newPasswordStep(user, progress) }
        case .external: if provider == nil { return .refused(.wrongPassword) }
        case .confirmed: break
        }
        var device: Device?
        if let key = progress.device {
            guard settings.deviceTracking != .off, let known = try session.device(key, of: user) else {
                return .refused(.unknownDevice)
            }
            device = known
        }
        let isStoodFor = device.map { standsIn($0, progress) } ?? false
        if !progress.hasSecondFactor, !isStoodFor, let step = try secondFactorStep(user, progress) { return step }
        if device != nil, progress.deviceAddress == nil {
            return .challenge(.deviceSRP, JSONObject(), details: progress.carried)
        }
        return try begin(user, progress)
    }

    private func newPasswordStep(_ user: User, _ progress: SignInProgress) -> SignInStep {
        if let refusal = user.refusalOfTemporaryPassword(at: now) { return .refused(refusal) }
        let missing = settings.attributes.required.filter { user.attribute($0) == nil }
        let parameters = JSONObject([
            ("USER_ID_FOR_SRP", .string(user.name)),
            (
                "requiredAttributes",
                .string(JSONWriter.text(of: .array(missing.map { .string("userAttributes.\($0)") })))
            ),
            (
                "userAttributes",
                .string(
                    JSONWriter.text(
                        of: .object(JSONObject(distinct: user.attributes.filter { progress.client.shows($0.key) }))))
            ),
        ])
        return .challenge(.newPassword, parameters, details: progress.carried)
    }

    /// Returns whether a device that the user let be remembered stands in for the second factor, once it has proved itself. Only where
    /// the pool says so, and not where a code alone has proved who it is.
    private func standsIn(_ device: Device, _ progress: SignInProgress) -> Bool {
        guard settings.rememberedDevicesStandIn, device.isRemembered else { return false }
        switch progress.firstFactor {
        case .password, .passwordBefore: return true
        case .code, .signUp, .custom, .passkey, .provider: return false
        }
    }

    /// Makes the sign-in.
    func begin(_ user: User, _ progress: SignInProgress) throws(PoolError) -> SignInStep {
        let device = progress.deviceAddress == nil ? nil : progress.device
        if let device, let address = progress.deviceAddress { try note(device, of: user, from: address) }
        let refresh = try makeSignIn(
            of: user, client: isForPages ? PageSession.client : progress.client,
            scopes: isForPages
                ? PageSession.mark(of: user, by: progress.firstFactor.provider) : PoolRun.userScope, device: device)
        var subject = TokenSubject(
            user: user, groups: try session.groups(of: user.number), client: progress.client, origin: refresh.signIn,
            authenticated: now / 1_000, scopes: PoolRun.userScope)
        subject.device = device
        return .done(subject, refresh)
    }

    /// A new sign-in of a user, and its refresh token. `began`: when they have signed in, if not now.
    func makeSignIn(
        of user: User, client: AppClient, scopes: String, device: String?, began: Int64? = nil
    ) throws(PoolError) -> RefreshToken {
        let refresh = RefreshToken(for: UUIDText.random(), key: tokenKey)
        try change(
            SignInRecord.sweep,
            [.integer(now), .integer(user.number), .integer(PoolLimits.signInsPerUserMax - 1)])
        try change(
            SignInRecord.insertion,
            [
                .text(refresh.signIn), .integer(user.number), .text(client.id), .integer(began ?? now),
                .integer(now + client.refreshSeconds * 1_000), .text(scopes), .blob(refresh.digest),
                device.map(StoredValue.text) ?? .null,
            ])
        return refresh
    }
}
