import JSON
import Testing

@testable import Server

@Suite("The project as a stack")
struct StackOutputsTests {
    private static let file = #"""
        {"auth": {"user_pool_id": "pool", "aws_region": "eu-west-1", "user_pool_client_id": "client", "identity_pool_id": "identities",
          "username_attributes": ["email"], "mfa_configuration": "NONE", "unauthenticated_identities_enabled": true,
          "password_policy": {"min_length": 8, "require_numbers": true, "require_symbols": false}},
         "data": {"url": "http://127.0.0.1/graphql", "aws_region": "eu-west-1", "api_key": "da2-x",
          "default_authorization_type": "API_KEY", "authorization_types": ["AWS_IAM", "AMAZON_COGNITO_USER_POOLS"]},
         "storage": {"bucket_name": "b", "aws_region": "eu-west-1", "buckets": [{"name": "files", "bucket_name": "b", "aws_region": "eu-west-1"}]}}
        """#

    @Test("has what Amplify's tools look for, by the names of a deployment")
    func outputs() throws {
        let file = try #require(try JSONReader.value(of: Self.file).object)
        let stack = StackOutputs(file, apiID: "api")
        let metadata = try JSONReader.value(of: stack.metadata)
        var values: [String: String] = [:]
        for output in stack.outputs.array ?? [] {
            values[output["OutputKey"]?.string ?? ""] = output["OutputValue"]?.string
        }
        for (part, names) in [
            ("Platform", ["deploymentType", "region"]),
            ("Auth", ["userPoolId", "webClientId", "identityPoolId", "authRegion", "usernameAttributes"]),
            ("GraphQL", ["awsAppsyncApiId", "awsAppsyncApiEndpoint", "awsAppsyncApiKey", "awsAppsyncRegion"]),
            ("Storage", ["bucketName", "storageRegion", "buckets"]),
        ] {
            let entry = metadata["AWS::Amplify::\(part)"]
            #expect(entry?["version"] == "1")
            let told = entry?["stackOutputs"]?.array?.compactMap(\.string) ?? []
            #expect(names.allSatisfy { told.contains($0) }, "\(part)")
            #expect(told.allSatisfy { values[$0] != nil }, "each output has a value: \(part)")
        }
        #expect(values["userPoolId"] == "pool" && values["region"] == "eu-west-1")
        #expect(values["passwordPolicyRequirements"] == #"["REQUIRES_NUMBERS"]"#)
        #expect(values["passwordPolicyMinLength"] == "8" && values["allowUnauthenticatedIdentities"] == "true")
        #expect(values["awsAppsyncAdditionalAuthenticationTypes"] == "AWS_IAM,AMAZON_COGNITO_USER_POOLS")
        #expect(
            stack.resources.map(\.type) == [
                "AWS::Cognito::UserPool", "AWS::Cognito::UserPoolClient", "AWS::Cognito::IdentityPool",
                "AWS::AppSync::GraphQLApi", "AWS::S3::Bucket",
            ])
    }

    @Test("has no part that the project has not")
    func empty() throws {
        let stack = StackOutputs(JSONObject(), apiID: "api")
        #expect(try JSONReader.value(of: stack.metadata).object?.keys == ["AWS::Amplify::Platform"])
        #expect(stack.resources.isEmpty)
    }
}
