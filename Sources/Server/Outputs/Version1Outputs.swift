import Access
import Blueprint
import Cloud
import JSON
import Project
import UserPool

/// The files by which clients of a Gen 1 project find the server.
///
///     web        aws-exports.js, and amplifyconfiguration.json of web apps
///     native     amplifyconfiguration.json of native apps; as a text in amplifyconfiguration.dart
///     oldNative  awsconfiguration.json: what stands in native apps' file under auth
struct Version1Outputs {
    let project: Version1Project
    let region: String
    let address: ClientAddress
    /// What the pools are called; nil: clients are told nothing of sign-in.
    let pool: PoolIdentifiers?
    /// The client that native apps sign in by.
    let nativeClient: AppClient?
    /// Nil: the project has no GraphQL API.
    let data: ClientData?
    /// The name of the bucket; nil: the project has none.
    let bucket: String?

    private var auth: Version1Project.SignIn? { pool == nil ? nil : project.auth }

    private func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    private func endpoint(_ api: Version1Project.RESTAPI) -> JSONValue { .string("\(address.base)/rest/\(api.name)") }

    // MARK: Web

    func web() -> JSONObject {
        var file = JSONObject([("aws_project_region", .string(region))])
        if let auth, let pool { addWeb(auth.auth, pool, to: &file) }
        if let data {
            file["aws_appsync_graphqlEndpoint"] = .string(address.graphql)
            file["aws_appsync_region"] = .string(region)
            file["aws_appsync_authenticationType"] = .string(data.defaultMode.rawValue)
            file["aws_appsync_apiKey"] = data.apiKey.map { .string($0) }
            // Version 5 subscribes over plain sockets by this.
            if !address.isSecure { file["aws_appsync_dangerously_connect_to_http_endpoint_for_testing"] = true }
            file["modelIntrospection"] = data.introspection
        }
        if !project.restAPIs.isEmpty {
            file["aws_cloud_logic_custom"] = .array(
                project.restAPIs.map { api in
                    ["name": .string(api.name), "endpoint": endpoint(api), "region": .string(region)]
                })
        }
        if let bucket {
            file["aws_user_files_s3_bucket"] = .string(bucket)
            file["aws_user_files_s3_bucket_region"] = .string(region)
        }
        if !project.tables.isEmpty {
            file["aws_dynamodb_all_tables_region"] = .string(region)
            file["aws_dynamodb_table_schemas"] = .array(
                project.tables.map {
                    ["tableName": .string($0.deployedName(in: project.environment)), "region": .string(region)]
                })
        }
        return file
    }

    private func addWeb(_ auth: Version1Auth, _ pool: PoolIdentifiers, to file: inout JSONObject) {
        if auth.hasIdentityPool { file["aws_cognito_identity_pool_id"] = .string(pool.identityPoolID) }
        file["aws_cognito_region"] = .string(region)
        if auth.hasUserPool {
            file["aws_user_pools_id"] = .string(pool.userPoolID)
            file["aws_user_pools_web_client_id"] = .string(pool.clientID)
        }
        var pages = JSONObject()
        if let written = auth.pages {
            let flow = written.flows.first ?? "code"
            pages = JSONObject([
                ("domain", .string(address.authority)), ("scope", texts(written.scopes)),
                ("redirectSignIn", .string(written.callbackURLs.joined(separator: ","))),
                ("redirectSignOut", .string(written.logoutURLs.joined(separator: ","))),
                ("responseType", .string(flow == "implicit" ? "token" : flow)),
            ])
        }
        file["oauth"] = .object(pages)
        switch (auth.pages != nil, auth.federation.isUsed) {
        case (true, true): file["federationTarget"] = "COGNITO_USER_AND_IDENTITY_POOLS"
        case (true, false): file["federationTarget"] = "COGNITO_USER_POOLS"
        case (false, true): file["federationTarget"] = "COGNITO_IDENTITY_POOLS"
        case (false, false): break
        }
        let told = auth.told
        file["aws_cognito_username_attributes"] = texts(told.usernameAttributes)
        file["aws_cognito_social_providers"] = texts(told.socialProviders)
        file["aws_cognito_signup_attributes"] = texts(told.signupAttributes)
        file["aws_cognito_mfa_configuration"] = told.mfaConfiguration.map { .string($0) }
        file["aws_cognito_mfa_types"] = texts(told.mfaTypes)
        file["aws_cognito_password_protection_settings"] = passwordProtection(told)
        file["aws_cognito_verification_mechanisms"] = texts(told.verificationMechanisms)
    }

    private func passwordProtection(_ told: Version1Auth.Told) -> JSONValue {
        var settings = JSONObject()
        if !told.passwordLengthMin.isNull { settings["passwordPolicyMinLength"] = told.passwordLengthMin }
        settings["passwordPolicyCharacters"] = texts(told.passwordCharacters)
        return .object(settings)
    }

    // MARK: Native

    private static let agent: JSONValue = "aws-amplify-cli/2.0"

    func native() -> JSONObject {
        var file = JSONObject([("UserAgent", Self.agent), ("Version", "1.0")])
        var apis = JSONObject()
        if let data, let name = project.api {
            var api = JSONObject([
                ("endpointType", "GraphQL"), ("endpoint", .string(address.graphql)), ("region", .string(region)),
                ("authorizationType", .string(data.defaultMode.rawValue)),
            ])
            api["apiKey"] = data.apiKey.map { .string($0) }
            apis[name] = .object(api)
        }
        for api in project.restAPIs {
            apis[api.name] = [
                "endpointType": "REST", "endpoint": endpoint(api), "region": .string(region),
                "authorizationType": .string(api.authorizationType),
            ]
        }
        if !apis.isEmpty { file["api"] = plugin("awsAPIPlugin", .object(apis)) }
        if auth != nil { file["auth"] = plugin("awsCognitoAuthPlugin", .object(oldNative())) }
        var places = JSONObject()
        if let bucket {
            places["awsS3StoragePlugin"] = [
                "bucket": .string(bucket), "region": .string(region), "defaultAccessLevel": "guest",
            ]
        }
        // Clients know one table.
        if let table = project.tables.last { places["awsDynamoDbStoragePlugin"] = self.table(table) }
        if !places.isEmpty { file["storage"] = ["plugins": .object(places)] }
        return file
    }

    private func plugin(_ name: String, _ value: JSONValue) -> JSONValue {
        ["plugins": .object(JSONObject([(name, value)]))]
    }

    private func table(_ table: Version1Table) -> JSONValue {
        let name = table.deployedName(in: project.environment)
        let arn = ARN("dynamodb", region: region, account: IAMPrincipal.exampleAccountID, "table/\(name)").description
        var file = JSONObject([
            ("name", .string(name)), ("arn", .string(arn)), ("streamArn", .string("\(arn)/stream/1")),
            ("partitionKeyName", .string(table.partitionKey.name)),
            ("partitionKeyType", .string(table.partitionKey.type)),
        ])
        if let key = table.sortKey {
            file["sortKeyName"] = .string(key.name)
            file["sortKeyType"] = .string(key.type)
        }
        file["region"] = .string(region)
        file["service"] = "DynamoDB"
        return .object(file)
    }

    func oldNative() -> JSONObject {
        var file = JSONObject([("UserAgent", "aws-amplify/cli"), ("Version", "0.1.0")])
        file["IdentityManager"] = .object(JSONObject([("Default", .object(JSONObject()))]))
        if let auth, let pool { addNative(auth, pool, to: &file) }
        if let data, let name = project.api { file["AppSync"] = appSync(data, name) }
        if let bucket {
            file["S3TransferUtility"] = ["Default": ["Bucket": .string(bucket), "Region": .string(region)]]
        }
        if !project.tables.isEmpty { file["DynamoDBObjectMapper"] = ["Default": ["Region": .string(region)]] }
        return file
    }

    private func addNative(_ signIn: Version1Project.SignIn, _ pool: PoolIdentifiers, to file: inout JSONObject) {
        let auth = signIn.auth
        if auth.hasIdentityPool {
            file["CredentialsProvider"] = [
                "CognitoIdentity": ["Default": ["PoolId": .string(pool.identityPoolID), "Region": .string(region)]]
            ]
        }
        let client = nativeClient ?? AppClient(pool.clientID)
        let secret = client.secret.map { JSONValue.string($0) }
        if auth.hasUserPool {
            var settings = JSONObject([
                ("PoolId", .string(pool.userPoolID)), ("AppClientId", .string(client.id)), ("Region", .string(region)),
            ])
            settings["AppClientSecret"] = secret
            file["CognitoUserPool"] = ["Default": .object(settings)]
        }
        if auth.federation.google != nil || auth.federation.googleOfPhones != nil {
            var google = JSONObject([("Permissions", "email,profile,openid")])
            google["ClientId-WebApp"] = auth.federation.google.map { .string($0) }
            google["ClientId-iOS"] = auth.federation.googleOfPhones.map { .string($0) }
            file["GoogleSignIn"] = .object(google)
        }
        if let facebook = auth.federation.facebook {
            file["FacebookSignIn"] = ["AppId": .string(facebook), "Permissions": "public_profile"]
        }
        var settings = JSONObject()
        if let pages = auth.pages {
            var oauth = JSONObject([("WebDomain", .string(address.authority)), ("AppClientId", .string(client.id))])
            oauth["AppClientSecret"] = secret
            oauth["SignInRedirectURI"] = .string(pages.callbackURLs.joined(separator: ","))
            oauth["SignOutRedirectURI"] = .string(pages.logoutURLs.joined(separator: ","))
            oauth["Scopes"] = texts(pages.scopes)
            settings["OAuth"] = .object(oauth)
        }
        let told = auth.told
        settings["authenticationFlowType"] = signIn.hasOwnChallenges ? "CUSTOM_AUTH" : "USER_SRP_AUTH"
        settings["socialProviders"] = texts(told.socialProviders)
        settings["usernameAttributes"] = texts(told.usernameAttributes)
        settings["signupAttributes"] = texts(told.signupAttributes)
        settings["passwordProtectionSettings"] = passwordProtection(told)
        settings["mfaConfiguration"] = told.mfaConfiguration.map { .string($0) }
        settings["mfaTypes"] = texts(told.mfaTypes)
        settings["verificationMechanisms"] = texts(told.verificationMechanisms)
        file["Auth"] = ["Default": .object(settings)]
    }

    private func appSync(_ data: ClientData, _ name: String) -> JSONValue {
        func entry(_ mode: AuthMode) -> JSONValue {
            var entry = JSONObject([
                ("ApiUrl", .string(address.graphql)), ("Region", .string(region)), ("AuthMode", .string(mode.rawValue)),
            ])
            if mode == .apiKey { entry["ApiKey"] = data.apiKey.map { .string($0) } }
            entry["ClientDatabasePrefix"] = .string("\(name)_\(mode.rawValue)")
            return .object(entry)
        }
        var file = JSONObject([("Default", entry(data.defaultMode))])
        for mode in data.additionalModes { file["\(name)_\(mode.rawValue)"] = entry(mode) }
        return .object(file)
    }
}
