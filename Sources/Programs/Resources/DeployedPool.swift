import Blueprint
import GraphQL
import Project
import Script

/// What a program sees of a deployed user pool: `backend.auth.resources.cfnResources` with the properties that it may assign, and
/// `groups`. All else is opaque, and what is called there changes nothing that clients are told of.
final class DeployedPool {
    private let auth: OpaqueObject
    let pool: OpaqueObject
    let client: OpaqueObject
    let identities: OpaqueObject
    let groups: [(name: String, group: OpaqueObject)]
    /// What stands for the triggers before the program says more of them.
    private let firstTriggers: ProgramObject

    /// Those that the program has assigned.
    var triggers: AssignedTriggers {
        AssignedTriggers((try? pool.get(Self.triggersName)) ?? .undefined, first: firstTriggers)
    }

    private static let triggersName = "lambdaConfig"

    /// Those whose properties a program assigns.
    var parts: [OpaqueObject] { [pool, client, identities] + groups.map(\.group) }

    /// The same as `override.ts` of a Gen 1 project sees them.
    func version1Resources(_ realm: Realm) -> ProgramValue {
        let resources = OpaqueObject(realm, origin: "resources")
        for (name, part) in [
            ("userPool", pool), ("userPoolClient", client), ("userPoolClientWeb", client), ("identityPool", identities),
        ] {
            resources.put(name, .object(part))
        }
        return .object(resources)
    }

    /// Looks at all that the program has assigned to them.
    func check(
        _ errors: ResourceErrors, place: @escaping (String) -> Position, warn: @escaping (String, Position) -> Void
    ) {
        let all: [(ResourceProperties, OpaqueObject)] =
            [(.userPool, pool), (.userPoolClient, client), (.identityPool, identities)]
            + groups.map { (.userPoolGroup, $0.group) }
        for (properties, part) in all {
            PropertyCheck(properties, errors, place: place, warn: warn).run(on: part, without: Self.methods)
        }
    }

    /// What changes properties by their names in a template, and what these names begin with.
    static let overrideMethods = [
        (name: "addPropertyOverride", prefix: ""), (name: "addOverride", prefix: "Properties."),
        (name: "addPropertyDeletionOverride", prefix: ""), (name: "addDeletionOverride", prefix: "Properties."),
    ]
    private static var methods: [String] { overrideMethods.map(\.name) }

    var value: ProgramValue { .object(auth) }

    /// - Parameter attributes: what is kept of users.
    init(_ settings: DeclaredPool, _ attributes: [AuthResource.UserAttribute], _ realm: Realm) {
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
        pool.put(
            "userAttributeUpdateSettings",
            object([("attributesRequireVerificationBeforeUpdate", texts(settings.addressesProvedFirst))]))
        pool.put(
            "adminCreateUserConfig", object([("allowAdminCreateUserOnly", .boolean(!settings.allowsSelfSignUp))]))
        pool.put("usernameConfiguration", object([("caseSensitive", .boolean(settings.isCaseSensitive))]))
        if let recovery = settings.recovery, let mechanisms = DeployedRecovery.mechanisms(of: recovery) {
            let list = mechanisms.enumerated().map { number, name in
                object([("name", realm.value(name)), ("priority", .number(Double(number + 1)))])
            }
            pool.put(
                "accountRecoverySetting", object([("recoveryMechanisms", .object(realm.array(ContiguousArray(list))))]))
        }
        let schema = Self.schema(settings, attributes).map { attribute in
            object(
                [("name", realm.value(attribute.name)), ("mutable", .boolean(attribute.isMutable))]
                    + (attribute.kind == .standard ? [("required", .boolean(attribute.isRequired))] : []))
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
        client.put("explicitAuthFlows", texts(settings.signInFlows))
        client.put(
            "preventUserExistenceErrors", settings.tellsOfUsers == nil ? .undefined : realm.value("ENABLED"))
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
        let parts = opaque("backend.auth.resources.cfnResources")
        parts.put("cfnUserPool", .object(pool))
        parts.put("cfnUserPoolClient", .object(client))
        parts.put("cfnIdentityPool", .object(identities))
        resources.put("cfnResources", .object(parts))
        resources.put(
            "groups",
            object(
                groups.map { name, group in
                    let role = Self.role(.group(name), realm)
                    return (name, object([("cfnUserGroup", .object(group)), ("role", role)]))
                }))
        let userPool = resources.putMember("userPool")
        ResourceParts.attach(pool, to: userPool)
        ResourceParts.attach(client, to: resources.putMember("userPoolClient"))
        userPool.put(
            "addTrigger",
            .object(
                realm.function("addTrigger", length: 2) { call throws(Thrown) in
                    let run = try ProgramRun.of(call.realm)
                    run.signIn?.addTrigger(call[0], call[1], at: run.files.position(call.realm.callPlace))
                    return .undefined
                }))
        resources.put("authenticatedUserIamRole", Self.role(.users, realm))
        resources.put("unauthenticatedUserIamRole", Self.role(.guests, realm))
        auth.put("resources", .object(resources))
    }

    /// The attributes in the order of the template, so that a program can change them by their places: those of people's addresses, the
    /// others as they are written, and the app's own, without `custom:`.
    private static func schema(
        _ settings: DeclaredPool, _ attributes: [AuthResource.UserAttribute]
    ) -> [AuthResource.UserAttribute] {
        var names = ["email", "phone_number"].filter { name in
            settings.requiredAttributes.contains(name) || attributes.contains { $0.name == name }
        }
        let own = attributes.filter { $0.kind != .standard }
        names += attributes.filter { $0.kind == .standard && !names.contains($0.name) }.map(\.name)
        names += settings.requiredAttributes.filter { !names.contains($0) }
        let standard = names.map { name in
            AuthResource.UserAttribute(
                name, isRequired: settings.requiredAttributes.contains(name),
                isMutable: attributes.first { $0.name == name }?.isMutable ?? true)
        }
        let prefix = AuthResource.UserAttribute.ownPrefix
        return standard
            + own.map { attribute in
                AuthResource.UserAttribute(
                    attribute.name.hasPrefix(prefix)
                        ? String(attribute.name.dropFirst(prefix.utf8.count)) : attribute.name,
                    attribute.kind, isMutable: attribute.isMutable)
            }
    }

    /// What a program sees of a role, which it gives rights to.
    private static func role(_ identities: IdentityRoleGrants.Role, _ realm: Realm) -> ProgramValue {
        let role = OpaqueObject(realm, origin: "role")
        (try? ProgramRun.of(realm))?.signIn?.grants.knows(role, of: identities)
        for method in ["attachInlinePolicy", "addToPolicy", "addToPrincipalPolicy"] {
            role.put(
                method,
                .object(
                    realm.function(method, length: 1) { call throws(Thrown) in
                        let signIn = try ProgramRun.of(call.realm).signIn
                        signIn?.grants.give(call[0], to: identities)
                        return .object(OpaqueObject(call.realm, origin: "role.\(method)()"))
                    }))
        }
        return .object(role)
    }

    static let mfaNames: [(mode: AuthResource.Multifactor.Mode, name: String)] = [
        (.off, "OFF"), (.optional, "OPTIONAL"), (.required, "ON"),
    ]
    static let factorNames: [(factor: AuthResource.Multifactor.Factor, name: String)] = [
        (.message, "SMS_MFA"), (.generator, "SOFTWARE_TOKEN_MFA"), (.email, "EMAIL_OTP"),
    ]

    // MARK: Overrides

    /// Those whose names as properties do not follow from their names in a template.
    private static let propertyNames = ["CallbackURLs": "callbackUrLs", "LogoutURLs": "logoutUrLs"]
    private static let overrideDepthMax = 16

    static func propertyName(_ name: some StringProtocol) -> String {
        propertyNames[String(name)] ?? name.prefix(1).lowercased() + name.dropFirst()
    }

    /// `addPropertyOverride('Policies.PasswordPolicy.MinimumLength', 10)` sets a property by its name in the template, and
    /// `addPropertyDeletionOverride('MfaConfiguration')` removes one. Overrides take precedence over assignments.
    private static func addOverrides(to part: OpaqueObject, _ realm: Realm) {
        for (number, (name, prefix)) in overrideMethods.enumerated() {
            part.put(
                name,
                .object(
                    realm.function(name, length: 2) { call throws(Thrown) in
                        let run = try ProgramRun.of(call.realm)
                        guard case .text(let text) = call[0], let part = call.this.opaque,
                            let path = PropertyPath.names(in: text.string, behind: prefix)?.map(propertyName)
                        else { return .undefined }
                        var left = overrideValuesMax
                        let value = number > 1 ? .undefined : try lowered(call[1], call.realm, depth: 0, &left)
                        run.signIn?.override(part, path, value, at: run.files.position(call.realm.callPlace))
                        return .undefined
                    }))
        }
    }

    /// Sets a property by its path. The members of an object are set one by one, and the others stay.
    static func override(
        _ part: ProgramObject, _ path: [String], merging value: ProgramValue, _ realm: Realm, depth: Int = 0
    ) throws(Thrown) {
        guard case .object(let object) = value, !object.isOpaque, !object.isCallable, !(object is ScriptArray),
            depth < overrideDepthMax
        else { return try override(part, path, value, realm) }
        for key in try object.enumerableKeys() {
            let inner = path + [realm.describe(key)]
            try override(part, inner, merging: try object.get(key), realm, depth: depth + 1)
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
                if object is ScriptArray { throw realm.typeError("There is no element \(name) to override") }
                let made = realm.object()
                object.put(name, .object(made))
                object = made
            }
        }
        if let list = object as? ScriptArray {
            guard let index = Int(last), index >= 0, index <= list.elements.count else {
                throw realm.typeError("There is no element \(last) to override")
            }
            if index == list.elements.count { try list.append(value) } else { list.put(last, value) }
        } else {
            object.put(last, value)
        }
    }

    private static let overrideValuesMax = 10_000

    /// The same with the names that properties have.
    private static func lowered(
        _ value: ProgramValue, _ realm: Realm, depth: Int, _ left: inout Int
    ) throws(Thrown) -> ProgramValue {
        left -= 1
        guard left > 0, depth < overrideDepthMax else {
            throw realm.rangeError("An override has more than \(overrideValuesMax) values, or too deep ones")
        }
        guard case .object(let object) = value, !object.isOpaque, !object.isCallable else { return value }
        if let list = object as? ScriptArray {
            var elements: ContiguousArray<ProgramValue> = []
            for element in try list.values() { elements.append(try lowered(element, realm, depth: depth + 1, &left)) }
            return .object(realm.array(elements))
        }
        let made = realm.object()
        for key in try object.enumerableKeys() {
            made.put(
                propertyName(realm.describe(key)), try lowered(try object.get(key), realm, depth: depth + 1, &left))
        }
        return .object(made)
    }
}
