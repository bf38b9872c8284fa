import Cloud
import JSON

/// What is wished for one of a user's second factors.
struct FactorWish: Sendable {
    let factor: PoolSettings.SecondFactor
    let isEnabled: Bool?
    let isPreferred: Bool?

    private static let names: [(member: String, factor: PoolSettings.SecondFactor)] = [
        ("SMSMfaSettings", .sms), ("SoftwareTokenMfaSettings", .totp), ("EmailMfaSettings", .email),
    ]

    /// As members of a request.
    static let members: [MemberShape.Member] = names.map { name in
        MemberShape.Member(name.member, .object([.init("Enabled", .boolean), .init("PreferredMfa", .boolean)]))
    }

    /// Those of a request.
    static func all(in input: PoolInput) -> [FactorWish] {
        names.compactMap { name in
            input.object(name.member).map {
                FactorWish(factor: name.factor, isEnabled: $0["Enabled"]?.bool, isPreferred: $0["PreferredMfa"]?.bool)
            }
        }
    }
}

extension User {
    /// Changes the user's second factors. What is not wished for stays; what the user has not set up is refused.
    mutating func choose(_ wishes: [FactorWish], in settings: PoolSettings) throws(PoolError) {
        guard wishes.count(where: { $0.isPreferred ?? false }) <= 1 else {
            throw .invalidParameter("Only one MFA setting can be preferred.")
        }
        var choice = secondFactors
        for wish in wishes {
            let isEnabled = wish.isEnabled ?? false
            choice.enabled.removeAll { $0 == wish.factor }
            if choice.preferred == wish.factor { choice.preferred = nil }
            guard isEnabled else {
                guard !(wish.isPreferred ?? false) else {
                    throw .invalidParameter("\(wish.factor.rawValue) cannot be preferred while it is not enabled.")
                }
                continue
            }
            if let fault = fault(ofEnabling: wish.factor, in: settings) { throw .invalidParameter(fault) }
            choice.enabled.append(wish.factor)
            if wish.isPreferred ?? false { choice.preferred = wish.factor }
        }
        // An address may come later where another factor lets the user in until then.
        let isReady = choice.enabled.isEmpty || choice.enabled.contains { faultOfAddress(for: $0) == nil }
        for factor in choice.enabled where factor == choice.preferred || !isReady {
            if let fault = faultOfAddress(for: factor) { throw .invalidParameter(fault) }
        }
        secondFactors = choice
    }

    private func faultOfAddress(for factor: PoolSettings.SecondFactor) -> String? {
        guard let attribute = factor.attribute, !hasVerified(attribute) else { return nil }
        return "User does not have delivery config set to turn on \(factor.rawValue)"
    }

    /// Why the user cannot have a second factor; nil where they can.
    private func fault(ofEnabling factor: PoolSettings.SecondFactor, in settings: PoolSettings) -> String? {
        guard settings.secondFactorDemand != .off, settings.secondFactors.contains(factor) else {
            return "\(factor.rawValue) is not enabled for this user pool."
        }
        return factor == .totp && totpSecret == nil ? "User has not verified software token mfa" : nil
    }
}
