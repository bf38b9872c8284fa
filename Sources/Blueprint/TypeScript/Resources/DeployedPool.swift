import GraphQL
import Script

/// What a program sees of a deployed user pool: `backend.auth.resources.cfnResources` with the properties that it may assign, and
/// `groups`. All else is opaque, and what is called there changes nothing that clients are told of.
final class DeployedPool {
    private let auth: OpaqueObject
    private let pool: OpaqueObject
    private let client: OpaqueObject
    private let identities: OpaqueObject
    private let groups: [(name: String, group: OpaqueObject)]

    var value: ProgramValue { .object(auth) }

    init(_ settings: DeclaredPool, _ realm: Realm) {
        func opaque(_ origin: String) -> OpaqueObject { OpaqueObject(realm, origin: origin) }
        func texts(_ texts: [String]) -> ProgramValue {
            .object(realm.array(ContiguousArray(texts.map { realm.value($0) })))
        }
        func object(_ members: [(String, ProgramValue)]) -> ProgramValue {
            let object = realm.object()
            for (name, value) in members { object.put(name, value) }
            return .object(object)
        }

        auth = opaque("backend.auth")
        pool = opaque("cfnUserPool")
        client = opaque("cfnUserPoolClient")
        identities = opaque("cfnIdentityPool")

        pool.put("usernameAttributes", texts(settings.usernameAttributes))
        pool.put("autoVerifiedAttributes", texts(settings.verifiedAttributes))
        let schema = settings.requiredAttributes.map { name in
            object([("name", realm.value(name)), ("required", .boolean(true)), ("mutable", .boolean(true))])
        }
        pool.put("schema", .object(realm.array(ContiguousArray(schema))))
        pool.put("mfaConfiguration", realm.value(Self.mfaNames.first { $0.mode == settings.mfaMode }?.name ?? "OFF"))
        let factors = Self.factorNames.filter { settings.mfaFactors.contains($0.factor) }
        pool.put("enabledMfas", texts(factors.map(\.name)))
        let policy = settings.passwordPolicy
        var policies = [
            (
                "passwordPolicy",
                object([
                    ("minimumLength", .number(Double(policy.lengthMin))),
                    ("requireLowercase", .boolean(policy.needsLowercase)),
                    ("requireNumbers", .boolean(policy.needsNumbers)),
                    ("requireSymbols", .boolean(policy.needsSymbols)),
                    ("requireUppercase", .boolean(policy.needsUppercase)),
                ])
            )
        ]
        if let factors = settings.firstFactors {
            policies.append(("signInPolicy", object([("allowedFirstAuthFactors", texts(factors.map(\.rawValue)))])))
        }
        pool.put("policies", object(policies))
        if let domain = settings.relyingParty {
            pool.put("webAuthnRelyingPartyId", realm.value(domain))
            pool.put(
                "webAuthnUserVerification", realm.value(settings.demandsPasskeyVerification ? "required" : "preferred"))
        }

        client.put("callbackUrLs", texts(settings.callbackURLs))
        client.put("logoutUrLs", settings.logoutURLs.isEmpty ? .undefined : texts(settings.logoutURLs))
        client.put("allowedOAuthFlows", texts(settings.flows))
        client.put("allowedOAuthScopes", texts(settings.scopes))
        identities.put("allowUnauthenticatedIdentities", .boolean(settings.allowsGuests))

        groups = settings.groups.map { group in
            let made = opaque("cfnUserGroup")
            made.put("precedence", group.precedence.map { .number(Double($0)) } ?? .undefined)
            return (group.name, made)
        }
        let resources = opaque("backend.auth.resources")
        let parts = opaque("cfnResources")
        parts.put("cfnUserPool", .object(pool))
        parts.put("cfnUserPoolClient", .object(client))
        parts.put("cfnIdentityPool", .object(identities))
        resources.put("cfnResources", .object(parts))
        resources.put(
            "groups",
            object(
                groups.map { name, group in
                    (name, object([("cfnUserGroup", .object(group)), ("role", .object(opaque("role")))]))
                }))
        auth.put("resources", .object(resources))
    }

    private static let mfaNames: [(mode: AuthResource.Multifactor.Mode, name: String)] = [
        (.off, "OFF"), (.optional, "OPTIONAL"), (.required, "ON"),
    ]
    private static let factorNames: [(factor: AuthResource.Multifactor.Factor, name: String)] = [
        (.message, "SMS_MFA"), (.generator, "SOFTWARE_TOKEN_MFA"), (.email, "EMAIL_OTP"),
    ]

    // MARK: What the program left

    /// The settings with what was assigned.
    func settings(over settings: DeclaredPool, _ errors: ResourceErrors) -> DeclaredPool {
        var settings = settings
        let reader = AssignedValues(errors)
        settings.usernameAttributes = reader.texts(pool, "usernameAttributes").map { $0.lowercased() }
        settings.verifiedAttributes = reader.texts(pool, "autoVerifiedAttributes")
        settings.requiredAttributes = reader.objects(pool, "schema").compactMap { attribute in
            guard reader.flag(attribute, "required") else { return nil }
            return reader.text(attribute, "name")?.lowercased()
        }
        let mode = reader.text(pool, "mfaConfiguration") ?? "OFF"
        settings.mfaMode = Self.mfaNames.first { $0.name == mode }?.mode ?? .off
        let factors = reader.texts(pool, "enabledMfas")
        settings.mfaFactors = factors.compactMap { name in Self.factorNames.first { $0.name == name }?.factor }
        readPolicies(reader, into: &settings)
        settings.relyingParty = reader.text(pool, "webAuthnRelyingPartyId")
        settings.demandsPasskeyVerification = reader.text(pool, "webAuthnUserVerification") == "required"
        settings.callbackURLs = reader.texts(client, "callbackUrLs")
        settings.logoutURLs = reader.texts(client, "logoutUrLs")
        settings.flows = reader.texts(client, "allowedOAuthFlows")
        settings.scopes = reader.texts(client, "allowedOAuthScopes")
        settings.allowsGuests = reader.flag(identities, "allowUnauthenticatedIdentities")
        settings.groups = groups.map { name, group in
            DeclaredPool.Group(name: name, precedence: reader.integer(group, "precedence"))
        }
        return settings
    }

    private func readPolicies(_ reader: AssignedValues, into settings: inout DeclaredPool) {
        let policies = reader.object(pool, "policies")
        var policy = DeclaredPool.PasswordPolicy()
        let written = policies.flatMap { reader.object($0, "passwordPolicy") }
        func flag(_ name: String) -> Bool { written.map { reader.flag($0, name) } ?? false }
        policy.lengthMin = written.flatMap { reader.integer($0, "minimumLength") } ?? policy.lengthMin
        policy.needsLowercase = flag("requireLowercase")
        policy.needsNumbers = flag("requireNumbers")
        policy.needsSymbols = flag("requireSymbols")
        policy.needsUppercase = flag("requireUppercase")
        settings.passwordPolicy = policy
        settings.firstFactors = policies.flatMap { reader.object($0, "signInPolicy") }.map { policy in
            reader.texts(policy, "allowedFirstAuthFactors").compactMap(AuthResource.FirstFactor.init)
        }
    }
}

/// Reads what a program assigned to the properties of a resource. Nothing is nothing; what is known only when the app is deployed
/// is an error.
private struct AssignedValues {
    private let errors: ResourceErrors

    init(_ errors: ResourceErrors) {
        self.errors = errors
    }

    private func value(_ object: ProgramObject, _ name: String) -> ProgramValue {
        do throws(Thrown) {
            let value = try object.get(name)
            if case .object(let found) = value, let opaque = found as? OpaqueObject {
                // A property that nobody assigned is opaque too.
                if opaque.origin != "\((object as? OpaqueObject)?.origin ?? "").\(name)" {
                    refuse(name, "is \(opaque.fullOrigin), which is known only when the app is deployed")
                }
                return .undefined
            }
            return value
        } catch {
            refuse(name, "cannot be read")
            return .undefined
        }
    }

    private func refuse(_ name: String, _ reason: String) {
        errors.add(
            TypeScriptError("`\(name)`, which is assigned to a resource of sign-in, \(reason)", at: .none))
    }

    func text(_ object: ProgramObject, _ name: String) -> String? {
        if case .text(let text) = value(object, name) { text.string } else { nil }
    }

    func flag(_ object: ProgramObject, _ name: String) -> Bool {
        if case .boolean(let flag) = value(object, name) { flag } else { false }
    }

    func integer(_ object: ProgramObject, _ name: String) -> Int? {
        if case .number(let number) = value(object, name) { Int(exactly: number) } else { nil }
    }

    func object(_ object: ProgramObject, _ name: String) -> ProgramObject? {
        if case .object(let object) = value(object, name) { object } else { nil }
    }

    private func elements(_ object: ProgramObject, _ name: String) -> [ProgramValue] {
        guard let list = self.object(object, name) as? ScriptArray else { return [] }
        do throws(Thrown) {
            return try list.values().filter { element in
                guard case .object(let found) = element, let opaque = found as? OpaqueObject else { return true }
                refuse(name, "has \(opaque.fullOrigin), which is known only when the app is deployed")
                return false
            }
        } catch {
            refuse(name, "cannot be read")
            return []
        }
    }

    func texts(_ object: ProgramObject, _ name: String) -> [String] {
        elements(object, name).compactMap { if case .text(let text) = $0 { text.string } else { nil } }
    }

    func objects(_ object: ProgramObject, _ name: String) -> [ProgramObject] {
        elements(object, name).compactMap { if case .object(let object) = $0 { object } else { nil } }
    }
}
