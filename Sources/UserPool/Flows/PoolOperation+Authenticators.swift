import Crypto
import JSON

extension PoolOperation {
    /// Second factors: authenticator apps, and which factor is asked for.
    static let authenticators: [PoolOperation] = [
        PoolOperation(
            "AssociateSoftwareToken", .open, [.init("AccessToken", .accessToken), .init("Session", .session)]
        ) { run throws(PoolError) in try await run.associateAuthenticator() },
        PoolOperation(
            "VerifySoftwareToken", .open,
            [
                .init("AccessToken", .accessToken), .init("Session", .session),
                .init("UserCode", .text(6...6, .digits), isRequired: true),
                .init("FriendlyDeviceName", .text(0...PoolLimits.deviceNameMax)),
            ]
        ) { run throws(PoolError) in try await run.verifyAuthenticator() },
        PoolOperation(
            "SetUserMFAPreference", .open,
            [.init("AccessToken", .accessToken, isRequired: true)] + FactorWish.members + [
                .init("WebAuthnMfaSettings", .object([.init("Enabled", .boolean)]))
            ]
        ) { run throws(PoolError) in
            let caller = try await run.signedInUser()
            let wishes = FactorWish.all(in: run.input)
            try await run.write { change throws(PoolError) in
                guard var user = try change.session.user(caller.user.number) else { throw .userNotFound }
                try user.choose(wishes, in: change.settings)
                try change.save(user)
            }
            return JSONObject()
        },
    ]
}

extension PoolRun {
    fileprivate func associateAuthenticator() async throws(PoolError) -> JSONObject {
        guard settings.secondFactorDemand != .off, settings.secondFactors.contains(.totp) else {
            throw .noAuthenticator("Software Token MFA has not been enabled by the userPool.")
        }
        let secret = OneTimeCode.makeSecret()
        var answer = JSONObject([("SecretCode", .string(OneTimeCode(secret: secret).secretText))])
        guard input.text("AccessToken") == nil else {
            let caller = try await signedInUser()
            try await write { change throws(PoolError) in
                guard let user = try change.session.user(caller.user.number) else { throw .userNotFound }
                try change.begin(authenticator: secret, of: user)
            }
            return answer
        }
        let (state, client) = try await state(demandedSession(), .challenge)
        guard state.waits(for: .setUpFactor) else { throw .invalidSession }
        var details = state.details
        details.set("t", to: .string(Base64.text(of: secret)))
        let next = SealedState(.setUp, client: client, user: state.user, now: now, details: details)
        answer.set("Session", to: .string(session(next)))
        return answer
    }

    fileprivate func verifyAuthenticator() async throws(PoolError) -> JSONObject {
        let code = try input.required("UserCode")
        let name = input.text("FriendlyDeviceName") ?? ""
        guard input.text("AccessToken") == nil else {
            let caller = try await signedInUser()
            let outcome = try await write { change throws(PoolError) -> PoolWriting.AuthenticatorOutcome in
                guard let user = try change.session.user(caller.user.number) else { throw .userNotFound }
                guard let secret = try change.session.authenticator(of: user)?.waiting else {
                    throw .noAuthenticator("The user has not begun to set up an authenticator app.")
                }
                return try change.set(authenticator: secret, name: name, code: code, of: user, isEnabled: false)
            }
            try outcome.demandRight()
            return JSONObject([("Status", "SUCCESS")])
        }
        let (state, client) = try await state(demandedSession(), .setUp)
        guard let progress = SignInProgress(state, of: client), state.details["v"] == nil,
            let secret = state.text("t").flatMap({ Base64.bytes(of: $0.utf8) })
        else { throw .invalidSession }
        let outcome = try await write { change throws(PoolError) -> PoolWriting.AuthenticatorOutcome in
            guard let user = try change.user(of: progress), change.maySetUp(.totp, user, progress) else {
                throw .invalidSession
            }
            return try change.set(authenticator: secret, name: name, code: code, of: user, isEnabled: true)
        }
        try outcome.demandRight()
        var details = state.details
        details.set("v", to: true)
        let next = SealedState(.setUp, client: client, user: state.user, now: now, details: details)
        return JSONObject([("Session", .string(session(next))), ("Status", "SUCCESS")])
    }

    /// `MFA_SETUP`: with an app that was set up meanwhile, or an address of mail.
    func answerFactorSetUp(for client: AppClient) async throws(PoolError) -> JSONObject {
        if let address = parameter("EMAIL", of: "ChallengeResponses") {
            return try await setUp(email: address, for: client)
        }
        let state = try await state(demandedSession(), .setUp, of: client)
        guard var progress = SignInProgress(state, of: client), state.details["v"] != nil,
            let secret = state.text("t").flatMap({ Base64.bytes(of: $0.utf8) }), try await isMeant(progress.user)
        else { throw .invalidSession }
        progress.hasSecondFactor = true
        return try await lead(progress.user, client) { [progress] change throws(PoolError) in
            // Another app since then would be somebody else's.
            guard let user = try change.user(of: progress), let present = user.totpSecret,
                ConstantTime.areEqual(present, secret)
            else { return .refused(.invalidSession) }
            return try change.step(progress)
        }
    }

    private func setUp(email address: String, for client: AppClient) async throws(PoolError) -> JSONObject {
        let progress = try await progress(waitingFor: .setUpFactor, of: client)
        guard ContactAddress.isEmail(address) else { throw .invalidParameter("Invalid email address format.") }
        return try await lead(progress.user, client) { change throws(PoolError) in
            guard let user = try change.user(of: progress), change.maySetUp(.email, user, progress) else {
                return .refused(.invalidSession)
            }
            guard user.mayHave(email: address) else {
                return .refused(.invalidParameter("Cannot modify an already provided email"))
            }
            guard try change.useState(of: progress) else { return .refused(.usedSession) }
            var details = progress.carried
            details.set("a", to: .string(address))
            return try change.ask(for: CodeDelivery("email", address), .secondFactor, of: user, details)
        }
    }
}

extension PoolWriting.AuthenticatorOutcome {
    fileprivate func demandRight() throws(PoolError) {
        switch self {
        case .right: break
        case .wrong: throw PoolError("EnableSoftwareTokenMFAException", "Code mismatch")
        case .tooMany: throw .tooManyAttempts
        }
    }
}

extension PoolError {
    fileprivate static func noAuthenticator(_ message: String) -> PoolError {
        PoolError("SoftwareTokenMFANotFoundException", message)
    }
}
