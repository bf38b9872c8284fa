import Blueprint
import GraphQL
import JSON

/// What is wrong with `cognitoConfig` of `cli-inputs.json`, in which a word that nobody reads would open what it was to close.
package enum Version1AuthCheck {
    package struct Problem: Sendable, Equatable {
        package let message: String
        /// The key that it is about, as it is written; nil: the whole file.
        package let key: String?
        package var hint: String?
        package let isError: Bool
    }

    private indirect enum Kind: Sendable {
        case flag
        case text
        case texts
        /// Texts of these, in small letters.
        case words([String])
        case word([String])
        case number(ClosedRange<Int>)
        /// An object, or a text that holds one.
        case object
        /// The same, whose members are flags of these names.
        case flags([String])
        /// Nothing here depends on it.
        case any
    }

    /// The keys that Amplify's command line writes, with what each has to be.
    private static let keys: [(name: String, kind: Kind)] =
        [
            ("allowUnauthenticatedIdentities", .flag), ("userpoolClientGenerateSecret", .flag),
            ("userpoolClientSetAttributes", .flag), ("usernameCaseSensitive", .flag), ("adminQueries", .flag),
            ("mfaConfiguration", .word(["ON", "OFF", "OPTIONAL"])),
            ("mfaTypes", .words(["sms text message", "totp"])),
            ("authSelections", .word(["userPoolOnly", "identityPoolAndUserPool", "identityPoolOnly"])),
            ("passwordPolicyMinLength", .number(6...99)),
            (
                "passwordPolicyCharacters",
                .words(["requires lowercase", "requires uppercase", "requires numbers", "requires symbols"])
            ),
            ("usernameAttributes", .words(["email", "phone_number", "username"])),
            ("aliasAttributes", .words(["email", "phone_number", "preferred_username"])),
            ("autoVerifiedAttributes", .words(["email", "phone_number"])), ("requiredAttributes", .texts),
            ("userpoolClientWriteAttributes", .texts), ("userpoolClientReadAttributes", .texts),
            ("userAutoVerifiedAttributeUpdateSettings", .texts), ("userPoolGroupList", .texts),
            ("authProviders", .texts), ("authProvidersUserPool", .texts),
            ("adminCreateUserConfig", .flags(["AllowAdminCreateUserOnly"])),
            ("oAuthMetadata", .object), ("triggers", .object), ("permissions", .any),
            ("userpoolClientRefreshTokenValidity", .number(0...3_650)), ("emailVerificationSubject", .text),
            ("emailVerificationMessage", .text), ("smsVerificationMessage", .text), ("smsAuthenticationMessage", .text),
            ("googleClientId", .text), ("googleIos", .text), ("facebookAppId", .text), ("amazonAppId", .text),
        ] + meaningless.map { ($0, .any) }

    /// Those on which nothing depends that is served here: names in the cloud, what the command line asked, and secrets.
    private static let meaningless = [
        "identityPoolName", "resourceName", "resourceNameTruncated", "serviceName", "sharedId", "userPoolName",
        "useDefault", "updateFlow", "useEnabledMfas", "userPoolGroups", "userpoolClientLambdaRole",
        "userpoolClientLambdaPolicy", "userpoolClientLogPolicy", "roleName", "roleExternalId", "policyName",
        "lambdaLogPolicy", "openIdLambdaRoleName", "openIdRolePolicy", "openIdLambdaIAMPolicy", "openIdLogPolicy",
        "mfaLambdaRole", "mfaLambdaLogPolicy", "mfaPassRolePolicy", "mfaLambdaIAMPolicy", "verificationBucketName",
        "defaultPasswordPolicy", "adminQueryGroup", "hostedUI", "hostedUIDomainName", "hostedUIProviderMeta",
        "hostedUIProviderCreds", "AllowedOAuthFlows", "AllowedOAuthScopes", "newCallbackURLs", "newLogoutURLs",
        "callbackURLs", "logoutURLs", "facebookAppIdUserPool", "facebookAppSecretUserPool", "googleAppIdUserPool",
        "googleAppSecretUserPool", "loginwithamazonAppIdUserPool", "loginwithamazonAppSecretUserPool",
        "signinwithappleClientIdUserPool", "signinwithappleTeamIdUserPool", "signinwithappleKeyIdUserPool",
        "signinwithapplePrivateKeyUserPool", "facebookAuthorizeScopes", "googleAuthorizeScopes",
        "amazonAuthorizeScopes", "appleAuthorizeScopes", "loginwithamazonAuthorizeScopes",
        "signinwithappleAuthorizeScopes", "thirdPartyAuth", "googleAndroid", "appleAppId",
        "selectedParties", "audiences", "authTriggerConnections", "authRoleArn", "authRoleName", "unauthRoleArn",
        "unauthRoleName", "parentStack", "dependsOn", "breakCircularDependency", "additionalQuestions", "version",
    ]

    /// So many letters off, a name is a slip of the pen.
    private static let slipMax = 2

    /// - Parameter file: the object `cognitoConfig`, or the whole of `parameters.json` of a project of the first years.
    package static func problems(_ file: JSONValue) -> [Problem] {
        guard let object = file.object, !object.isEmpty else {
            return [
                Problem(
                    message: "there is no object `cognitoConfig`, so nothing is known of how people sign in", key: nil,
                    hint: "Bring the file back from your repository, or run `amplify update auth`.", isError: true)
            ]
        }
        return object.members.compactMap { member in
            guard let known = keys.first(where: { $0.name == member.key }) else { return unknown(member.key) }
            return fault(of: member.value, known.kind).map {
                Problem(message: "`\(member.key)` is \($0)", key: member.key, isError: true)
            }
        }
    }

    private static func unknown(_ key: String) -> Problem {
        let near = Suggestions.list(for: key, among: keys.map(\.name), threshold: slipMax).first
        return Problem(
            message: "`cognitoConfig` has no `\(key)`" + (near == nil ? ", so what it says holds for nothing" : ""),
            key: key, hint: near.map { "Did you mean \($0)?" }, isError: near != nil)
    }

    /// What it has to be, where it is something else. An empty text is nothing.
    private static func fault(of value: JSONValue, _ kind: Kind) -> String? {
        if value.isNull || value.string == "" { return nil }
        switch kind {
        case .any: return nil
        case .flag:
            let isFlag = value.bool != nil || ["true", "false"].contains(value.string ?? "")
            return isFlag ? nil : "true or false"
        case .text: return value.string == nil ? "a text" : nil
        case .texts: return Version1Auth.list(value) == nil ? "a list of texts" : nil
        case .words(let words):
            guard let list = Version1Auth.list(value) else { return "a list of texts" }
            return list.allSatisfy { words.contains($0.lowercased()) }
                ? nil : "a list of \(words.joined(separator: ", "))"
        case .word(let words):
            return value.string.map(words.contains) == true ? nil : "one of \(words.joined(separator: ", "))"
        case .number(let range):
            return Version1Auth.number(value).map(range.contains) == true
                ? nil : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .flags(let names):
            guard let members = Version1Auth.nested(value)?.object?.members,
                members.allSatisfy({ !names.contains($0.key) || fault(of: $0.value, .flag) == nil }),
                !members.contains(where: { member in
                    !names.contains(member.key)
                        && !Suggestions.list(for: member.key, among: names, threshold: slipMax).isEmpty
                })
            else { return "an object, in which \(names.joined(separator: ", ")) is true or false" }
            return nil
        case .object: return Version1Auth.nested(value) == nil ? "an object" : nil
        }
    }
}
