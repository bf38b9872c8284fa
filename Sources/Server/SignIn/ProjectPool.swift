import Blueprint
import JSON
import Project
import UserPool

/// What a project says of sign-in, as the keys of the configuration would say it: whatever is set goes over it.
struct ProjectPool {
    /// By the path of the key.
    private(set) var values: [(path: String, value: JSONValue, file: String)] = []
    /// The parts that are left out, and why.
    private(set) var warnings: [String] = []
    /// The client of the app, but for its name; nil: the project has no sign-in.
    private(set) var app: AppClient?
    private(set) var hasNativeClient = false
    /// The file that says it.
    private let file: String

    private init(file: String) { self.file = file }

    /// The project's value; none where it has none.
    init(_ resources: ProjectResources, _ configuration: Configuration) {
        let source = resources.poolSource
        if case .refused = source {
            self.init(closedBy: resources.signInFile ?? "")
        } else if let auth = source.resource, let file = resources.signInFile {
            self.init(
                auth, file: file, functions: Set(configuration.engine.functions.keys),
                isForThisMachineOnly: configuration.isForThisMachineOnly)
        } else {
            self.init(file: "")
        }
        if case .version1(let project) = resources.kind {
            hasNativeClient = project.auth?.auth.hasClientSecret ?? false
        }
        if let region = resources.region { values.append(("auth.pool.region", .string(region.name), region.file)) }
    }

    /// The pool of a project that cannot be read: nobody may sign up, sign in or be a guest.
    private init(closedBy file: String) {
        self.init(file: file)
        set("pool.selfSignUp", false)
        set("pool.guests", false)
        app = AppClient("")
        app?.flows = []
    }

    /// - Parameters:
    ///   - functions: the names of those that can be called.
    ///   - isForThisMachineOnly: whether nobody else can reach the server. Pages of this server stand in for providers only then.
    init(_ auth: AuthResource, file: String, functions: Set<String>, isForThisMachineOnly: Bool) {
        self.init(file: file)
        app = AppClient(of: auth)
        let pool = auth.pool
        func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

        let names: [(attribute: String, name: PoolSettings.SignInName)] = [("email", .email), ("phone_number", .phone)]
        let used = names.filter { pool.usernameAttributes.contains($0.attribute) }.map(\.name)
        set("pool.signIn", texts((used.isEmpty ? [.username] : used).map(\.rawValue)))
        set("pool.aliases", texts(pool.aliases))
        set("pool.caseSensitive", .bool(pool.isCaseSensitive))
        set("pool.selfSignUp", .bool(pool.allowsSelfSignUp))
        // The first code of somebody with both addresses goes to the telephone.
        let addresses = ["phone_number", "email"]
        set("pool.verify", texts(addresses.filter { pool.verifiedAttributes.contains($0) }))
        set("pool.provedFirst", texts(addresses.filter { pool.addressesProvedFirst.contains($0) }))
        if let recovery = pool.recovery { set("pool.accountRecovery", .string(recovery.rawValue)) }
        set("pool.firstFactors", texts((pool.firstFactors ?? [.password]).map(\.rawValue)))
        if let isTold = pool.tellsOfUsers {
            set(
                "pool.preventUserExistenceErrors",
                .string((isTold ? PoolSettings.ExistenceErrors.shown : .hidden).rawValue))
        }
        if let devices = pool.devices {
            let tracking: PoolSettings.DeviceTracking = devices.areOnRequest ? .onRequest : .always
            set("pool.devices", .string(tracking.rawValue))
            set("pool.devicesReplaceMfa", .bool(devices.standIn))
        }
        if let days = pool.temporaryPasswordDays { set("pool.temporaryPasswordDays", .integer(Int64(days))) }
        set("pool.guests", .bool(pool.allowsGuests))
        if let provider = pool.developerProvider { set("pool.developerProvider", .string(provider)) }
        let policy = pool.passwordPolicy
        set("pool.password.minLength", .integer(Int64(policy.lengthMin)))
        set("pool.password.lowercase", .bool(policy.needsLowercase))
        set("pool.password.uppercase", .bool(policy.needsUppercase))
        set("pool.password.digit", .bool(policy.needsNumbers))
        set("pool.password.symbol", .bool(policy.needsSymbols))
        let demands: [(AuthResource.Multifactor.Mode, PoolSettings.SecondFactorDemand)] = [
            (.off, .off), (.optional, .optional), (.required, .required),
        ]
        for (mode, demand) in demands where mode == pool.mfaMode { set("pool.mfa", .string(demand.rawValue)) }
        if pool.mfaMode != .off {
            let factors: [(AuthResource.Multifactor.Factor, PoolSettings.SecondFactor)] = [
                (.generator, .totp), (.message, .sms), (.email, .email),
            ]
            let chosen = factors.filter { pool.mfaFactors.contains($0.0) }.map(\.1.rawValue)
            if !chosen.isEmpty { set("pool.mfaTypes", texts(chosen)) }
        }
        set(
            "pool.groups",
            .array(
                pool.groups.map { group in
                    var setting = JSONObject([("name", .string(group.name))])
                    setting["precedence"] = group.precedence.map { .integer(Int64($0)) }
                    return .object(setting)
                }))
        if let domain = pool.relyingParty {
            set("pool.passkeys.domain", .string(domain))
            set(
                "pool.passkeys.userVerification",
                .string(
                    (pool.demandsPasskeyVerification ? PasskeySettings.UserVerification.required : .preferred).rawValue)
            )
        }
        addAttributes(of: auth)
        addMessages(of: pool)
        addLink(pool.messages.link)
        addTriggers(of: auth, functions)
        addProviders(of: auth, isForThisMachineOnly: isForThisMachineOnly)
    }

    private mutating func set(_ key: String, _ value: JSONValue) { values.append(("auth.\(key)", value, file)) }

    private mutating func addAttributes(of auth: AuthResource) {
        let prefix = "custom:"
        set("pool.requiredAttributes", .array(auth.pool.requiredAttributes.map { .string($0) }))
        let standard = auth.attributes.filter { !$0.name.hasPrefix(prefix) && !$0.isMutable }
        set("pool.immutableAttributes", .array(standard.map { .string($0.name) }))
        var own = JSONObject()
        for attribute in auth.attributes where attribute.name.hasPrefix(prefix) {
            var setting = JSONObject()
            switch attribute.kind {
            case .standard: continue
            case .text(let least, let greatest):
                setting["type"] = .string(AttributeSchema.Custom.Kind.text.rawValue)
                setting["min"] = least.map { .integer(Int64($0)) }
                setting["max"] = greatest.map { .integer(Int64($0)) }
            case .number(let least, let greatest):
                setting["type"] = .string(AttributeSchema.Custom.Kind.number.rawValue)
                // A pool's numbers are whole.
                setting["min"] = least.flatMap { Int64(exactly: $0.rounded(.up)) }.map { .integer($0) }
                setting["max"] = greatest.flatMap { Int64(exactly: $0.rounded(.down)) }.map { .integer($0) }
            case .boolean: setting["type"] = .string(AttributeSchema.Custom.Kind.boolean.rawValue)
            case .dateTime: setting["type"] = .string(AttributeSchema.Custom.Kind.time.rawValue)
            }
            setting["mutable"] = .bool(attribute.isMutable)
            own[String(attribute.name.dropFirst(prefix.count))] = .object(setting)
        }
        if !own.isEmpty { set("pool.customAttributes", .object(own)) }
    }

    private mutating func addMessages(of pool: DeclaredPool) {
        let messages = [
            ("verification", pool.messages.verification), ("invitation", pool.messages.invitation),
            ("signIn", pool.messages.signIn),
        ]
        for (name, message) in messages {
            var texts = JSONObject()
            texts["emailSubject"] = message.subject.map { .string($0) }
            texts["emailMessage"] = message.body.map { .string($0) }
            texts["smsMessage"] = message.phone.map { .string($0) }
            if !texts.isEmpty { set("pool.messages.\(name)", .object(texts)) }
        }
    }

    private mutating func addLink(_ message: DeclaredPool.Message?) {
        guard let message else { return }
        set("pool.verifyByLink", true)
        var texts = JSONObject()
        texts["emailSubject"] = message.subject.map { .string($0) }
        texts["emailMessage"] = message.body.map { .string($0) }
        if !texts.isEmpty { set("pool.messages.link", .object(texts)) }
    }

    private mutating func addTriggers(of auth: AuthResource, _ functions: Set<String>) {
        var urls = JSONObject()
        var missing: [String] = []
        for trigger in auth.triggers {
            guard let name = trigger.function.givenName else { continue }
            if functions.contains(name), let event = PoolTrigger(rawValue: trigger.event.rawValue) {
                urls[event.rawValue] = .string(name)
            } else {
                missing.append("\(name) (\(trigger.event.rawValue))")
            }
        }
        if !urls.isEmpty { set("pool.triggers", .object(urls)) }
        if !missing.isEmpty {
            warnings.append(
                "the project's triggers are not called, since there is no function \(missing.joined(separator: ", ")): name its URL "
                    + "in functions")
        }
    }

    private mutating func addProviders(of auth: AuthResource, isForThisMachineOnly: Bool) {
        guard let providers = auth.login.providers else { return }
        let kinds: [AuthResource.SocialProvider.Kind: IdentityProvider.Kind] = [
            .google: .google, .facebook: .facebook, .amazon: .amazon, .apple: .apple,
        ]
        // Amplify maps the address where it is the only one that users have to have.
        let mapsEmail = auth.login.email != nil && auth.login.phone == nil
        func mapping(_ written: [AuthResource.AttributeMapping]) -> JSONValue {
            var mapping = JSONObject()
            if mapsEmail { mapping["email"] = "email" }
            for pair in written { mapping[pair.poolAttribute] = .string(pair.claim) }
            return .object(mapping)
        }
        var settings: [JSONValue] = providers.social.compactMap { provider in
            kinds[provider.kind].map { kind in
                ["kind": .string(kind.rawValue), "attributes": mapping(provider.mapping)]
            }
        }
        for (number, provider) in providers.openIDConnect.enumerated() {
            // Cognito makes a name up where there is none.
            let name = provider.name.flatMap { IdentityProvider.isName($0) ? $0 : nil } ?? "oidc\(number + 1)"
            var setting = JSONObject([
                ("kind", .string(IdentityProvider.Kind.oidc.rawValue)), ("name", .string(name)),
                ("attributes", mapping(provider.mapping)),
            ])
            if !provider.identifiers.isEmpty {
                setting["identifiers"] = .array(provider.identifiers.map { .string($0) })
            }
            if provider.scopes.contains("openid") {
                setting["scopes"] = .array(provider.scopes.map { .string($0) })
            }
            settings.append(.object(setting))
        }
        guard !settings.isEmpty else { return }
        guard isForThisMachineOnly else {
            warnings.append(
                "the project's providers of sign-in are left out, since others can reach the server and their clients' ids are not "
                    + "here: set auth.providers")
            return
        }
        set("providers", .array(settings))
    }
}

extension AppClient {
    /// The client of an app that a project describes, but for its name.
    init(of auth: AuthResource) {
        self.init("")
        let pool = auth.pool
        accessSeconds = pool.tokens.accessSeconds.map { Int64($0) } ?? accessSeconds
        idSeconds = pool.tokens.idSeconds.map { Int64($0) } ?? idSeconds
        refreshSeconds = pool.tokens.refreshSeconds.map { Int64($0) } ?? refreshSeconds
        sessionSeconds = pool.challengeSeconds.map { Int64($0) } ?? sessionSeconds
        rotationGraceSeconds = pool.rotationGraceSeconds.map { Int64($0) }
        flows = Set(pool.signInFlows.compactMap(Flow.init))
        writeAttributes = pool.writeAttributes.map { Set(texts: $0) }
        readAttributes = pool.readAttributes.map { Set(texts: $0) }
        guard !pool.logoutURLs.isEmpty else { return }
        redirectURIs = pool.callbackURLs.filter(AppClient.isAppAddress)
        logoutURIs = pool.logoutURLs.filter(AppClient.isAppAddress)
        scopes = pool.scopes.filter(AppClient.isScope)
    }
}
