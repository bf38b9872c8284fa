import Blueprint
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
    /// What stands for the triggers before the program says more of them.
    private let firstTriggers: ProgramObject

    /// Those that the program has assigned.
    var triggers: AssignedTriggers {
        AssignedTriggers((try? pool.get(Self.triggersName)) ?? .undefined, first: firstTriggers)
    }

    private static let triggersName = "lambdaConfig"

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

        firstTriggers = realm.object()
        pool.put(Self.triggersName, .object(firstTriggers))
        client.put("callbackUrLs", texts(settings.callbackURLs))
        client.put("logoutUrLs", settings.logoutURLs.isEmpty ? .undefined : texts(settings.logoutURLs))
        client.put("allowedOAuthFlows", texts(settings.flows))
        client.put("allowedOAuthScopes", texts(settings.scopes))
        identities.put("allowUnauthenticatedIdentities", .boolean(settings.allowsGuests))
        for part in [pool, client, identities] { Self.addOverrides(to: part, realm) }

        groups = settings.groups.map { group in
            let made = opaque("cfnUserGroup")
            made.put("precedence", group.precedence.map { .number(Double($0)) } ?? .undefined)
            Self.addOverrides(to: made, realm)
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
                    let role = Self.role(name, realm)
                    return (name, object([("cfnUserGroup", .object(group)), ("role", role)]))
                }))
        resources.putMember("userPool").put(
            "addTrigger",
            .object(
                realm.function("addTrigger", length: 2) { call throws(Thrown) in
                    let run = try ProgramRun.of(call.realm)
                    run.signIn?.addTrigger(call[0], call[1], at: run.files.position(call.realm.callPlace))
                    return .undefined
                }))
        resources.put("authenticatedUserIamRole", Self.role("auth", realm))
        resources.put("unauthenticatedUserIamRole", Self.role("guest", realm))
        auth.put("resources", .object(resources))
    }

    /// What a program sees of a role, which it gives rights to.
    private static func role(_ name: String, _ realm: Realm) -> ProgramValue {
        let role = OpaqueObject(realm, origin: "role")
        for method in ["attachInlinePolicy", "addToPolicy", "addToPrincipalPolicy"] {
            role.put(
                method,
                .object(
                    realm.function(method, length: 1) { call throws(Thrown) in
                        try ProgramRun.of(call.realm).signIn?.gateways.grant(name, call[0])
                        return .undefined
                    }))
        }
        return .object(role)
    }

    private static let mfaNames: [(mode: AuthResource.Multifactor.Mode, name: String)] = [
        (.off, "OFF"), (.optional, "OPTIONAL"), (.required, "ON"),
    ]
    private static let factorNames: [(factor: AuthResource.Multifactor.Factor, name: String)] = [
        (.message, "SMS_MFA"), (.generator, "SOFTWARE_TOKEN_MFA"), (.email, "EMAIL_OTP"),
    ]

    // MARK: Overrides

    /// Those whose names as properties do not follow from their names in a template.
    private static let propertyNames = ["CallbackURLs": "callbackUrLs", "LogoutURLs": "logoutUrLs"]
    private static let overrideDepthMax = 16

    private static func propertyName(_ name: some StringProtocol) -> String {
        propertyNames[String(name)] ?? name.prefix(1).lowercased() + name.dropFirst()
    }

    /// `addPropertyOverride('Policies.PasswordPolicy.MinimumLength', 10)` sets a property by its name in the template.
    private static func addOverrides(to part: OpaqueObject, _ realm: Realm) {
        for (name, prefix) in [("addPropertyOverride", ""), ("addOverride", "Properties.")] {
            part.put(
                name,
                .object(
                    realm.function(name, length: 2) { call throws(Thrown) in
                        guard case .text(let text) = call[0], case .object(let part) = call.this,
                            text.string.hasPrefix(prefix)
                        else { return .undefined }
                        let path = text.string.dropFirst(prefix.count).split(separator: ".").map(propertyName)
                        try override(part, path, try lowered(call[1], call.realm, depth: 0), call.realm)
                        return .undefined
                    }))
        }
    }

    private static func override(
        _ part: ProgramObject, _ path: [String], _ value: ProgramValue, _ realm: Realm
    ) throws(Thrown) {
        guard let last = path.last, path.count <= overrideDepthMax else { return }
        var object = part
        for name in path.dropLast() {
            if case .object(let inner) = try object.get(name), !inner.isOpaque {
                object = inner
            } else {
                let made = realm.object()
                object.put(name, .object(made))
                object = made
            }
        }
        // Elements of lists are not changed one by one.
        if !(object is ScriptArray) { object.put(last, value) }
    }

    /// The same with the names that properties have.
    private static func lowered(_ value: ProgramValue, _ realm: Realm, depth: Int) throws(Thrown) -> ProgramValue {
        guard case .object(let object) = value, !object.isOpaque, !object.isCallable, depth < overrideDepthMax else {
            return value
        }
        if let list = object as? ScriptArray {
            var elements: ContiguousArray<ProgramValue> = []
            for element in try list.values() { elements.append(try lowered(element, realm, depth: depth + 1)) }
            return .object(realm.array(elements))
        }
        let made = realm.object()
        for key in try object.enumerableKeys() {
            made.put(propertyName(realm.describe(key)), try lowered(try object.get(key), realm, depth: depth + 1))
        }
        return .object(made)
    }

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
        let quiet = AssignedValues(nil)
        settings.aliases = quiet.texts(pool, "aliasAttributes")
        if let administrators = quiet.object(pool, "adminCreateUserConfig") {
            settings.allowsSelfSignUp = !quiet.flag(administrators, "allowAdminCreateUserOnly")
        }
        if let names = quiet.object(pool, "usernameConfiguration") {
            settings.isCaseSensitive = quiet.flag(names, "caseSensitive")
        }
        readTokenTimes(quiet, into: &settings)
        settings.groups = groups.map { name, group in
            DeclaredPool.Group(name: name, precedence: reader.integer(group, "precedence"))
        }
        return settings
    }

    private func readTokenTimes(_ reader: AssignedValues, into settings: inout DeclaredPool) {
        let units = reader.object(client, "tokenValidityUnits")
        func seconds(_ name: String, _ usual: String) -> Int? {
            guard let count = reader.integer(client, "\(name)TokenValidity"), count > 0 else { return nil }
            let unit =
                switch units.flatMap({ reader.text($0, "\(name)Token") }) ?? usual {
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
/// is an error, or nothing too where nobody collects errors.
private struct AssignedValues {
    private let errors: ResourceErrors?

    init(_ errors: ResourceErrors?) {
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
        errors?.add(
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
