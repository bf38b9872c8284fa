import Crypto
import JSON

/// What the stack of the served project says to Amplify's tools: the members of `amplify_outputs.json` by the names under which a deployment
/// has them.
///
///     Metadata    which outputs each part of the backend has: {"AWS::Amplify::Auth": {"version": "1", "stackOutputs": ["userPoolId", …]}}
///     Outputs     their values, which are texts
struct StackOutputs {
    /// A part of the backend, with its outputs.
    struct Part {
        let name: String
        let outputs: [(name: String, value: String)]
    }

    let parts: [Part]
    /// The project's resources: logical name, physical name and type.
    let resources: [(logical: String, physical: String, type: String)]

    /// - Parameters:
    ///   - file: `amplify_outputs.json`
    ///   - apiID: what the API is called.
    init(_ file: JSONObject, apiID: String) {
        let (auth, data, storage) = (file["auth"], file["data"], file["storage"])
        let region = [auth, data, storage].lazy.compactMap { $0?["aws_region"]?.string }.first ?? "us-east-1"
        var parts = [Part(name: "Platform", outputs: [("deploymentType", "sandbox"), ("region", region)])]
        var resources: [(logical: String, physical: String, type: String)] = []
        if let auth, let pool = auth["user_pool_id"]?.string {
            parts.append(Part(name: "Auth", outputs: Self.outputs(ofAuth: auth)))
            resources.append(("amplifyAuthUserPool", pool, "AWS::Cognito::UserPool"))
            if let client = auth["user_pool_client_id"]?.string {
                resources.append(("amplifyAuthUserPoolAppClient", client, "AWS::Cognito::UserPoolClient"))
            }
            if let identities = auth["identity_pool_id"]?.string {
                resources.append(("amplifyAuthIdentityPool", identities, "AWS::Cognito::IdentityPool"))
            }
        }
        if let data {
            parts.append(Part(name: "GraphQL", outputs: Self.outputs(ofData: data, apiID)))
            resources.append(("amplifyDataGraphQLAPI", apiID, "AWS::AppSync::GraphQLApi"))
        }
        if let storage, let bucket = storage["bucket_name"]?.string {
            let buckets = storage["buckets"]?.array ?? []
            parts.append(
                Part(
                    name: "Storage",
                    outputs: [
                        ("storageRegion", storage["aws_region"]?.string ?? region), ("bucketName", bucket),
                        ("buckets", JSONWriter.text(of: .array(buckets.map { .string(Self.text(ofBucket: $0)) }))),
                    ]))
            for (number, name) in (buckets.compactMap { $0["bucket_name"]?.string }).enumerated() {
                resources.append(("amplifyStorageBucket\(number == 0 ? "" : "\(number + 1)")", name, "AWS::S3::Bucket"))
            }
        }
        if let custom = file["custom"] {
            let outputs = JSONWriter.text(of: ["custom": custom])
            parts.append(Part(name: "Custom", outputs: [("customOutputs", outputs)]))
        }
        self.parts = parts
        self.resources = resources
    }

    /// A bucket in the words of a deployment.
    private static func text(ofBucket bucket: JSONValue) -> String {
        var told = JSONObject([
            ("name", bucket["name"] ?? ""), ("bucketName", bucket["bucket_name"] ?? ""),
            ("storageRegion", bucket["aws_region"] ?? ""),
        ])
        if let paths = bucket["paths"] { told.set("paths", to: paths) }
        return JSONWriter.text(of: .object(told))
    }

    private static func outputs(ofAuth auth: JSONValue) -> [(name: String, value: String)] {
        var outputs: [(name: String, value: String)] = []
        func add(_ name: String, _ value: JSONValue?) {
            switch value {
            case .string(let text)?: outputs.append((name, text))
            case nil, .null?: break
            case let value?: outputs.append((name, JSONWriter.text(of: value)))
            }
        }
        add("userPoolId", auth["user_pool_id"])
        add("webClientId", auth["user_pool_client_id"])
        add("identityPoolId", auth["identity_pool_id"])
        add("authRegion", auth["aws_region"])
        add("allowUnauthenticatedIdentities", auth["unauthenticated_identities_enabled"])
        add("usernameAttributes", auth["username_attributes"])
        add("signupAttributes", auth["standard_required_attributes"])
        add("verificationMechanisms", auth["user_verification_types"])
        add("mfaTypes", auth["mfa_methods"])
        add("groups", auth["groups"])
        switch auth["mfa_configuration"]?.string {
        case "REQUIRED"?: add("mfaConfiguration", "ON")
        case "OPTIONAL"?: add("mfaConfiguration", "OPTIONAL")
        default: add("mfaConfiguration", "OFF")
        }
        if let policy = auth["password_policy"] {
            add("passwordPolicyMinLength", policy["min_length"].map { .string(JSONWriter.text(of: $0)) })
            let needs: [(String, String)] = [
                ("require_numbers", "REQUIRES_NUMBERS"), ("require_lowercase", "REQUIRES_LOWERCASE"),
                ("require_uppercase", "REQUIRES_UPPERCASE"), ("require_symbols", "REQUIRES_SYMBOLS"),
            ]
            add(
                "passwordPolicyRequirements",
                .array(needs.filter { policy[$0.0]?.bool == true }.map { .string($0.1) }))
        }
        if let pages = auth["oauth"] {
            func joined(_ name: String) -> JSONValue? {
                pages[name]?.array.map { .string($0.compactMap(\.string).joined(separator: ",")) }
            }
            add("socialProviders", pages["identity_providers"])
            add("oauthCognitoDomain", pages["domain"])
            add("oauthScope", pages["scopes"])
            add("oauthRedirectSignIn", joined("redirect_sign_in_uri"))
            add("oauthRedirectSignOut", joined("redirect_sign_out_uri"))
            add("oauthResponseType", pages["response_type"])
            add("oauthClientId", auth["user_pool_client_id"])
        }
        return outputs
    }

    private static func outputs(ofData data: JSONValue, _ apiID: String) -> [(name: String, value: String)] {
        var outputs = [
            ("awsAppsyncApiId", apiID), ("awsAppsyncApiEndpoint", data["url"]?.string ?? ""),
            ("awsAppsyncRegion", data["aws_region"]?.string ?? ""),
            ("awsAppsyncAuthenticationType", data["default_authorization_type"]?.string ?? ""),
            ("amplifyApiModelSchemaS3Uri", "s3://amplify-\(apiID.lowercased())/model-schema.graphql"),
        ]
        let further = (data["authorization_types"]?.array ?? []).compactMap(\.string)
        if !further.isEmpty {
            outputs.append(("awsAppsyncAdditionalAuthenticationTypes", further.joined(separator: ",")))
        }
        if let key = data["api_key"]?.string { outputs.append(("awsAppsyncApiKey", key)) }
        return outputs
    }

    // MARK: As CloudFormation tells it

    /// The text of `Metadata` in `GetTemplateSummary`.
    var metadata: String {
        let members = parts.map { part in
            (
                "AWS::Amplify::\(part.name)",
                [
                    "version": "1", "stackOutputs": .array(part.outputs.map { .string($0.name) }),
                ] as JSONValue
            )
        }
        return JSONWriter.text(of: .object(JSONObject(members)))
    }

    var outputs: JSONValue {
        .array(
            parts.flatMap { part in
                part.outputs.map { ["OutputKey": .string($0.name), "OutputValue": .string($0.value)] }
            })
    }
}
