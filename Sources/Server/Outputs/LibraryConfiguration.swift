import JSON

/// The configuration that version 6 of amplify-js keeps in memory: `Auth`, `API`, `Storage` and so on.
///
/// The library makes it of `amplify_outputs.json` or `aws-exports.js`, which have no place for the addresses of pools and files. A
/// configuration in this form it takes as it is, so that a file can name them.
struct LibraryConfiguration {
    let address: ClientAddress
    /// True if the library asks for identities where the configuration says.
    let knowsIdentityAddress: Bool

    /// What the version of a file begins with. The library takes a file of which it begins with `1` for one of Gen 2.
    static let versionMark = "homeport-"

    // MARK: Gen 2

    /// The sections for what `amplify_outputs.json` says.
    func sections(of outputs: JSONObject) -> JSONObject {
        var file = JSONObject()
        file["Auth"] = outputs["auth"].map(auth)
        var api = JSONObject()
        api["GraphQL"] = outputs["data"].map(graphQL)
        api["Events"] = outputs["custom"]?["events"].map(events)
        if !api.isEmpty { file["API"] = .object(api) }
        file["Storage"] = outputs["storage"].map(storage)
        if let pinpoint = outputs["analytics"]?["amazon_pinpoint"] {
            file["Analytics"] = ["Pinpoint": self.pinpoint(pinpoint["app_id"], pinpoint["aws_region"])]
        }
        file["Geo"] = outputs["geo"].map(geo)
        file["Notifications"] = outputs["notifications"].flatMap(notifications)
        return file
    }

    private func auth(_ auth: JSONValue) -> JSONValue {
        var pool = JSONObject()
        pool["userPoolId"] = auth["user_pool_id"]
        pool["userPoolClientId"] = auth["user_pool_client_id"]
        pool["groups"] = auth["groups"]
        addAddresses(auth["identity_pool_id"], to: &pool)
        if let policy = auth["password_policy"] {
            var format = JSONObject()
            for (name, said) in [
                ("requireLowercase", "require_lowercase"), ("requireNumbers", "require_numbers"),
                ("requireUppercase", "require_uppercase"), ("requireSpecialCharacters", "require_symbols"),
            ] { format[name] = policy[said] }
            format["minLength"] = policy["min_length"] ?? .integer(6)
            pool["passwordFormat"] = .object(format)
        }
        if let mode = auth["mfa_configuration"]?.string {
            let methods = Set(texts: texts(auth["mfa_methods"]))
            pool["mfa"] = [
                "status": mode == "OPTIONAL" ? "optional" : mode == "REQUIRED" ? "on" : "off",
                "smsEnabled": .bool(methods.contains(ByteText("SMS"))),
                "totpEnabled": .bool(methods.contains(ByteText("TOTP"))),
            ]
        }
        if auth["unauthenticated_identities_enabled"]?.bool == true { pool["allowGuestAccess"] = true }
        var login = JSONObject()
        if let pages = auth["oauth"] {
            login["oauth"] = hostedPages(
                domain: pages["domain"], signIn: pages["redirect_sign_in_uri"],
                signOut: pages["redirect_sign_out_uri"], isToken: pages["response_type"]?.string == "token",
                scopes: pages["scopes"], providers: texts(pages["identity_providers"]).compactMap(Self.provider))
        }
        if auth["username_attributes"] != nil {
            let names = Set(texts: texts(auth["username_attributes"]))
            for (name, said) in [("email", "email"), ("phone", "phone_number"), ("username", "username")] {
                login[name] = .bool(names.contains(ByteText(said)))
            }
        }
        if !login.isEmpty { pool["loginWith"] = .object(login) }
        if auth["standard_required_attributes"] != nil {
            pool["userAttributes"] = required(texts(auth["standard_required_attributes"]))
        }
        pool["passwordless"] = auth["passwordless"].map(passwordless)
        return ["Cognito": .object(pool)]
    }

    private func passwordless(_ said: JSONValue) -> JSONValue {
        var section = JSONObject()
        section["emailOtpEnabled"] = said["email_otp_enabled"]
        section["smsOtpEnabled"] = said["sms_otp_enabled"]
        section["webAuthn"] = said["web_authn"].map { passkeys in
            var section = JSONObject()
            section["relyingPartyId"] = passkeys["relying_party_id"]
            section["userVerification"] = passkeys["user_verification"]
            return .object(section)
        }
        section["preferredChallenge"] = said["preferred_challenge"]
        return .object(section)
    }

    private func graphQL(_ data: JSONValue) -> JSONValue {
        var api = JSONObject()
        api["endpoint"] = data["url"].map(plain)
        api["region"] = data["aws_region"]
        api["apiKey"] = data["api_key"]
        api["defaultAuthMode"] = mode(data["default_authorization_type"])
        api["modelIntrospection"] = data["model_introspection"]
        return .object(api)
    }

    private func events(_ events: JSONValue) -> JSONValue {
        var api = JSONObject()
        api["endpoint"] = events["url"].map(plain)
        api["region"] = events["aws_region"]
        api["apiKey"] = events["api_key"]
        api["defaultAuthMode"] = mode(events["default_authorization_type"])
        return .object(api)
    }

    private func storage(_ storage: JSONValue) -> JSONValue {
        var service = JSONObject()
        service["bucket"] = storage["bucket_name"]
        service["region"] = .string(address.filesRegion)
        if let buckets = storage["buckets"]?.array {
            var known = JSONObject()
            for bucket in buckets {
                guard let name = bucket["name"]?.string else { continue }
                var section = JSONObject()
                section["bucketName"] = bucket["bucket_name"]
                section["region"] = .string(address.filesRegion)
                section["paths"] = bucket["paths"]
                known[name] = .object(section)
            }
            service["buckets"] = .object(known)
        }
        return ["S3": .object(service)]
    }

    private func geo(_ geo: JSONValue) -> JSONValue {
        var service = JSONObject()
        service["region"] = geo["aws_region"]
        service["searchIndices"] = geo["search_indices"]
        service["geofenceCollections"] = geo["geofence_collections"]
        service["maps"] = geo["maps"]
        return ["LocationService": .object(service)]
    }

    private func notifications(_ said: JSONValue) -> JSONValue? {
        let channels = Set(texts: texts(said["channels"]))
        let service: JSONValue = ["Pinpoint": pinpoint(said["amazon_pinpoint_app_id"], said["aws_region"])]
        var section = JSONObject()
        if channels.contains(ByteText("IN_APP_MESSAGING")) { section["InAppMessaging"] = service }
        if channels.contains(ByteText("APNS")) || channels.contains(ByteText("FCM")) {
            section["PushNotification"] = service
        }
        return section.isEmpty ? nil : .object(section)
    }

    private func pinpoint(_ app: JSONValue?, _ region: JSONValue?) -> JSONValue {
        ["appId": app ?? .null, "region": region ?? .null]
    }

    // MARK: Gen 1

    /// The sections for what `aws-exports.js` says.
    func sections(ofExports exports: JSONObject) -> JSONObject {
        let file = JSONValue.object(exports)
        var sections = JSONObject()
        if file["aws_cognito_identity_pool_id"] != nil || file["aws_user_pools_id"] != nil {
            sections["Auth"] = authOfExports(file)
        }
        var api = JSONObject()
        if let endpoint = file["aws_appsync_graphqlEndpoint"] {
            var graphQL = JSONObject([("endpoint", plain(endpoint))])
            graphQL["region"] = file["aws_appsync_region"]
            graphQL["apiKey"] = file["aws_appsync_apiKey"]
            graphQL["defaultAuthMode"] = mode(file["aws_appsync_authenticationType"]) ?? "iam"
            graphQL["modelIntrospection"] = file["modelIntrospection"]
            api["GraphQL"] = .object(graphQL)
        }
        if let services = file["aws_cloud_logic_custom"]?.array {
            var known = JSONObject()
            for service in services {
                guard let name = service["name"]?.string else { continue }
                var section = JSONObject()
                for member in ["endpoint", "service", "region"] { section[member] = service[member] }
                known[name] = .object(section)
            }
            api["REST"] = .object(known)
        }
        if !api.isEmpty { sections["API"] = .object(api) }
        if let bucket = file["aws_user_files_s3_bucket"] {
            sections["Storage"] = ["S3": ["bucket": bucket, "region": .string(address.filesRegion)]]
        }
        return sections
    }

    private func authOfExports(_ file: JSONValue) -> JSONValue {
        var pool = JSONObject()
        pool["userPoolId"] = file["aws_user_pools_id"]
        pool["userPoolClientId"] = file["aws_user_pools_web_client_id"]
        addAddresses(file["aws_cognito_identity_pool_id"], to: &pool)
        pool["allowGuestAccess"] = .bool(file["aws_mandatory_sign_in"]?.string != "enable")
        pool["signUpVerificationMethod"] = file["aws_cognito_sign_up_verification_method"]
        let verified = texts(file["aws_cognito_verification_mechanisms"])
        pool["userAttributes"] = required(
            (verified + texts(file["aws_cognito_signup_attributes"])).map { $0.lowercased() })
        if let mode = file["aws_cognito_mfa_configuration"]?.string {
            let kinds = Set(texts: texts(file["aws_cognito_mfa_types"]))
            pool["mfa"] = [
                "status": .string(mode.lowercased()), "totpEnabled": .bool(kinds.contains(ByteText("TOTP"))),
                "smsEnabled": .bool(kinds.contains(ByteText("SMS"))),
            ]
        }
        if let policy = file["aws_cognito_password_protection_settings"] {
            let characters = Set(texts: texts(policy["passwordPolicyCharacters"]))
            var format = JSONObject()
            format["minLength"] = policy["passwordPolicyMinLength"]
            for (name, said) in [
                ("requireLowercase", "REQUIRES_LOWERCASE"), ("requireUppercase", "REQUIRES_UPPERCASE"),
                ("requireNumbers", "REQUIRES_NUMBERS"), ("requireSpecialCharacters", "REQUIRES_SYMBOLS"),
            ] { format[name] = .bool(characters.contains(ByteText(said))) }
            pool["passwordFormat"] = .object(format)
        }
        let names = Set(texts: texts(file["aws_cognito_username_attributes"]))
        let (byEmail, byPhone) = (names.contains(ByteText("EMAIL")), names.contains(ByteText("PHONE_NUMBER")))
        var login = JSONObject([
            ("username", .bool(!byEmail && !byPhone)), ("email", .bool(byEmail)), ("phone", .bool(byPhone)),
        ])
        if let pages = file["oauth"], pages.object?.isEmpty == false {
            let providers = texts(file["aws_cognito_social_providers"]).map { provider in
                String(provider.prefix(1)).uppercased() + String(provider.dropFirst()).lowercased()
            }
            login["oauth"] = hostedPages(
                domain: pages["domain"], signIn: parts(pages["redirectSignIn"]),
                signOut: parts(pages["redirectSignOut"]),
                isToken: pages["responseType"]?.string == "token", scopes: pages["scope"], providers: providers)
        }
        pool["loginWith"] = .object(login)
        return ["Cognito": .object(pool)]
    }

    // MARK: Both

    private func addAddresses(_ identityPool: JSONValue?, to pool: inout JSONObject) {
        pool["userPoolEndpoint"] = .string(address.base + "/")
        // A library that asks AWS for identities stops behind the sign-in; without the pool it asks nobody.
        guard let identityPool, knowsIdentityAddress else { return }
        pool["identityPoolId"] = identityPool
        pool["identityPoolEndpoint"] = .string(address.base + "/")
    }

    private func hostedPages(
        domain: JSONValue?, signIn: JSONValue?, signOut: JSONValue?, isToken: Bool, scopes: JSONValue?,
        providers: [String]
    ) -> JSONValue {
        [
            "domain": domain ?? "", "redirectSignIn": signIn ?? [], "redirectSignOut": signOut ?? [],
            "responseType": isToken ? "token" : "code", "scopes": scopes ?? [],
            "providers": .array(providers.map { .string($0) }),
        ]
    }

    private static func provider(_ name: String) -> String? {
        switch name {
        case "GOOGLE": "Google"
        case "FACEBOOK": "Facebook"
        case "LOGIN_WITH_AMAZON": "Amazon"
        case "SIGN_IN_WITH_APPLE": "Apple"
        default: nil
        }
    }

    private func required(_ attributes: [String]) -> JSONValue {
        .object(JSONObject(attributes.map { ($0, ["required": true]) }))
    }

    private func mode(_ name: JSONValue?) -> JSONValue? {
        switch name?.string {
        case "AMAZON_COGNITO_USER_POOLS": "userPool"
        case "API_KEY": "apiKey"
        case "AWS_IAM": "iam"
        case "AWS_LAMBDA": "lambda"
        case "OPENID_CONNECT": "oidc"
        case "NONE": "none"
        default: nil
        }
    }

    /// An address of this server by which the library subscribes without TLS: it makes `wss:` of `http:`, and leaves `HTTP:` as it is.
    private func plain(_ url: JSONValue) -> JSONValue {
        guard let text = url.string, text.hasPrefix("http://"), text.hasPrefix(address.base + "/") else { return url }
        return .string("HTTP" + text.dropFirst("http".utf8.count))
    }

    private func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    private func parts(_ value: JSONValue?) -> JSONValue {
        let parts = (value?.string ?? "").split(separator: ",", omittingEmptySubsequences: true)
        return .array(parts.map { .string(String($0)) })
    }
}
