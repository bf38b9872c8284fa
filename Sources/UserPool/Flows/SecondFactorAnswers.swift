import Crypto
import JSON

/// Answers to the challenges that ask for a second factor, or for which.
extension PoolRun {
    private static let member = "ChallengeResponses"

    /// `SELECT_MFA_TYPE`.
    func answerFactorSelection(for client: AppClient) async throws(PoolError) -> JSONObject {
        let progress = try await progress(waitingFor: .selectFactor, of: client)
        let answer = try demandedParameter("ANSWER", of: Self.member)
        return try await lead(progress.user, client) { change throws(PoolError) in
            guard let user = try change.user(of: progress) else { return .refused(.invalidSession) }
            guard let factor = PoolSettings.SecondFactor(rawValue: answer),
                change.askable(of: user, progress).contains(factor)
            else { return .refused(.invalidParameter("ANSWER is none of the second factors that can be chosen.")) }
            guard try change.useState(of: progress) else { return .refused(.usedSession) }
            return try change.ask(for: factor, of: user, progress)
        }
    }

    /// `SOFTWARE_TOKEN_MFA` and `SMS_MFA`.
    func answerSecondFactor(_ challenge: Challenge, for client: AppClient) async throws(PoolError) -> JSONObject {
        let progress = try await progress(waitingFor: challenge, of: client)
        guard challenge == .totp else {
            return try await finish(progress, byCode: demandedParameter("SMS_MFA_CODE", of: Self.member), sentTo: .sms)
        }
        let code = try demandedParameter("SOFTWARE_TOKEN_MFA_CODE", of: Self.member)
        return try await lead(progress.user, client) { change throws(PoolError) in
            guard let user = try change.user(of: progress), let secret = user.totpSecret,
                change.askable(of: user, progress).contains(.totp)
            else { return .refused(.invalidSession) }
            switch try change.accept(code, under: secret, of: user) {
            case .tooMany: return .refused(.tooManyAttempts)
            case .wrong: return .refused(PoolError("CodeMismatchException", "Invalid code received for user"))
            case .right: return try change.stepBehindSecondFactor(progress)
            }
        }
    }

    /// `EMAIL_OTP` and `SMS_OTP`: the first factor, the second, or an address that is being set up as one.
    func answerCode(_ challenge: Challenge, for client: AppClient) async throws(PoolError) -> JSONObject {
        let state = try await waiting(for: challenge, of: client)
        let code = try demandedParameter(
            challenge == .emailCode ? "EMAIL_OTP_CODE" : "SMS_OTP_CODE", of: Self.member)
        if let given = state.text("g") { return try await finishFirst(challenge, given, code, state, for: client) }
        guard challenge == .emailCode else { throw .invalidSession }
        let progress = try await progress(waitingFor: .emailCode, of: client)
        if let address = state.text("a") { return try await finish(progress, settingUp: address, byCode: code) }
        return try await finish(progress, byCode: code, sentTo: .email)
    }

    /// A code that was sent as the second factor.
    private func finish(
        _ progress: SignInProgress, byCode code: String, sentTo factor: PoolSettings.SecondFactor
    ) async throws(PoolError) -> JSONObject {
        try await lead(progress.user, progress.client) { change throws(PoolError) in
            guard let user = try change.user(of: progress), let attribute = factor.attribute,
                change.askable(of: user, progress).contains(factor)
            else { return .refused(.invalidSession) }
            switch try change.takeCode(code, .secondFactor, of: user) {
            case .refused(let error): return .refused(error)
            case .right(let sent):
                guard sent.isTo(attribute, of: user) else { return .refused(.expiredCode) }
                return try change.stepBehindSecondFactor(progress)
            }
        }
    }

    /// A code that proves a first address, which is the user's second factor from then on.
    private func finish(
        _ progress: SignInProgress, settingUp address: String, byCode code: String
    ) async throws(PoolError) -> JSONObject {
        try await lead(progress.user, progress.client) { change throws(PoolError) in
            guard var user = try change.user(of: progress), change.maySetUp(.email, user, progress),
                user.mayHave(email: address)
            else { return .refused(.invalidSession) }
            switch try change.takeCode(code, .secondFactor, of: user) {
            case .refused(let error): return .refused(error)
            case .right(let sent):
                guard ByteText(sent.address) == ByteText(address) else { return .refused(.expiredCode) }
                let before = user
                user.attributes.set("email", to: .string(address))
                user.attributes.set("email_verified", to: "true")
                try change.nameByAddresses(user, formerly: before, movesAlias: false)
                user.secondFactors.enabled.append(.email)
                try change.save(user)
                return try change.stepBehindSecondFactor(progress)
            }
        }
    }

    /// A code that was sent as the first factor. For somebody who is not there none is right, and tries count all the same.
    private func finishFirst(
        _ challenge: Challenge, _ given: String, _ code: String, _ state: SealedState, for client: AppClient
    ) async throws(PoolError) -> JSONObject {
        guard let number = state.user else {
            let subject = WrongTries.subject(nil, name(given), .code)
            let isOpen = try await write { change throws(PoolError) in try change.beginTry(subject) }
            throw isOpen ? .wrongCode : .tooManyAttempts
        }
        let attribute = challenge == .emailCode ? "email" : "phone_number"
        try await askBeforeSignIn(user(number), given: given)
        var progress = SignInProgress(user: number, client: client, firstFactor: .code(attribute), usedState: state)
        progress.device = try deviceKey(of: Self.member)
        return try await lead(number, client) { [progress] change throws(PoolError) in
            guard let user = try change.user(of: progress) else { return .refused(.wrongCode) }
            switch try change.takeCode(code, .signIn, of: user) {
            case .refused(.expiredCode) where change.settings.existenceErrors == .hidden:
                // Codes of those who are not there do not expire.
                return .refused(.wrongCode)
            case .refused(let error): return .refused(error)
            case .right(let sent):
                guard sent.isTo(attribute, of: user), user.status == .confirmed else { return .refused(.wrongCode) }
                return try change.step(progress)
            }
        }
    }
}

extension SentCode {
    /// Returns whether it went to where that attribute of the user's says now.
    func isTo(_ attribute: String, of user: User) -> Bool {
        ByteText(self.attribute) == ByteText(attribute) && user.attributes[attribute]?.text == ByteText(address)
    }
}

extension User {
    /// Returns whether an address can become the user's by proving it: they have none, or this one.
    func mayHave(email address: String) -> Bool {
        guard let present = attribute("email"), !present.isEmpty else { return true }
        return ByteText(present) == ByteText(address)
    }
}

extension PoolWriting {
    /// Uses up the session that has led on. False where that was done before.
    func useState(of progress: SignInProgress) throws(PoolError) -> Bool {
        guard let state = progress.usedState else { return true }
        return try use(state.id, until: state.expires)
    }

    /// Returns whether somebody may set up a second factor on the way in: one is demanded, and they have none.
    func maySetUp(_ factor: PoolSettings.SecondFactor, _ user: User, _ progress: SignInProgress) -> Bool {
        settings.secondFactorDemand == .required && settings.secondFactors(of: user).isEmpty
            && settable(progress).contains(factor)
    }

    fileprivate func stepBehindSecondFactor(_ progress: SignInProgress) throws(PoolError) -> SignInStep {
        var progress = progress
        progress.hasSecondFactor = true
        return try step(progress)
    }
}
