import Blueprint
import Project

/// The properties of the resources of sign-in, by the names that the CDK gives them: all of CloudFormation's, each with what becomes
/// of it here.
extension ResourceProperties {
    static let userPool = ResourceProperties(
        name: "cfnUserPool",
        members: [
            .init("usernameAttributes", .words(["email", "phone_number"])),
            .init("aliasAttributes", .words(["email", "phone_number", "preferred_username"])),
            .init("autoVerifiedAttributes", .words(["email", "phone_number"])),
            .init("adminCreateUserConfig", .object(invitation)),
            .init("accountRecoverySetting", .object([.init("recoveryMechanisms", .list(.object(recovery)))])),
            .init(
                "userAttributeUpdateSettings",
                .object([
                    .init("attributesRequireVerificationBeforeUpdate", .words(["email", "phone_number"]))
                ])),
            .init("usernameConfiguration", .object([.init("caseSensitive", .flag)])),
            .init("mfaConfiguration", .word(["OFF", "ON", "OPTIONAL"])),
            .init("enabledMfas", .words(["SMS_MFA", "SOFTWARE_TOKEN_MFA", "EMAIL_OTP"])),
            .init("policies", .object(policies)), .init("schema", .list(.object(attribute))),
            .init("deviceConfiguration", .object(devices)), .init("lambdaConfig", .read),
            .init("webAuthnRelyingPartyId", .text),
            .init("webAuthnUserVerification", .word(["required", "preferred"])),
            .init("emailVerificationSubject", messageText), .init("emailVerificationMessage", messageText),
            .init("smsVerificationMessage", messageText), .init("smsAuthenticationMessage", messageText),
            .init("emailAuthenticationSubject", messageText), .init("emailAuthenticationMessage", messageText),
            .init("verificationMessageTemplate", messageText),
            .init(
                "emailConfiguration", .meaningless("mail.from and mail.smtp of the configuration say who sends mails")),
            .init("smsConfiguration", .meaningless("sms.webhook of the configuration says who sends messages")),
            .init("userPoolName", .meaningless("pools have the names of the data folder")),
            .init("userPoolTags", .meaningless("nothing here has tags")),
            .init("userPoolTier", .meaningless("nothing here costs anything")),
            .init("deletionProtection", .meaningless("no deployment deletes this pool")),
            .init("userPoolAddOns", .unserved("sign-ins are not judged by their risk")),
        ])

    private static let messageText = PropertyUse.unserved(
        "set the words in defineAuth, or in auth.pool.messages of the configuration")

    private static let invitation: [PropertyUse.Member] = [
        .init("allowAdminCreateUserOnly", .flag), .init("unusedAccountValidityDays", .number(0...365)),
        .init("inviteMessageTemplate", messageText),
    ]

    private static let recovery: [PropertyUse.Member] = [
        .init("name", .word(["admin_only", "verified_email", "verified_phone_number"])),
        .init("priority", .number(1...2)),
    ]

    private static let policies: [PropertyUse.Member] = [
        .init(
            "passwordPolicy",
            .object([
                .init("minimumLength", .number(6...99)), .init("requireLowercase", .flag),
                .init("requireNumbers", .flag), .init("requireSymbols", .flag), .init("requireUppercase", .flag),
                .init("temporaryPasswordValidityDays", .number(0...365)),
                .init("passwordHistorySize", .refused("former passwords are not kept")),
            ])),
        .init(
            "signInPolicy",
            .object([
                .init(
                    "allowedFirstAuthFactors",
                    .words(AuthResource.FirstFactor.allCases.map(\.rawValue)))
            ])),
    ]

    private static let attribute: [PropertyUse.Member] = [
        .init("name", .text), .init("required", .flag), .init("mutable", .flag),
        .init("attributeDataType", .word(["String", "Number", "Boolean", "DateTime"])),
        .init("developerOnlyAttribute", .refused("attributes of developers alone are not kept; use writeAttributes")),
        .init("stringAttributeConstraints", .object([.init("minLength", .read), .init("maxLength", .read)])),
        .init("numberAttributeConstraints", .object([.init("minValue", .read), .init("maxValue", .read)])),
    ]

    private static let devices: [PropertyUse.Member] = [
        .init("challengeRequiredOnNewDevice", .flag), .init("deviceOnlyRememberedOnUserPrompt", .flag),
    ]

    static let userPoolClient = ResourceProperties(
        name: "cfnUserPoolClient",
        members: [
            .init("explicitAuthFlows", .words(signInFlows)), .init("writeAttributes", .texts),
            .init("readAttributes", .texts), .init("callbackUrLs", .texts), .init("logoutUrLs", .texts),
            .init("allowedOAuthFlows", .words(["code", "implicit", "client_credentials"])),
            .init("allowedOAuthScopes", .texts),
            .init("preventUserExistenceErrors", .word(["ENABLED", "LEGACY"])),
            .init(
                "refreshTokenRotation",
                .object([
                    .init("feature", .word(["ENABLED", "DISABLED"])),
                    .init("retryGracePeriodSeconds", .number(0...60)),
                ])),
            .init("authSessionValidity", .number(3...15)), .init("accessTokenValidity", .number(0...86_400)),
            .init("idTokenValidity", .number(0...86_400)),
            .init("refreshTokenValidity", .number(0...315_360_000)),
            .init(
                "tokenValidityUnits",
                .object(
                    ["accessToken", "idToken", "refreshToken"].map {
                        .init($0, .word(["seconds", "minutes", "hours", "days"]))
                    })),
            .init(
                "allowedOAuthFlowsUserPoolClient",
                .meaningless("a client has pages where it has addresses to go back to")
            ),
            .init("defaultRedirectUri", .meaningless("an app always names where it goes back to")),
            .init("clientName", .meaningless("clients are called by their ids")),
            .init("userPoolId", .meaningless("there is one pool")),
            .init("enableTokenRevocation", .meaningless("tokens can always be revoked")),
            .init("supportedIdentityProviders", .read),
            .init("generateSecret", .unserved("the app's client has no secret; set auth.pool.clients")),
            .init("analyticsConfiguration", .meaningless("nothing here counts users for others")),
            .init("enablePropagateAdditionalUserContextData", .meaningless("risks are not judged")),
        ])

    private static let signInFlows = [
        "ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH",
        "ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_CUSTOM_AUTH", DeclaredPool.choiceFlow, "ADMIN_NO_SRP_AUTH",
        "CUSTOM_AUTH_FLOW_ONLY", "USER_PASSWORD_AUTH",
    ]

    static let identityPool = ResourceProperties(
        name: "cfnIdentityPool",
        members: [
            .init("allowUnauthenticatedIdentities", .flag),
            .init("allowClassicFlow", .meaningless("the classic flow gives no more than the other")),
            .init("cognitoIdentityProviders", .meaningless("the one pool is the provider")),
            .init("supportedLoginProviders", .meaningless("providers sign in by way of the user pool")),
            .init(
                "openIdConnectProviderArns", .unserved("other providers of OpenID Connect sign in by way of the pool")),
            .init("samlProviderArns", .unserved("providers of SAML are not served")),
            .init("developerProviderName", .text),
            .init("identityPoolName", .meaningless("pools have the names of the data folder")),
            .init("identityPoolTags", .meaningless("nothing here has tags")),
            .init("cognitoEvents", .meaningless("sync has ended in the cloud, too")),
            .init("cognitoStreams", .meaningless("sync has ended in the cloud, too")),
            .init("pushSync", .meaningless("sync has ended in the cloud, too")),
        ])

    static let userPoolGroup = ResourceProperties(
        name: "cfnUserGroup",
        members: [
            .init("precedence", .number(0...Double(Int32.max))), .init("description", .meaningless("nobody reads it")),
            .init("groupName", .refused("groups are called as in defineAuth")),
            .init("roleArn", .unserved("members act in the role of their group")),
            .init("userPoolId", .meaningless("there is one pool")),
        ])
}
