import Crypto
import JSON
import Store

/// How far somebody is on their way in: what is proved, and what the next answer depends on.
struct SignInProgress: Sendable {
    /// What has proved who it is.
    enum FirstFactor: Sendable {
        /// By the verifier that it was proved against: another one since then means that the password was changed.
        case password([UInt8])
        /// A code that went to an address of the user's.
        case code
        /// They have just signed up.
        case signUp
        case custom
    }

    let user: Int64
    let client: AppClient
    let firstFactor: FirstFactor
    /// Whose tries were counted, and are to be forgotten now.
    var triesSubject: String?
    /// The session that has led here: it is used up when the next step is made.
    var usedState: SealedState?
    /// Whether a second factor is proved.
    var hasSecondFactor = false
    var device: String?
    var details = JSONObject()
    /// Whether a browser is signed in by it, and no app yet.
    var isForPages = false
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
        var progress = progress
        progress.isForPages = door == .pages
        let step = try await write { [progress] change throws(PoolError) in try change.step(progress) }
        switch step {
        case .refused(let error): throw error
        case .challenge(let challenge, let parameters, let details):
            pool.whenQueued()
            var details = details
            details.set("n", to: .string(challenge.rawValue))
            let state = SealedState(
                .challenge, client: progress.client, user: progress.user, now: now, details: details)
            return JSONObject([
                ("ChallengeName", .string(challenge.rawValue)), ("ChallengeParameters", .object(parameters)),
                ("Session", .string(session(state))),
            ])
        case .done(let subject, let refresh) where progress.isForPages:
            try await tellOfSignIn(subject.user, newDevice: false)
            return JSONObject([(PageSession.member, .string(refresh.text))])
        case .done(let subject, let refresh):
            let tokens = try await tokens(of: subject, refresh: refresh)
            return JSONObject([
                ("AuthenticationResult", .object(tokens.result)), ("ChallengeParameters", .object(JSONObject())),
            ])
        }
    }
}

extension PoolWriting {
    /// What comes next. What refuses is answered and not thrown: what was counted has to stand.
    fileprivate func step(_ progress: SignInProgress) throws(PoolError) -> SignInStep {
        guard let user = try session.user(progress.user) else { return .refused(.wrongPassword) }
        if case .password(let verifier) = progress.firstFactor, user.password?.verifier != verifier {
            return .refused(.wrongPassword)
        }
        if let state = progress.usedState, try !use(state.id, until: state.expires) { return .refused(.usedSession) }
        if let subject = progress.triesSubject { try endTries(subject) }
        guard user.isEnabled else { return .refused(.disabled) }
        switch user.status {
        case .unconfirmed: return .refused(.notConfirmed)
        case .mustReset: return .refused(.resetRequired)
        case .mustChangePassword: return newPasswordStep(user)
        case .confirmed, .external: break
        }
        if !progress.hasSecondFactor, let step = try secondFactorStep(user, progress) { return step }
        return try begin(user, progress)
    }

    private func newPasswordStep(_ user: User) -> SignInStep {
        if let until = user.temporaryUntil, until <= now {
            return .refused(.notAuthorized("Temporary password has expired and must be reset by an administrator."))
        }
        let missing = settings.attributes.required.filter { user.attribute($0) == nil }
        let parameters = JSONObject([
            ("USER_ID_FOR_SRP", .string(user.name)),
            (
                "requiredAttributes",
                .string(JSONWriter.text(of: .array(missing.map { .string("userAttributes.\($0)") })))
            ),
            ("userAttributes", .string(JSONWriter.text(of: .object(user.attributes)))),
        ])
        return .challenge(.newPassword, parameters, details: JSONObject())
    }

    /// Makes the sign-in.
    func begin(_ user: User, _ progress: SignInProgress) throws(PoolError) -> SignInStep {
        let refresh = try makeSignIn(
            of: user, client: progress.isForPages ? PageSession.client : progress.client,
            scopes: progress.isForPages ? PageSession.mark(of: user) : PoolRun.userScope, device: progress.device)
        let subject = TokenSubject(
            user: user, groups: try session.groups(of: user.number), client: progress.client, origin: refresh.signIn,
            authenticated: now / 1_000, scopes: PoolRun.userScope)
        return .done(subject, refresh)
    }

    /// A new sign-in of a user, and its refresh token. `began`: when they have signed in, if not now.
    func makeSignIn(
        of user: User, client: AppClient, scopes: String, device: String?, began: Int64? = nil
    ) throws(PoolError) -> RefreshToken {
        let refresh = RefreshToken(for: UUIDText.random())
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
