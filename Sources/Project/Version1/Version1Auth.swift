import Blueprint
import JSON

/// How people sign in to an app of Gen 1, as `amplify add auth` keeps it in `amplify/backend/auth/NAME/cli-inputs.json`: the object
/// `cognitoConfig` there, or in projects of the first years the whole of `parameters.json`.
package struct Version1Auth: Sendable {
    /// What the pool comes to.
    @Boxed package private(set) var resource: AuthResource
    /// What clients are told of it, as it is written.
    package let told: Told
    package let hasUserPool: Bool
    package let hasIdentityPool: Bool
    /// True if native apps prove to know a secret.
    package let hasClientSecret: Bool
    /// The pages to sign in at; nil: there are none.
    package let pages: Pages?
    /// The providers whose tokens the identity pool takes.
    package let federation: Federation
    /// The triggers that the project names.
    package let triggers: [AuthResource.Trigger.Event]
    /// What the functions of triggers may do with the pool.
    package let triggerGrants: [(event: AuthResource.Trigger.Event, grants: FunctionGrants)]

    /// Words for clients, in the spelling that they have in their files.
    package struct Told: Sendable, Equatable {
        package var socialProviders: [String] = []
        package var usernameAttributes: [String] = []
        package var signupAttributes: [String] = []
        /// A number or a text, or null where nothing is said.
        package var passwordLengthMin = JSONValue.null
        package var passwordCharacters: [String] = []
        package var mfaConfiguration: String?
        package var mfaTypes: [String] = []
        package var verificationMechanisms: [String] = []
    }

    package struct Pages: Sendable, Equatable {
        package let scopes: [String]
        package let callbackURLs: [String]
        package let logoutURLs: [String]
        package let flows: [String]
    }

    package struct Federation: Sendable, Equatable {
        package var google: String?
        package var googleOfPhones: String?
        package var facebook: String?
        package var amazon: String?

        package var isUsed: Bool { google != nil || facebook != nil || amazon != nil }
    }

    /// - Parameters:
    ///   - file: the object `cognitoConfig`; null for a pool that is elsewhere. `Version1AuthCheck` says what is wrong with it.
    ///   - groups: those of `userPoolGroups`, with their precedence.
    package init(_ file: JSONValue, groups: [DeclaredPool.Group] = []) {
        let isElsewhere = file.object?.isEmpty != false
        let file: JSONValue = isElsewhere ? Self.elsewhere : file
        let selections = file["authSelections"]?.string ?? "identityPoolAndUserPool"
        hasUserPool = selections != "identityPoolOnly"
        hasIdentityPool = selections != "userPoolOnly"
        hasClientSecret = Self.flag(file["userpoolClientGenerateSecret"])
        pages = Self.pages(file["oAuthMetadata"])
        federation = Self.federation(file)
        triggers = Self.triggers(file["triggers"])
        triggerGrants = Self.grants(file)
        told = Self.told(file)
        resource = Self.resource(file, pages, groups: groups)
    }

    /// What the local pool is like where the project's own is known to the service alone.
    private static let elsewhere: JSONValue = [
        "usernameAttributes": ["email"], "requiredAttributes": ["email"], "autoVerifiedAttributes": ["email"],
        "mfaConfiguration": "OFF", "mfaTypes": ["SMS Text Message"], "passwordPolicyMinLength": 8,
    ]

    // MARK: What clients are told

    private static func told(_ file: JSONValue) -> Told {
        var told = Told()
        told.socialProviders = providers(file).map(\.told)
        told.usernameAttributes = texts(file["usernameAttributes"]).map { $0.uppercased() }
        told.signupAttributes = texts(file["requiredAttributes"]).map { $0.uppercased() }
        told.passwordLengthMin = file["passwordPolicyMinLength"] ?? .null
        told.passwordCharacters = texts(file["passwordPolicyCharacters"]).map {
            $0.uppercased().replacing(bytesOf: " ", with: "_")
        }
        told.mfaConfiguration = file["mfaConfiguration"]?.string
        told.mfaTypes = texts(file["mfaTypes"]).map { $0 == messageFactor ? "SMS" : $0 }
        told.verificationMechanisms = texts(file["autoVerifiedAttributes"]).map { $0.uppercased() }
        return told
    }

    private static let messageFactor = "SMS Text Message"

    private static let providerNames: [(written: String, told: String, kind: AuthResource.SocialProvider.Kind)] = [
        ("Facebook", "FACEBOOK", .facebook), ("Google", "GOOGLE", .google), ("LoginWithAmazon", "AMAZON", .amazon),
        ("SignInWithApple", "APPLE", .apple),
    ]

    private static func providers(
        _ file: JSONValue
    ) -> [(written: String, told: String, kind: AuthResource.SocialProvider.Kind)] {
        texts(file["authProvidersUserPool"]).compactMap { name in providerNames.first { $0.written == name } }
    }

    // MARK: What the pool comes to

    private static func resource(_ file: JSONValue, _ pages: Pages?, groups: [DeclaredPool.Group]) -> AuthResource {
        var auth = AuthResource()
        let names = texts(file["usernameAttributes"]).map { $0.lowercased() }
        if names.contains("email") { auth.login.email = AuthResource.EmailLogin() }
        if names.contains("phone_number") { auth.login.phone = AuthResource.PhoneLogin() }
        if let pages {
            var providers = AuthResource.ExternalProviders()
            let used = Self.providers(file).map(\.kind)
            providers.social = AuthResource.SocialProvider.Kind.allCases.filter(used.contains).map {
                AuthResource.SocialProvider(kind: $0)
            }
            providers.callbackURLs = pages.callbackURLs
            providers.logoutURLs = pages.logoutURLs
            auth.login.providers = providers
        }
        var pool = DeclaredPool()
        pool.usernameAttributes = names
        pool.aliases = texts(file["aliasAttributes"]).map { $0.lowercased() }
        pool.isCaseSensitive = file["usernameCaseSensitive"].map(flag) ?? false
        pool.allowsSelfSignUp = !flag(file["adminCreateUserConfig"]?["AllowAdminCreateUserOnly"])
        pool.verifiedAttributes = texts(file["autoVerifiedAttributes"]).map { $0.lowercased() }
        // Amplify has every address proved first that it verifies at all.
        pool.addressesProvedFirst = pool.verifiedAttributes
        if flag(file["userpoolClientSetAttributes"]) {
            pool.writeAttributes = texts(file["userpoolClientWriteAttributes"])
            pool.readAttributes = texts(file["userpoolClientReadAttributes"])
        }
        pool.requiredAttributes = texts(file["requiredAttributes"]).map { $0.lowercased() }
        pool.passwordPolicy = policy(file)
        switch file["mfaConfiguration"]?.string {
        case "ON": pool.mfaMode = .required
        case "OPTIONAL": pool.mfaMode = .optional
        default: pool.mfaMode = .off
        }
        let factors = texts(file["mfaTypes"])
        if pool.mfaMode != .off {
            pool.mfaFactors =
                (factors.contains(messageFactor) ? [.message] : []) + (factors.contains("TOTP") ? [.generator] : [])
        }
        pool.allowsGuests = flag(file["allowUnauthenticatedIdentities"])
        pool.groups =
            groups.isEmpty
            ? texts(file["userPoolGroupList"]).enumerated().map { .init(name: $1, precedence: $0 + 1) } : groups
        pool.callbackURLs = pages?.callbackURLs ?? []
        pool.logoutURLs = pages?.logoutURLs ?? []
        pool.scopes = pages?.scopes ?? DeclaredPool.allScopes
        pool.flows = pages?.flows ?? pool.flows
        pool.messages.verification = DeclaredPool.Message(
            subject: text(file["emailVerificationSubject"]), body: text(file["emailVerificationMessage"]),
            phone: text(file["smsVerificationMessage"]))
        pool.messages.signIn = DeclaredPool.Message(phone: text(file["smsAuthenticationMessage"]))
        pool.tokens.refreshSeconds = number(file["userpoolClientRefreshTokenValidity"]).flatMap { days in
            (1...3_650).contains(days) ? days * 86_400 : nil
        }
        auth.pool = pool
        auth.groups = pool.groups.map(\.name)
        auth.multifactor.mode = pool.mfaMode
        auth.multifactor.factors = pool.mfaFactors
        return auth
    }

    private static func policy(_ file: JSONValue) -> DeclaredPool.PasswordPolicy {
        let characters = texts(file["passwordPolicyCharacters"]).map { $0.lowercased() }
        func needs(_ what: String) -> Bool { characters.contains("requires \(what)") }
        var policy = DeclaredPool.PasswordPolicy()
        policy.lengthMin = number(file["passwordPolicyMinLength"]) ?? policy.lengthMin
        policy.needsLowercase = needs("lowercase")
        policy.needsUppercase = needs("uppercase")
        policy.needsNumbers = needs("numbers")
        policy.needsSymbols = needs("symbols")
        return policy
    }

    private static func pages(_ written: JSONValue?) -> Pages? {
        guard let written = nested(written) else { return nil }
        return Pages(
            scopes: texts(written["AllowedOAuthScopes"]), callbackURLs: texts(written["CallbackURLs"]),
            logoutURLs: texts(written["LogoutURLs"]), flows: texts(written["AllowedOAuthFlows"]))
    }

    private static func federation(_ file: JSONValue) -> Federation {
        let used = texts(file["authProviders"])
        func id(_ name: String, of provider: String) -> String? {
            used.contains(provider) ? text(file[name]) : nil
        }
        return Federation(
            google: id("googleClientId", of: "accounts.google.com"),
            googleOfPhones: id("googleIos", of: "accounts.google.com"),
            facebook: id("facebookAppId", of: "graph.facebook.com"),
            amazon: id("amazonAppId", of: "www.amazon.com"))
    }

    private static func triggers(_ written: JSONValue?) -> [AuthResource.Trigger.Event] {
        let names = nested(written)?.object?.members.filter { $0.value.array?.isEmpty == false }.map(\.key) ?? []
        return AuthResource.Trigger.Event.allCases.filter { event in
            names.contains { $0.lowercased() == event.rawValue.lowercased() }
        }
    }

    /// `permissions`: statements, each with the trigger whose function has it, often written as texts.
    private static func grants(
        _ file: JSONValue
    ) -> [(event: AuthResource.Trigger.Event, grants: FunctionGrants)] {
        (file["permissions"]?.array ?? []).compactMap { written in
            guard let permission = nested(written), let name = permission["trigger"]?.string,
                let event = AuthResource.Trigger.Event.allCases.first(where: {
                    $0.rawValue.lowercased() == name.lowercased()
                })
            else { return nil }
            var statement = FunctionGrants.Statement(
                (permission["actions"]?.array ?? []).compactMap(\.string), on: [])
            statement.isAllowing = permission["effect"].map { $0.string == "Allow" } ?? true
            if permission["resource"]?["keys"]?.array?.first == "UserPool" {
                statement.resources = [.deployed("userPool.userPoolArn")]
            } else if let text = permission["resource"]?.string {
                statement.resources = [.text(text)]
            } else {
                statement.hasUnreadResources = true
            }
            return (event, FunctionGrants([statement]))
        }
    }

    // MARK: Values

    /// An object, also one that is written as a text.
    static func nested(_ value: JSONValue?) -> JSONValue? {
        if let text = value?.string { return (try? JSONReader.value(of: text)).flatMap { $0.object == nil ? nil : $0 } }
        return value?.object == nil ? nil : value
    }

    /// A list of texts, or one with commas between them; nil: it is something else.
    static func list(_ value: JSONValue) -> [String]? {
        if let elements = value.array, elements.contains(where: { $0.string == nil }) { return nil }
        return value.array == nil && value.string == nil ? nil : texts(value)
    }

    /// A list, whose elements may hold several with commas between them.
    private static func texts(_ value: JSONValue?) -> [String] {
        let written = value?.array?.compactMap(\.string) ?? value?.string.map { [$0] } ?? []
        return written.flatMap { text in
            text.split(separator: ",").compactMap { part in
                let trimmed = part.drop { $0 == " " }
                let length = trimmed.lastIndex { $0 != " " }
                return length.map { String(trimmed[...$0]) }
            }
        }
    }

    private static func text(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func flag(_ value: JSONValue?) -> Bool { value?.bool ?? (value?.string == "true") }

    static func number(_ value: JSONValue?) -> Int? {
        value?.integer.flatMap { Int(exactly: $0) } ?? value?.string.flatMap { Int($0) }
    }
}
