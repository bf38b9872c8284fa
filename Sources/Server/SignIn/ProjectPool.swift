import Blueprint
import JSON
import Project
import UserPool

/// The settings of sign-in that a project gives, each for its key of the configuration. Settings of the configuration take precedence.
struct ProjectPool {
    private(set) var values: [ProjectValue] = []
    /// The parts that are left out, and why.
    private(set) var warnings: [String] = []
    /// The client of the app, but for its name; nil: the project has no sign-in.
    private(set) var app: AppClient?
    private(set) var hasNativeClient = false
    /// The file that says it.
    private let file: String

    private init(file: String) { self.file = file }

    /// The project's value; none where it has none.
    init(_ resources: Project, _ configuration: Configuration) {
        if case .refused = resources.signIn {
            self.init(closedBy: resources.signInFile ?? "")
        } else if let auth = resources.signIn.resource, let file = resources.signInFile {
            self.init(
                auth, file: file, functions: Set(configuration.engine.functions.keys),
                isForThisMachineOnly: configuration.isForThisMachineOnly)
        } else {
            self.init(file: "")
        }
        hasNativeClient = resources.version1?.auth?.auth.hasClientSecret ?? false
        if let region = resources.region {
            values.append(ProjectValue("auth.pool.region", \.signIn.region, region.name, from: region.file))
        }
    }

    /// The pool of a project that cannot be read: nobody may sign up, sign in or be a guest.
    private init(closedBy file: String) {
        self.init(file: file)
        say("selfSignUp", \.allowsSelfSignUp, false)
        say("guests", \.allowsGuests, false)
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
        let names: [(attribute: String, name: PoolSettings.SignInName)] = [("email", .email), ("phone_number", .phone)]
        let used = names.filter { pool.usernameAttributes.contains($0.attribute) }.map(\.name)
        say("signIn", \.signInNames, used.isEmpty ? [.username] : used)
        say("aliases", \.aliases, pool.aliases)
        say("caseSensitive", \.isCaseSensitive, pool.isCaseSensitive)
        say("selfSignUp", \.allowsSelfSignUp, pool.allowsSelfSignUp)
        // The first code of somebody with both addresses goes to the telephone.
        let addresses = ["phone_number", "email"]
        say("verify", \.verifiedAttributes, addresses.filter { pool.verifiedAttributes.contains($0) })
        say("provedFirst", \.addressesProvedFirst, addresses.filter { pool.addressesProvedFirst.contains($0) })
        if let recovery = pool.recovery {
            say("accountRecovery", \.accountRecovery, AccountRecovery(rawValue: recovery.rawValue))
        }
        say(
            "firstFactors", \.firstFactors,
            (pool.firstFactors ?? [.password]).compactMap { PoolSettings.FirstFactor(rawValue: $0.rawValue) })
        if let isTold = pool.tellsOfUsers {
            say("preventUserExistenceErrors", \.existenceErrors, isTold ? .shown : .hidden)
        }
        if let devices = pool.devices {
            say("devices", \.deviceTracking, devices.areOnRequest ? .onRequest : .always)
            say("devicesReplaceMfa", \.rememberedDevicesStandIn, devices.standIn)
        }
        if let days = pool.temporaryPasswordDays { say("temporaryPasswordDays", \.temporaryPasswordDays, Int64(days)) }
        say("guests", \.allowsGuests, pool.allowsGuests)
        if let provider = pool.developerProvider { say("developerProvider", \.developerProvider, provider) }
        let policy = pool.passwordPolicy
        say("password.minLength", \.password.lengthMin, policy.lengthMin)
        say("password.lowercase", \.password.needsLowercase, policy.needsLowercase)
        say("password.uppercase", \.password.needsUppercase, policy.needsUppercase)
        say("password.digit", \.password.needsDigit, policy.needsNumbers)
        say("password.symbol", \.password.needsSymbol, policy.needsSymbols)
        addSecondFactors(of: pool)
        say(
            "groups", \.groups,
            pool.groups.map { GroupSetting($0.name, precedence: $0.precedence.map { Int64($0) }) })
        if let domain = pool.relyingParty {
            say("passkeys.domain", \.passkeys.relyingPartyID, domain)
            say(
                "passkeys.userVerification", \.passkeys.userVerification,
                pool.demandsPasskeyVerification ? .required : .preferred)
        }
        addAttributes(of: auth)
        addMessages(pool.messages)
        addTriggers(of: auth, functions)
        addProviders(of: auth, isForThisMachineOnly: isForThisMachineOnly)
    }

    /// Gives a key of `auth.pool` a value.
    private mutating func say<Value: ConfigurationValue>(
        _ key: String, _ field: any WritableKeyPath<PoolSettings, Value> & Sendable, _ value: Value,
        order: [String] = []
    ) {
        values.append(
            ProjectValue("auth.pool.\(key)", value, from: file, order: order) { $0.signIn.pool[keyPath: field] = value }
        )
    }

    private mutating func addSecondFactors(of pool: DeclaredPool) {
        let demand: PoolSettings.SecondFactorDemand =
            switch pool.mfaMode {
            case .off: .off
            case .optional: .optional
            case .required: .required
            }
        say("mfa", \.secondFactorDemand, demand)
        let factors: [(AuthResource.Multifactor.Factor, PoolSettings.SecondFactor)] = [
            (.generator, .totp), (.message, .sms), (.email, .email),
        ]
        let chosen = factors.filter { pool.mfaFactors.contains($0.0) }.map(\.1)
        if pool.mfaMode != .off, !chosen.isEmpty { say("mfaTypes", \.secondFactors, chosen) }
    }

    private mutating func addAttributes(of auth: AuthResource) {
        let prefix = AuthResource.UserAttribute.ownPrefix
        say("requiredAttributes", \.attributes.required, auth.pool.requiredAttributes)
        let standard = auth.attributes.filter { !$0.name.hasPrefix(prefix) && !$0.isMutable }
        say("immutableAttributes", \.attributes.immutable, standard.map(\.name))
        let own = auth.attributes.filter { $0.name.hasPrefix(prefix) }.compactMap { attribute in
            AttributeSchema.Custom(attribute).map { (String(attribute.name.dropFirst(prefix.count)), $0) }
        }
        guard !own.isEmpty else { return }
        say(
            "customAttributes", \.attributes.customByName, Dictionary(own, uniquingKeysWith: { $1 }),
            order: own.map(\.0))
    }

    private mutating func addMessages(_ messages: DeclaredPool.Messages) {
        func say(
            _ name: String, _ field: any WritableKeyPath<PoolSettings, MessageTemplate> & Sendable,
            _ message: DeclaredPool.Message
        ) {
            let template = MessageTemplate(subject: message.subject, email: message.body, sms: message.phone)
            if template != MessageTemplate() { self.say("messages.\(name)", field, template) }
        }
        say("verification", \.messages.verification, messages.verification)
        say("invitation", \.messages.invitation, messages.invitation)
        say("signIn", \.messages.signIn, messages.signIn)
        guard let link = messages.link else { return }
        self.say("verifyByLink", \.verifiesByLink, true)
        say("link", \.messages.link, DeclaredPool.Message(subject: link.subject, body: link.body))
    }

    private mutating func addTriggers(of auth: AuthResource, _ functions: Set<String>) {
        var called: [(event: String, function: String)] = []
        var missing: [String] = []
        for trigger in auth.triggers {
            guard let name = trigger.function.givenName else { continue }
            if functions.contains(name), let event = PoolTrigger(rawValue: trigger.event.rawValue) {
                called.append((event.rawValue, name))
            } else {
                missing.append("\(name) (\(trigger.event.rawValue))")
            }
        }
        if !called.isEmpty {
            let urls = Dictionary(called.map { ($0.event, $0.function) }, uniquingKeysWith: { $1 })
            values.append(
                ProjectValue("auth.pool.triggers", urls, from: file, order: called.map(\.event)) {
                    $0.signIn.triggers = urls
                })
        }
        if !missing.isEmpty {
            warnings.append(
                "the project's triggers are not called, since there is no function \(missing.joined(separator: ", ")): name its URL "
                    + "in functions")
        }
    }

    private mutating func addProviders(of auth: AuthResource, isForThisMachineOnly: Bool) {
        guard let providers = auth.login.providers else { return }
        // Amplify maps the address where it is the only one that users have to have.
        let mapsEmail = auth.login.email != nil && auth.login.phone == nil
        func setting(_ kind: IdentityProvider.Kind, _ written: [AuthResource.AttributeMapping]) -> ProviderSetting {
            var setting = ProviderSetting(kind)
            var mapping = mapsEmail ? [IdentityProvider.Mapping(attribute: "email", claim: "email")] : []
            for pair in written {
                let pair = IdentityProvider.Mapping(attribute: pair.poolAttribute, claim: pair.claim)
                if let place = mapping.firstIndex(where: { $0.attribute == pair.attribute }) {
                    mapping[place] = pair
                } else {
                    mapping.append(pair)
                }
            }
            setting.attributes = mapping
            return setting
        }
        var settings = providers.social.map { setting(IdentityProvider.Kind($0.kind), $0.mapping) }
        for (number, provider) in providers.openIDConnect.enumerated() {
            var own = setting(.oidc, provider.mapping)
            // Cognito makes a name up where there is none.
            own.name = provider.name.flatMap { IdentityProvider.isName($0) ? $0 : nil } ?? "oidc\(number + 1)"
            own.identifiers = provider.identifiers
            if provider.scopes.contains("openid") { own.scopes = provider.scopes }
            settings.append(own)
        }
        guard !settings.isEmpty else { return }
        guard isForThisMachineOnly else {
            warnings.append(
                "the project's providers of sign-in are left out, since others can reach the server and their clients' ids are not "
                    + "here: set auth.providers")
            return
        }
        values.append(ProjectValue("auth.providers", \.signIn.providers, settings, from: file))
    }
}

extension IdentityProvider.Kind {
    /// The provider that a project names.
    fileprivate init(_ kind: AuthResource.SocialProvider.Kind) {
        self =
            switch kind {
            case .google: .google
            case .facebook: .facebook
            case .amazon: .amazon
            case .apple: .apple
            }
    }
}

extension AttributeSchema.Custom {
    /// An attribute of an app's own; nil for one that every pool has.
    fileprivate init?(_ attribute: AuthResource.UserAttribute) {
        self.init()
        isMutable = attribute.isMutable
        switch attribute.kind {
        case .standard: return nil
        case .text(let least, let greatest): setRange(least.map { Int64($0) }, greatest.map { Int64($0) })
        case .number(let least, let greatest):
            kind = .number
            // A pool's numbers are whole.
            setRange(
                least.flatMap { Int64(exactly: $0.rounded(.up)) },
                greatest.flatMap { Int64(exactly: $0.rounded(.down)) })
        case .boolean: kind = .boolean
        case .dateTime: kind = .time
        }
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
