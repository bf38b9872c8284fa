import Blueprint
import Project
import UserPool

extension DeclaredPool {
    /// The built-in pool as the configuration has it, for a schema whose project does not say how people sign in.
    init(_ settings: PoolSettings) {
        self.init()
        let names: [(name: PoolSettings.SignInName, attribute: String)] = [(.email, "email"), (.phone, "phone_number")]
        usernameAttributes =
            settings.namesUsersItself
            ? names.filter { settings.signInNames.contains($0.name) }.map(\.attribute) : []
        verifiedAttributes = settings.verifiedAttributes
        requiredAttributes = settings.attributes.required
        passwordPolicy.lengthMin = settings.password.lengthMin
        passwordPolicy.needsLowercase = settings.password.needsLowercase
        passwordPolicy.needsUppercase = settings.password.needsUppercase
        passwordPolicy.needsNumbers = settings.password.needsDigit
        passwordPolicy.needsSymbols = settings.password.needsSymbol
        mfaMode =
            switch settings.secondFactorDemand {
            case .off: .off
            case .optional: .optional
            case .required: .required
            }
        let factors: [(PoolSettings.SecondFactor, AuthResource.Multifactor.Factor)] = [
            (.sms, .message), (.totp, .generator), (.email, .email),
        ]
        if mfaMode != .off { mfaFactors = factors.filter { settings.secondFactors.contains($0.0) }.map(\.1) }
        allowsGuests = settings.allowsGuests
        if let client = settings.clients.first, !client.redirectURIs.isEmpty {
            callbackURLs = client.redirectURIs
            logoutURLs = client.logoutURIs
            scopes = client.scopes
        }
        groups = settings.groups.map { Group(name: $0.name, precedence: $0.precedence.map { Int(clamping: $0) }) }
    }

    /// Takes over what somebody has set in the configuration.
    mutating func take(_ configured: DeclaredPool, where isSet: (String) -> Bool) {
        func take<Value>(_ key: String, _ field: WritableKeyPath<DeclaredPool, Value>) {
            if isSet("auth.pool.\(key)") { self[keyPath: field] = configured[keyPath: field] }
        }
        take("signIn", \.usernameAttributes)
        take("verify", \.verifiedAttributes)
        take("requiredAttributes", \.requiredAttributes)
        take("password.minLength", \.passwordPolicy.lengthMin)
        take("password.lowercase", \.passwordPolicy.needsLowercase)
        take("password.uppercase", \.passwordPolicy.needsUppercase)
        take("password.digit", \.passwordPolicy.needsNumbers)
        take("password.symbol", \.passwordPolicy.needsSymbols)
        take("mfa", \.mfaMode)
        take("mfa", \.mfaFactors)
        take("mfaTypes", \.mfaFactors)
        take("guests", \.allowsGuests)
        take("groups", \.groups)
        take("clients", \.callbackURLs)
        take("clients", \.logoutURLs)
        take("clients", \.scopes)
    }
}
