import JSON

/// Which second factor somebody is asked for.
///
///     none on, demanded of all ─▶ MFA_SETUP           one that can be asked for, or a preferred one ─▶ its challenge
///     none on else             ─▶ none is needed      several                                       ─▶ SELECT_MFA_TYPE
///
/// Where one is on, nobody gets by it: if none can be asked for, the sign-in is refused.
extension PoolWriting {
    /// The second factor that is asked for; nil where none is.
    func secondFactorStep(_ user: User, _ progress: SignInProgress) throws(PoolError) -> SignInStep? {
        guard settings.secondFactorDemand != .off else { return nil }
        let factors = settings.secondFactors(of: user)
        guard !factors.isEmpty else {
            // The provider has asked for one, or has not: it is not demanded here again.
            return settings.secondFactorDemand == .required && progress.firstFactor.provider == nil
                ? setUpStep(user, progress) : nil
        }
        let askable = askable(of: user, progress)
        if let preferred = user.secondFactors.preferred, askable.contains(preferred) {
            return try ask(for: preferred, of: user, progress)
        }
        guard let first = askable.first else {
            return .refused(.notAuthorized("The user's second factor cannot be asked for: no address for it is there."))
        }
        guard askable.count > 1 else { return try ask(for: first, of: user, progress) }
        let parameters = JSONObject([
            ("MFAS_CAN_CHOOSE", .string(JSONWriter.text(of: .array(askable.map { .string($0.rawValue) })))),
            ("USER_ID_FOR_SRP", .string(user.name)),
        ])
        return .challenge(.selectFactor, parameters, details: progress.carried)
    }

    /// The second factors that a user can be asked for behind a first one. Mail to an address that has just proved who it is
    /// would prove it by the same thing again.
    func askable(of user: User, _ progress: SignInProgress) -> [PoolSettings.SecondFactor] {
        settings.secondFactors(of: user).filter { factor in
            user.isReady(for: factor) && (factor.attribute == nil || factor.attribute != progress.firstFactor.attribute)
        }
    }

    /// The second factors that a user without any can set up on the way in.
    func settable(_ progress: SignInProgress) -> [PoolSettings.SecondFactor] {
        // A number is set by an administrator: it costs whoever runs the pool to send there.
        [.totp, .email].filter { factor in
            settings.secondFactors.contains(factor)
                && (factor.attribute == nil || factor.attribute != progress.firstFactor.attribute)
        }
    }

    private func setUpStep(_ user: User, _ progress: SignInProgress) -> SignInStep {
        let factors = settable(progress)
        guard !factors.isEmpty else {
            return .refused(.notAuthorized("A second factor is demanded, and an administrator has to set it up."))
        }
        let parameters = JSONObject([
            ("MFAS_CAN_SETUP", .string(JSONWriter.text(of: .array(factors.map { .string($0.rawValue) })))),
            ("USER_ID_FOR_SRP", .string(user.name)),
        ])
        return .challenge(.setUpFactor, parameters, details: progress.carried)
    }

    /// The challenge of a second factor; the code for it is sent with the change.
    func ask(
        for factor: PoolSettings.SecondFactor, of user: User, _ progress: SignInProgress
    ) throws(PoolError) -> SignInStep {
        guard let attribute = factor.attribute, let address = user.attribute(attribute) else {
            var parameters = JSONObject([("USER_ID_FOR_SRP", .string(user.name))])
            if let name = try session.authenticator(of: user)?.name, !name.isEmpty {
                parameters.set("FRIENDLY_DEVICE_NAME", to: .string(name))
            }
            return .challenge(.totp, parameters, details: progress.carried)
        }
        return try ask(for: CodeDelivery(attribute, address), .secondFactor, of: user, progress.carried)
    }

    /// Sends a code and asks for it.
    func ask(
        for delivery: CodeDelivery, _ purpose: SentCode.Purpose, of user: User, _ details: JSONObject
    ) throws(PoolError) -> SignInStep {
        try send(purpose, to: user, delivery)
        let challenge: Challenge =
            delivery.medium == .email ? .emailCode : purpose == .secondFactor ? .smsCode : .smsFirst
        return .challenge(challenge, delivery.parameters(for: user.name), details: details)
    }
}

extension PoolSettings {
    /// The second factors that are on for a user, in the order in which they are offered. Where one is demanded of all and the user
    /// has chosen none, what is ready counts as chosen.
    func secondFactors(of user: User) -> [SecondFactor] {
        let chosen = user.secondFactors.enabled
        return [.sms, .totp, .email].filter { factor in
            guard secondFactors.contains(factor) else { return false }
            guard chosen.isEmpty else { return chosen.contains(factor) }
            return secondFactorDemand == .required
                && (factor.attribute.map(user.hasVerified) ?? (user.totpSecret != nil))
        }
    }
}

extension PoolSettings.SecondFactor {
    /// The attribute whose address gets the codes; nil where none are sent.
    var attribute: String? {
        switch self {
        case .totp: nil
        case .sms: "phone_number"
        case .email: "email"
        }
    }
}

extension User {
    /// Returns whether the user can be asked for a second factor.
    func isReady(for factor: PoolSettings.SecondFactor) -> Bool {
        factor.attribute.map { !(attribute($0) ?? "").isEmpty } ?? (totpSecret != nil)
    }
}

extension CodeDelivery {
    /// As parameters of the challenge that asks for the code.
    func parameters(for userID: String) -> JSONObject {
        JSONObject([
            ("CODE_DELIVERY_DELIVERY_MEDIUM", .string(medium.rawValue)),
            ("CODE_DELIVERY_DESTINATION", .string(ContactAddress.masked(address))),
            ("USER_ID_FOR_SRP", .string(userID)),
        ])
    }
}
