import Blueprint
import JSON

/// `amplify_outputs.json` in the forms that clients of Gen 1 load, as Amplify makes them of a Gen 2 project (version 0 of its
/// outputs).
struct EarlierOutputs {
    private let outputs: JSONObject
    private let auth: JSONValue?
    private let data: JSONValue?
    private let storage: JSONValue?

    /// - Parameter outputs: the whole file.
    init(_ outputs: JSONObject) {
        self.outputs = outputs
        (auth, data, storage) = (outputs["auth"], outputs["data"], outputs["storage"])
    }

    private static let agent: JSONValue = .string("homeport/\(Version.number)")
    private static let version: JSONValue = "1.0"

    // MARK: Web

    func web() -> JSONObject {
        var file = JSONObject()
        file["aws_project_region"] = auth?["aws_region"] ?? data?["aws_region"] ?? storage?["aws_region"]
        if let auth { addWeb(auth, to: &file) }
        if let data {
            file["aws_appsync_authenticationType"] = data["default_authorization_type"]
            file["aws_appsync_region"] = data["aws_region"]
            file["aws_appsync_graphqlEndpoint"] = data["url"]
            file["modelIntrospection"] = data["model_introspection"]
            file["aws_appsync_apiKey"] = data["api_key"]
            if let others = data["authorization_types"] {
                let names = texts(others).joined(separator: ",")
                file["aws_appsync_additionalAuthenticationTypes"] = .string(names)
            }
        }
        file["aws_user_files_s3_bucket"] = storage?["bucket_name"]
        file["aws_user_files_s3_bucket_region"] = storage?["aws_region"]
        addWebServices(to: &file)
        file["custom"] = outputs["custom"]
        return file
    }

    private func addWeb(_ auth: JSONValue, to file: inout JSONObject) {
        file["aws_user_pools_id"] = auth["user_pool_id"]
        file["aws_cognito_region"] = auth["aws_region"]
        file["aws_user_pools_web_client_id"] = auth["user_pool_client_id"]
        file["aws_cognito_identity_pool_id"] = auth["identity_pool_id"]
        if auth["unauthenticated_identities_enabled"]?.bool == true { file["allowUnauthenticatedIdentities"] = "true" }
        let settings = Settings(auth)
        let members: [(said: String, name: String, value: JSONValue?)] = [
            ("mfa_methods", "aws_cognito_mfa_types", auth["mfa_methods"]),
            ("mfa_configuration", "aws_cognito_mfa_configuration", settings.mfaConfiguration),
            ("standard_required_attributes", "aws_cognito_signup_attributes", settings.signupAttributes),
            ("username_attributes", "aws_cognito_username_attributes", settings.usernameAttributes),
            ("user_verification_types", "aws_cognito_verification_mechanisms", settings.verificationMechanisms),
            ("password_policy", "aws_cognito_password_protection_settings", settings.passwordProtection),
        ]
        for member in members where auth[member.said] != nil { file[member.name] = member.value }
        guard let pages = auth["oauth"] else { return }
        file["oauth"] = [
            "domain": pages["domain"] ?? "", "scope": pages["scopes"] ?? [],
            "redirectSignIn": joined(pages["redirect_sign_in_uri"]),
            "redirectSignOut": joined(pages["redirect_sign_out_uri"]), "responseType": pages["response_type"] ?? "code",
        ]
        file["aws_cognito_social_providers"] = settings.socialProviders
    }

    /// What a project adds of services that have no place here.
    private func addWebServices(to file: inout JSONObject) {
        if let pinpoint = outputs["analytics"]?["amazon_pinpoint"] {
            let (app, region) = (pinpoint["app_id"] ?? .null, pinpoint["aws_region"] ?? .null)
            file["Analytics"] = ["Pinpoint": ["appId": app, "region": region]]
            file["aws_mobile_analytics_app_id"] = app
            file["aws_mobile_analytics_app_region"] = region
        }
        if let geo = outputs["geo"] {
            var service = JSONObject([("region", geo["aws_region"] ?? .null)])
            service["maps"] = geo["maps"]
            service["search_indices"] = geo["search_indices"]
            service["geofenceCollections"] = geo["geofence_collections"]
            file["geo"] = ["amazon_location_service": .object(service)]
        }
        let channels = notificationChannels
        if !channels.isEmpty {
            file["Notifications"] = .object(
                JSONObject(channels.map { ($0.web, ["AWSPinpoint": $0.pinpoint]) }))
        }
    }

    private var notificationChannels: [(web: String, native: String, pinpoint: JSONValue)] {
        guard let notifications = outputs["notifications"] else { return [] }
        let pinpoint: JSONValue = [
            "appId": notifications["amazon_pinpoint_app_id"] ?? .null, "region": notifications["aws_region"] ?? .null,
        ]
        let kinds: [(channels: Set<String>, web: String, native: String)] = [
            (["APNS", "FCM"], "Push", "Push"), (["IN_APP_MESSAGING"], "InAppMessaging", "InAppMessaging"),
            (["EMAIL"], "EMAIL", "Email"), (["SMS"], "SMS", "Sms"),
        ]
        let used = texts(notifications["channels"])
        return kinds.filter { kind in used.contains(where: kind.channels.contains) }.map {
            ($0.web, "awsPinpoint\($0.native)NotificationsPlugin", pinpoint)
        }
    }

    // MARK: Native

    /// The name of the API in native apps.
    private static let apiName = "data"

    func native() -> JSONObject {
        var file = JSONObject([("UserAgent", Self.agent), ("Version", Self.version)])
        if auth != nil { file["auth"] = Self.plugin("awsCognitoAuthPlugin", .object(oldNative())) }
        if let data {
            var api = JSONObject([
                ("endpointType", "GraphQL"), ("endpoint", data["url"] ?? ""), ("region", data["aws_region"] ?? ""),
                ("authorizationType", data["default_authorization_type"] ?? ""),
            ])
            api["apiKey"] = data["api_key"]
            file["api"] = Self.plugin("awsAPIPlugin", .object(JSONObject([(Self.apiName, .object(api))])))
        }
        if let storage {
            file["storage"] = Self.plugin(
                "awsS3StoragePlugin",
                ["bucket": storage["bucket_name"] ?? "", "region": storage["aws_region"] ?? ""])
        }
        if let geo = outputs["geo"] {
            var service = JSONObject([("region", geo["aws_region"] ?? .null)])
            service["maps"] = geo["maps"]
            service["searchIndices"] = geo["search_indices"]
            file["geo"] = Self.plugin("awsLocationGeoPlugin", .object(service))
        }
        if let pinpoint = outputs["analytics"]?["amazon_pinpoint"] {
            let (app, region) = (pinpoint["app_id"] ?? .null, pinpoint["aws_region"] ?? .null)
            file["analytics"] = Self.plugin(
                "awsPinpointAnalyticsPlugin",
                ["pinpointAnalytics": ["region": region, "appId": app], "pinpointTargeting": ["region": region]])
        }
        let channels = notificationChannels
        if !channels.isEmpty {
            file["notifications"] = ["plugins": .object(JSONObject(channels.map { ($0.native, $0.pinpoint) }))]
        }
        return file
    }

    private static func plugin(_ name: String, _ value: JSONValue) -> JSONValue {
        ["plugins": .object(JSONObject([(name, value)]))]
    }

    func oldNative() -> JSONObject {
        var file = JSONObject([("UserAgent", Self.agent), ("Version", Self.version)])
        if let auth {
            let region = auth["aws_region"] ?? ""
            file["CognitoUserPool"] = [
                "Default": [
                    "PoolId": auth["user_pool_id"] ?? "", "AppClientId": auth["user_pool_client_id"] ?? "",
                    "Region": region,
                ]
            ]
            if let pool = auth["identity_pool_id"] {
                file["CredentialsProvider"] = ["CognitoIdentity": ["Default": ["PoolId": pool, "Region": region]]]
            }
            file["Auth"] = ["Default": signIn(auth)]
        }
        if let data { file["AppSync"] = appSync(data) }
        return file
    }

    private func signIn(_ auth: JSONValue) -> JSONValue {
        let settings = Settings(auth)
        var file = JSONObject([("authenticationFlowType", "USER_SRP_AUTH")])
        file["mfaConfiguration"] = settings.mfaConfiguration
        file["mfaTypes"] = auth["mfa_methods"]
        file["passwordProtectionSettings"] = settings.passwordProtection
        file["signupAttributes"] = settings.signupAttributes
        file["usernameAttributes"] = settings.usernameAttributes
        file["verificationMechanisms"] = settings.verificationMechanisms
        file["socialProviders"] = settings.socialProviders
        if let pages = auth["oauth"] {
            file["OAuth"] = [
                "WebDomain": pages["domain"] ?? "", "Scopes": pages["scopes"] ?? [],
                "SignInRedirectURI": joined(pages["redirect_sign_in_uri"]),
                "SignOutRedirectURI": joined(pages["redirect_sign_out_uri"]),
                "AppClientId": auth["user_pool_client_id"] ?? "",
            ]
        }
        return .object(file)
    }

    private func appSync(_ data: JSONValue) -> JSONValue {
        let usual = data["default_authorization_type"]?.string ?? ""
        func entry(_ mode: String) -> JSONValue {
            var entry = JSONObject([
                ("ApiUrl", data["url"] ?? ""), ("Region", data["aws_region"] ?? ""), ("AuthMode", .string(mode)),
            ])
            entry["ApiKey"] = data["api_key"]
            entry["ClientDatabasePrefix"] = .string("\(Self.apiName)_\(mode)")
            return .object(entry)
        }
        var file = JSONObject([("Default", entry(usual))])
        for mode in texts(data["authorization_types"]) { file["\(Self.apiName)_\(mode)"] = entry(mode) }
        return .object(file)
    }

    // MARK: Words

    /// How people sign in, in the words of the older files.
    private struct Settings {
        let mfaConfiguration: JSONValue?
        let signupAttributes: JSONValue
        let usernameAttributes: JSONValue
        let verificationMechanisms: JSONValue
        let passwordProtection: JSONValue
        let socialProviders: JSONValue

        init(_ auth: JSONValue) {
            func capitals(_ name: String) -> JSONValue {
                .array((auth[name]?.array ?? []).compactMap { $0.string.map { .string($0.uppercased()) } })
            }
            mfaConfiguration = auth["mfa_configuration"]?.string.map { mode in
                switch mode {
                case "REQUIRED": "ON"
                case "OPTIONAL": "OPTIONAL"
                default: "OFF"
                }
            }
            signupAttributes = capitals("standard_required_attributes")
            usernameAttributes = capitals("username_attributes")
            verificationMechanisms = capitals("user_verification_types")
            let policy = auth["password_policy"]
            let characters = ["numbers", "lowercase", "uppercase", "symbols"].filter {
                policy?["require_\($0)"]?.bool == true
            }
            var protection = JSONObject()
            protection["passwordPolicyMinLength"] = policy?["min_length"]
            protection["passwordPolicyCharacters"] = .array(
                characters.map { .string("REQUIRES_\($0.uppercased())") })
            passwordProtection = .object(protection)
            let providers = auth["oauth"]?["identity_providers"]?.array ?? []
            socialProviders = .array(
                providers.map { provider in
                    switch provider.string {
                    case "LOGIN_WITH_AMAZON": "AMAZON"
                    case "SIGN_IN_WITH_APPLE": "APPLE"
                    default: provider
                    }
                })
        }
    }

    private func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    private func joined(_ value: JSONValue?) -> JSONValue { .string(texts(value).joined(separator: ",")) }
}
