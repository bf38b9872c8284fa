import Blueprint
import Project
import Script

/// What a program has left of the resources of sign-in. `DeployedPool.check` has said what is wrong with it.
extension DeployedPool {
    /// The settings with what was assigned.
    func settings(over settings: DeclaredPool) -> DeclaredPool {
        var settings = settings
        let pool = AssignedValues(pool)
        settings.usernameAttributes = pool.texts("usernameAttributes").map { $0.lowercased() }
        settings.verifiedAttributes = pool.texts("autoVerifiedAttributes")
        settings.requiredAttributes = pool.objects("schema").compactMap { attribute in
            attribute.flag("required") ? attribute.text("name")?.lowercased() : nil
        }
        let mode = pool.text("mfaConfiguration") ?? "OFF"
        settings.mfaMode = Self.mfaNames.first { $0.name == mode }?.mode ?? .required
        settings.mfaFactors = pool.texts("enabledMfas").compactMap { name in
            Self.factorNames.first { $0.name == name }?.factor
        }
        readPolicies(pool, into: &settings)
        settings.relyingParty = pool.text("webAuthnRelyingPartyId")
        settings.demandsPasskeyVerification = pool.text("webAuthnUserVerification") == "required"
        settings.aliases = pool.texts("aliasAttributes")
        let administrators = pool.inner("adminCreateUserConfig")
        settings.allowsSelfSignUp = !(administrators?.flag("allowAdminCreateUserOnly") ?? false)
        if let days = administrators?.integer("unusedAccountValidityDays"), days > 0 {
            settings.temporaryPasswordDays = settings.temporaryPasswordDays ?? days
        }
        settings.isCaseSensitive = pool.inner("usernameConfiguration")?.flag("caseSensitive") ?? false
        settings.addressesProvedFirst =
            pool.inner("userAttributeUpdateSettings")?.texts("attributesRequireVerificationBeforeUpdate") ?? []
        settings.recovery = DeployedRecovery.recovery(pool.inner("accountRecoverySetting"))
        settings.devices = pool.inner("deviceConfiguration").map { devices in
            DeclaredPool.Devices(
                areOnRequest: devices.flag("deviceOnlyRememberedOnUserPrompt"),
                standIn: devices.flag("challengeRequiredOnNewDevice"))
        }
        settings.allowsGuests = AssignedValues(identities).flag("allowUnauthenticatedIdentities")
        settings.developerProvider = AssignedValues(identities).text("developerProviderName")
        settings.groups = groups.map { name, group in
            DeclaredPool.Group(name: name, precedence: AssignedValues(group).integer("precedence"))
        }
        readClient(into: &settings)
        return settings
    }

    private func readClient(into settings: inout DeclaredPool) {
        let client = AssignedValues(client)
        settings.callbackURLs = client.texts("callbackUrLs")
        settings.logoutURLs = client.texts("logoutUrLs")
        settings.flows = client.texts("allowedOAuthFlows")
        settings.scopes = client.texts("allowedOAuthScopes")
        settings.signInFlows = Self.signInFlows(client.texts("explicitAuthFlows"))
        settings.writeAttributes = client.has("writeAttributes") ? client.texts("writeAttributes") : nil
        settings.readAttributes = client.has("readAttributes") ? client.texts("readAttributes") : nil
        settings.tellsOfUsers = client.text("preventUserExistenceErrors").map { $0 == "LEGACY" }
        settings.challengeSeconds = client.integer("authSessionValidity").flatMap { minutes in
            (3...15).contains(minutes) ? minutes * 60 : nil
        }
        if let rotation = client.inner("refreshTokenRotation"), rotation.text("feature") == "ENABLED" {
            settings.rotationGraceSeconds = rotation.integer("retryGracePeriodSeconds") ?? 0
        }
        readTokenTimes(client, into: &settings)
    }

    /// The flows of a client, also by their names of the first years. Nothing is the usual ones.
    private static func signInFlows(_ written: [String]) -> [String] {
        guard !written.isEmpty else { return DeclaredPool.usualSignInFlows }
        let isOld = written.contains { !$0.hasPrefix("ALLOW_") }
        guard isOld else { return written }
        var flows = ["ALLOW_CUSTOM_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
        if !written.contains("CUSTOM_AUTH_FLOW_ONLY") { flows.append("ALLOW_USER_SRP_AUTH") }
        if written.contains("ADMIN_NO_SRP_AUTH") { flows.append("ALLOW_ADMIN_USER_PASSWORD_AUTH") }
        if written.contains("USER_PASSWORD_AUTH") { flows.append("ALLOW_USER_PASSWORD_AUTH") }
        return flows
    }

    private func readTokenTimes(_ client: AssignedValues, into settings: inout DeclaredPool) {
        let units = client.inner("tokenValidityUnits")
        func seconds(_ name: String, _ usual: String) -> Int? {
            guard let count = client.integer("\(name)TokenValidity"), count > 0 else { return nil }
            let unit =
                switch units?.text("\(name)Token") ?? usual {
                case "seconds": 1
                case "minutes": 60
                case "hours": 3_600
                default: 86_400
                }
            let (seconds, isTooLong) = count.multipliedReportingOverflow(by: unit)
            return isTooLong ? nil : seconds
        }
        settings.tokens.accessSeconds = seconds("access", "hours") ?? settings.tokens.accessSeconds
        settings.tokens.idSeconds = seconds("id", "hours") ?? settings.tokens.idSeconds
        settings.tokens.refreshSeconds = seconds("refresh", "days") ?? settings.tokens.refreshSeconds
    }

    private func readPolicies(_ pool: AssignedValues, into settings: inout DeclaredPool) {
        let policies = pool.inner("policies")
        var policy = DeclaredPool.PasswordPolicy()
        let written = policies?.inner("passwordPolicy")
        // Cognito's own policy, where there is none, asks for all of it.
        if let written {
            policy.lengthMin = written.integer("minimumLength") ?? policy.lengthMin
            policy.needsLowercase = written.flag("requireLowercase")
            policy.needsNumbers = written.flag("requireNumbers")
            policy.needsSymbols = written.flag("requireSymbols")
            policy.needsUppercase = written.flag("requireUppercase")
        }
        settings.passwordPolicy = policy
        if let days = written?.integer("temporaryPasswordValidityDays"), days > 0 {
            settings.temporaryPasswordDays = days
        }
        settings.firstFactors = policies?.inner("signInPolicy").map { policy in
            policy.texts("allowedFirstAuthFactors").compactMap(AuthResource.FirstFactor.init)
        }
    }

    /// The attributes of the schema as the program has left it. One of the app's own that is not in it any more is none.
    func attributes(over attributes: [AuthResource.UserAttribute]) -> [AuthResource.UserAttribute] {
        var found: [AuthResource.UserAttribute] = []
        let standard = AuthResource.UserAttribute.standardNames.map(\.name)
        let prefix = AuthResource.UserAttribute.ownPrefix
        for written in AssignedValues(pool).objects("schema") {
            guard let text = written.text("name") else { continue }
            let isStandard = standard.contains(text.lowercased())
            let name = isStandard ? text.lowercased() : text.hasPrefix(prefix) ? text : "\(prefix)\(text)"
            let known = attributes.first { $0.name == name }
            // An attribute of the app's own is not changeable unless it is said to be.
            let isMutable = written.has("mutable") ? written.flag("mutable") : known?.isMutable ?? isStandard
            let kind: AuthResource.UserAttribute.Kind =
                if isStandard { .standard } else if let known, !written.has("attributeDataType") { known.kind } else {
                    Self.kind(written)
                }
            // Nothing is to be said of a usual one.
            guard known != nil || !isStandard || !isMutable else { continue }
            found.removeAll { $0.name == name }
            found.append(
                AuthResource.UserAttribute(name, kind, isRequired: written.flag("required"), isMutable: isMutable))
        }
        return found
    }

    private static func kind(_ written: AssignedValues) -> AuthResource.UserAttribute.Kind {
        switch written.text("attributeDataType") {
        case "Number":
            let range = written.inner("numberAttributeConstraints")
            return .number(
                min: range?.integer("minValue").map(Double.init), max: range?.integer("maxValue").map(Double.init))
        case "Boolean": return .boolean
        case "DateTime": return .dateTime
        default:
            let range = written.inner("stringAttributeConstraints")
            return .text(minLength: range?.integer("minLength"), maxLength: range?.integer("maxLength"))
        }
    }
}

/// `accountRecoverySetting` of a user pool: the addresses by which a forgotten password is replaced, by their priority.
enum DeployedRecovery {
    private static let lists: [(recovery: AuthResource.AccountRecovery, mechanisms: [String])] = [
        (.emailAndPhoneWithoutMFA, ["verified_email", "verified_phone_number"]),
        (.phoneWithoutMFAAndEmail, ["verified_phone_number", "verified_email"]),
        (.emailOnly, ["verified_email"]), (.phoneOnlyWithoutMFA, ["verified_phone_number"]),
        (.none, ["admin_only"]),
    ]

    /// Nil: the pool has no such setting.
    static func mechanisms(of recovery: AuthResource.AccountRecovery) -> [String]? {
        lists.first { $0.recovery == recovery }?.mechanisms
    }

    static func recovery(_ written: AssignedValues?) -> AuthResource.AccountRecovery {
        guard let written else { return .phoneAndEmail }
        let names = written.objects("recoveryMechanisms")
            .map { (name: $0.text("name") ?? "", priority: $0.integer("priority") ?? 1) }
            .sorted { $0.priority < $1.priority }.map(\.name)
        // With administrators among them, nobody helps themselves.
        return lists.first { $0.mechanisms == names }?.recovery ?? AuthResource.AccountRecovery.none
    }
}

/// Reads what a program assigned to the properties of a resource. Nothing is nothing.
struct AssignedValues {
    private let object: ProgramObject

    init(_ object: ProgramObject) { self.object = object }

    private func value(_ name: String) -> ProgramValue {
        guard let value = try? object.get(name) else { return .undefined }
        // A property that nobody assigned is opaque.
        if case .object(let found) = value, found.isOpaque { return .undefined }
        return value
    }

    /// Returns whether something is said, and be it nothing at all.
    func has(_ name: String) -> Bool {
        switch value(name) {
        case .undefined, .null: false
        default: true
        }
    }

    func text(_ name: String) -> String? { value(name).text }

    func flag(_ name: String) -> Bool { KnownFlag.flag(value(name)) ?? false }

    func integer(_ name: String) -> Int? { KnownFlag.number(value(name)).flatMap { Int(exactly: $0) } }

    func inner(_ name: String) -> AssignedValues? {
        guard case .object(let object) = value(name), !(object is ScriptArray) else { return nil }
        return AssignedValues(object)
    }

    private func elements(_ name: String) -> [ProgramValue] { value(name).elements }

    func texts(_ name: String) -> [String] {
        elements(name).compactMap(\.text)
    }

    func objects(_ name: String) -> [AssignedValues] {
        elements(name).compactMap { element in
            guard case .object(let object) = element, !object.isOpaque else { return nil }
            return AssignedValues(object)
        }
    }
}
