import JSON
import UserPool

extension ConfigurationKey {
    /// The user pool that is built in.
    static let pool: [ConfigurationKey] = names + users + creation + factors + messages + links + triggers + providers

    private static let region = ConfigurationKind.form(
        "region", expectation: "a region such as \"us-east-1\"", admits: { PoolIdentifiers.isRegion($0) })
    private static let userPoolID = ConfigurationKind.form(
        "pool", expectation: "the name of a pool such as \"us-east-1_abcDEF123\"",
        admits: { PoolIdentifiers.isUserPoolID($0) })
    private static let clientID = ConfigurationKind.form(
        "client", expectation: "up to 128 letters, digits, _ and +", admits: { PoolIdentifiers.isClientID($0) })
    private static let identityPoolID = ConfigurationKind.form(
        "identity pool", expectation: "a region, a colon and a UUID in small letters",
        admits: { PoolIdentifiers.isIdentityID($0) })

    private static let developerProvider = ConfigurationKind.form(
        "developer provider",
        expectation: "up to 128 letters, digits, '.', '-' and '_' such as \"login.example.app\", none of amazonaws.com",
        admits: { PoolIdentifiers.isDeveloperProvider($0) })

    private static let appAddress = ConfigurationKind.form(
        "app address", expectation: "an address such as \"https://example.com/\" or \"myapp://callback/\", without a #",
        admits: { AppClient.isAppAddress($0) })
    private static let scope = ConfigurationKind.form(
        "scope", expectation: "a name without blanks and quotes", admits: { AppClient.isScope($0) })

    private static let relyingParty = ConfigurationKind.form(
        "domain", expectation: "a domain in small letters such as \"example.com\" or \"localhost\"",
        admits: { PasskeySettings.isRelyingPartyID($0) })

    private static func policy(
        _ name: String, _ field: @autoclosure @escaping Field<Configuration, Bool>, _ what: String
    ) -> ConfigurationKey {
        ConfigurationKey("auth.pool.password.\(name)", .boolean, field(), "Whether a password needs \(what).")
    }

    private static let names: [ConfigurationKey] = [
        ConfigurationKey(
            "auth.pool.region", region, \.signIn.region,
            "The region that the pool's names begin with. Without it, that of the data folder's names, which begin with "
                + "us-east-1."),
        ConfigurationKey(
            "auth.pool.userPoolId", userPoolID, \.signIn.userPoolID,
            "The pool's name, such as `us-east-1_abcDEF123`. Without it, the data folder has one, which `homeport status` prints."
        ),
        ConfigurationKey(
            "auth.pool.identityPoolId", identityPoolID, \.signIn.identityPoolID,
            "The name of the identity pool, a region and a UUID with a colon between them."),
        ConfigurationKey(
            "auth.pool.clients",
            .list(
                .object([
                    ConfigurationField("id", clientID, isRequired: true, "The client's name."),
                    ConfigurationField(
                        "secret", .text, isSecret: true, "What the client proves to know, where it can keep it."),
                    ConfigurationField(
                        "flows", .list(.choice(AppClient.Flow.allCases.map(\.rawValue))),
                        "The ways in. Without them, those of the project's client; without a project, all."),
                    ConfigurationField(
                        "writeAttributes", .list(.text),
                        "The attributes that users may set of themselves by the client. Without it, those of the project's client, or "
                            + "all."),
                    ConfigurationField(
                        "readAttributes", .list(.text),
                        "The attributes that the client is shown. Without it, those of the project's client, or all."),
                    ConfigurationField(
                        "accessSeconds", .integer(1...86_400), "How long access tokens are good (3600)."),
                    ConfigurationField("idSeconds", .integer(1...86_400), "How long ID tokens are good (3600)."),
                    ConfigurationField(
                        "refreshSeconds", .integer(1...315_360_000), "How long refresh tokens are good (2592000)."),
                    ConfigurationField(
                        "sessionSeconds", .integer(1...PoolLimits.sessionSecondsMax),
                        "How long a challenge may be answered (180)."),
                    ConfigurationField(
                        "rotationGraceSeconds", .integer(0...60),
                        "With it each refresh gives a new refresh token, and the old one is good for so long beside it."
                    ),
                    ConfigurationField(
                        "callbackUrls", .list(appAddress),
                        "Where the sign-in pages may send somebody back to, to the character."),
                    ConfigurationField(
                        "logoutUrls", .list(appAddress), "Where they may send somebody who has signed out."),
                    ConfigurationField(
                        "scopes", .list(scope),
                        "What the app may ask for on the pages (openid, email, phone, profile, "
                            + "aws.cognito.signin.user.admin); those with a / are for the client itself."),
                ])),
            \.signIn.pool.clients,
            "The apps that may sign users in; the first is the one of the outputs. Without any there is one, without a secret, "
                + "which `homeport status` prints."),
        ConfigurationKey(
            "auth.pool.issuer", .text, \.signIn.pool.issuer,
            "The issuer in tokens. `cognito` stands for Cognito's own, which libraries such as `aws-jwt-verify` expect. Default: the address by "
                + "which the server was called, and the pool's name behind it."
        ),
        ConfigurationKey(
            "auth.pool.guests", .boolean, \.signIn.pool.allowsGuests, "Whether guests get identities and credentials."),
        ConfigurationKey(
            "auth.pool.adoptGuests", .boolean, \.signIn.pool.adoptsUnknownGuests,
            "Whether an identity that nobody knows becomes a guest's. Browsers keep theirs when a data folder was deleted."
        ),
        ConfigurationKey(
            "auth.pool.developerProvider", developerProvider, \.signIn.pool.developerProvider,
            "The name of the app's own backend as a provider of logins (`DeveloperProviderName`). With it the backend gets tokens for users whom "
                + "it has signed in itself: `GetOpenIdTokenForDeveloperIdentity`."),
    ]

    private static let calls = 1...Int64(1_000_000)
    private static let creation: [ConfigurationKey] = [
        ConfigurationKey(
            "auth.pool.limits.callsPerAddress", .integer(calls), \.signIn.pool.creation.callsPerAddress,
            "The calls an hour by which one address makes users or has messages sent: sign-ups, codes that are sent again, forgotten "
                + "passwords, codes for addresses. Of IPv6 a /64 counts as one address. This machine's own addresses are not counted."
        ),
        ConfigurationKey(
            "auth.pool.limits.guestsPerAddress", .integer(calls), \.signIn.pool.creation.guestsPerAddress,
            "The identities of guests an hour that one address gets."),
        ConfigurationKey(
            "auth.pool.limits.messagesPerUser", .integer(calls), \.signIn.pool.creation.messagesPerUser,
            "The codes an hour that one signed-in user has sent to their addresses, new ones among them."),
    ]

    private static let users: [ConfigurationKey] = [
        ConfigurationKey(
            "auth.pool.signIn", .list(.choice(PoolSettings.SignInName.allCases.map(\.rawValue))),
            \.signIn.pool.signInNames,
            "What users sign in by: a name of their own, or their addresses, `email` and `phone`."),
        ConfigurationKey(
            "auth.pool.aliases", .list(.choice(["email", "phone_number", "preferred_username"])), \.signIn.pool.aliases,
            "By which verified attributes users who have a name of their own may sign in too."),
        ConfigurationKey(
            "auth.pool.caseSensitive", .boolean, \.signIn.pool.isCaseSensitive,
            "Whether `Ann` and `ann` are two users. Changing it does not rename those who are there."),
        ConfigurationKey(
            "auth.pool.requiredAttributes", .list(.choice(AttributeSchema.standard.map(\.string).sorted())),
            \.signIn.pool.attributes.required, "The attributes that everybody who signs up has to give."),
        ConfigurationKey(
            "auth.pool.immutableAttributes", .list(.choice(AttributeSchema.standard.map(\.string).sorted())),
            \.signIn.pool.attributes.immutable, "The attributes that are given once."),
        ConfigurationKey(
            "auth.pool.customAttributes",
            .map(
                .object([
                    ConfigurationField(
                        "type", .choice(AttributeSchema.Custom.Kind.allCases.map(\.rawValue)), "Of texts without it."),
                    ConfigurationField("mutable", .boolean, "Whether users may change it; true without it."),
                    ConfigurationField(
                        "min", .integer(Int64.min...Int64.max), "The least length of a text, or number."),
                    ConfigurationField("max", .integer(Int64.min...Int64.max), "The greatest length, or number."),
                ])), \.signIn.pool.attributes.customByName, "The app's own attributes, without `custom:`."),
        ConfigurationKey(
            "auth.pool.selfSignUp", .boolean, \.signIn.pool.allowsSelfSignUp,
            "Whether people may sign up; else administrators invite them."),
        ConfigurationKey(
            "auth.pool.verify", .list(.choice(["email", "phone_number"])), \.signIn.pool.verifiedAttributes,
            "The addresses that new users prove to have by a code, to the first of those that they give."),
        ConfigurationKey(
            "auth.pool.provedFirst", .list(.choice(["email", "phone_number"])), \.signIn.pool.addressesProvedFirst,
            "The addresses whose new value holds only when the code that went to it comes back; until then the old one does."
        ),
        ConfigurationKey(
            "auth.pool.accountRecovery", .choice(AccountRecovery.allCases.map(\.rawValue)),
            \.signIn.pool.accountRecovery,
            "Where the code goes by which a forgotten password is replaced; `NONE`: only administrators set another one. Without it, "
                + "to the first verified address of `auth.pool.verify`."),
        ConfigurationKey(
            "auth.pool.preventUserExistenceErrors", .choice(PoolSettings.ExistenceErrors.allCases.map(\.rawValue)),
            \.signIn.pool.existenceErrors,
            "`ENABLED`: who asks for a user who is not there gets the answers of one who is. `LEGACY`: they are told."),
        ConfigurationKey(
            "auth.pool.password.minLength", .integer(6...99), \.signIn.pool.password.lengthMin,
            "The fewest characters of a password."),
        policy("uppercase", \.signIn.pool.password.needsUppercase, "a capital letter"),
        policy("lowercase", \.signIn.pool.password.needsLowercase, "a small letter"),
        policy("digit", \.signIn.pool.password.needsDigit, "a digit"),
        policy("symbol", \.signIn.pool.password.needsSymbol, "a symbol"),
        ConfigurationKey(
            "auth.pool.temporaryPasswordDays", .integer(1...365), \.signIn.pool.temporaryPasswordDays,
            "How many days an invited user's first password is good."),
        ConfigurationKey(
            "auth.pool.groups",
            .list(
                .object([
                    ConfigurationField("name", .text, isRequired: true, "The group's name."),
                    ConfigurationField(
                        "precedence", .integer(0...Int64(Int32.max)), "The smaller, the more it counts."),
                    ConfigurationField("role", .text, "The role that members get credentials of."),
                ])), \.signIn.pool.groups, "The groups that are there from the start."),
    ]

    private static let factors: [ConfigurationKey] = [
        ConfigurationKey(
            "auth.pool.mfa", .choice(PoolSettings.SecondFactorDemand.allCases.map(\.rawValue)),
            \.signIn.pool.secondFactorDemand,
            "Whether a second factor is asked for: never, of those who have set one up, or of all."),
        ConfigurationKey(
            "auth.pool.mfaTypes", .list(.choice(PoolSettings.SecondFactor.allCases.map(\.rawValue))),
            \.signIn.pool.secondFactors, "The second factors that there are."),
        ConfigurationKey(
            "auth.pool.firstFactors", .list(.choice(PoolSettings.FirstFactor.allCases.map(\.rawValue))),
            \.signIn.pool.firstFactors,
            "By what a sign-in may begin where users choose (`ALLOW_USER_AUTH` of the client)."),
        ConfigurationKey(
            "auth.pool.devices", .choice(PoolSettings.DeviceTracking.allCases.map(\.rawValue)),
            \.signIn.pool.deviceTracking, "Whether devices are told apart, and remembered when their users wish it."),
        ConfigurationKey(
            "auth.pool.devicesReplaceMfa", .boolean, \.signIn.pool.rememberedDevicesStandIn,
            "Whether a remembered device that proves to be it stands in for the second factor."),
        ConfigurationKey(
            "auth.pool.passkeys.domain", relyingParty, \.signIn.pool.passkeys.relyingPartyID,
            "The domain that passkeys are for: the app's own or one above it, `localhost` for trying. Without it there are "
                + "none. Passkeys of one domain are of no use in another."),
        ConfigurationKey(
            "auth.pool.passkeys.userVerification",
            .choice(PasskeySettings.UserVerification.allCases.map(\.rawValue)),
            \.signIn.pool.passkeys.userVerification,
            "Whether authenticators have to ask for a finger, a face or a PIN, or do so where they can."),
        ConfigurationKey(
            "auth.pool.passkeys.origins", .list(.text), \.signIn.pool.passkeys.origins,
            "Who may use passkeys, to the character, such as `https://app.example.com` or `android:apk-key-hash:…`. Without "
                + "any, pages of the domain and below it, over https; of `localhost` over http, too."),
    ]

    private static let messages: [ConfigurationKey] = [
        message("verification", \.signIn.pool.messages.verification, "bring a code that proves an address"),
        message(
            "invitation", \.signIn.pool.messages.invitation, "bring somebody who was invited their first password",
            needsName: true),
        message(
            "signIn", \.signIn.pool.messages.signIn, "bring a code that signs in, as the first factor or the second"),
        message(
            "forgotPassword", \.signIn.pool.messages.forgotPassword,
            "bring a code that lets somebody choose a new password; what is not set is said as in `verification`"),
    ]

    private static let links: [ConfigurationKey] = [
        ConfigurationKey(
            "auth.pool.verifyByLink", .boolean, \.signIn.pool.verifiesByLink,
            "Whether mails to new users bring a link that confirms them, and no code (`verificationEmailStyle: \"LINK\"`)."
        ),
        ConfigurationKey(
            "auth.pool.messages.link",
            .object([
                ConfigurationField("emailSubject", subject, "The subject of the mail."),
                ConfigurationField(
                    "emailMessage",
                    .form(
                        "text with {##...##}",
                        expectation: "a text with a link such as {##Verify Email##} of at most "
                            + "\(MessageTemplate.emailCharactersMax) characters",
                        admits: { MessageTemplate.isLinkBody($0) }),
                    "The mail, as text or as a page of HTML: `{##Verify Email##}` stands for the link and what it says, `{username}` "
                        + "for the name."),
            ]), \.signIn.pool.messages.link, "What the mails say that bring a link."),
    ]

    private static let subject = ConfigurationKind.form(
        "subject", expectation: "a text of at most \(MessageTemplate.subjectCharactersMax) characters",
        admits: { MessageTemplate.isSubject($0) })

    private static func message(
        _ name: String, _ field: @autoclosure @escaping Field<Configuration, MessageTemplate>, _ purpose: String,
        needsName: Bool = false
    ) -> ConfigurationKey {
        let places = needsName ? "{username} and {####}" : "{####}"
        @Sendable func body(_ charactersMax: Int) -> ConfigurationKind {
            .form(
                "text with \(places)", expectation: "a text with \(places) of at most \(charactersMax) characters",
                admits: { MessageTemplate.isBody($0, needsName: needsName, charactersMax: charactersMax) })
        }
        return ConfigurationKey(
            "auth.pool.messages.\(name)",
            .object([
                ConfigurationField("emailSubject", subject, "The subject of the mail."),
                ConfigurationField(
                    "emailMessage", body(MessageTemplate.emailCharactersMax),
                    "The mail, as text or as a page of HTML: `{####}` stands for the code, `{username}` for the name."),
                ConfigurationField(
                    "smsMessage", body(MessageTemplate.smsCharactersMax), "The same for a telephone."),
            ]), field(), "What the messages say that \(purpose).")
    }

    private static let providerName = ConfigurationKind.form(
        "provider name", expectation: "3 to 32 letters, digits and -, and not \"Cognito\"",
        admits: { IdentityProvider.isName($0) })

    private static let providers: [ConfigurationKey] = [
        ConfigurationKey(
            "auth.providers",
            .list(
                .object([
                    ConfigurationField(
                        "kind", .choice(IdentityProvider.Kind.allCases.map(\.rawValue)), isRequired: true,
                        "Which provider it is; `oidc` is any other that speaks OpenID Connect."),
                    ConfigurationField(
                        "name", providerName,
                        "What apps call it, needed for `oidc`: else Google, SignInWithApple, Facebook, LoginWithAmazon."
                    ),
                    ConfigurationField("clientId", .text, "What the provider calls the app (Apple: the services ID)."),
                    ConfigurationField("clientSecret", .text, isSecret: true, "What the app proves to know there."),
                    ConfigurationField("clientSecretFile", .path, "The same in a file of its own."),
                    ConfigurationField("teamId", .text, "The team at Apple."),
                    ConfigurationField("keyId", .text, "The name of the key at Apple."),
                    ConfigurationField("privateKeyFile", .path, "The file of that key (`AuthKey_….p8`)."),
                    ConfigurationField("issuer", .url, "The provider's address, for `oidc`."),
                    ConfigurationField(
                        "authorizeUrl", .url,
                        "With `tokenUrl` and `jwksUrl`: the provider is not asked where its doors are."),
                    ConfigurationField("tokenUrl", .url, "Where codes become tokens."),
                    ConfigurationField("jwksUrl", .url, "Where the provider's keys are."),
                    ConfigurationField("userInfoUrl", .url, "Where it tells more of its users."),
                    ConfigurationField("scopes", .list(scope), "What is asked for; else what is usual there."),
                    ConfigurationField(
                        "attributes", .map(.text),
                        "Which claim becomes which attribute, `{\"email\": \"email\"}`; else email and names."),
                    ConfigurationField(
                        "identifiers", .list(.text), "What else apps may ask for it by (`idp_identifier`)."),
                    ConfigurationField(
                        "standIn", .boolean,
                        "Whether a page of this server takes its place; so it is without `clientId`. For this machine only."
                    ),
                ])), \.signIn.providers,
            "By whom users may sign in beside the pool itself, on its pages. Each sends people back to `/oauth2/idpresponse`. Without a "
                + "`clientId` a page on this machine stands in for the provider, and asks for a name.")
    ]

    private static let triggers: [ConfigurationKey] = [
        ConfigurationKey(
            "auth.pool.triggers",
            .object(
                PoolTrigger.allCases.map { trigger in
                    ConfigurationField(trigger.rawValue, .text, "A name of `functions`, or a URL.")
                }), \.signIn.triggers,
            "The app's functions that the pool calls at certain points, each by a name of `functions` or its URL."),
        ConfigurationKey(
            "auth.pool.tokenTriggerVersion", .integer(1...3), \.signIn.pool.triggers.tokenVersion,
            "Which form of event `preTokenGeneration` gets: 1, or 2 and 3, with access tokens and values that are no texts."
        ),
    ]
}
