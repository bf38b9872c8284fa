import Access
import JSON
import Project
import TestSupport
import Testing

@testable import Server

/// What a Gen 1 project gives its functions, with the names that a server has for its resources.
@Suite("Rights of a Gen 1 project's functions")
struct GivenRightsTests {
    private static let role = #""LambdaExecutionRole": {"Type": "AWS::IAM::Role", "Properties": {}}"#

    private static func template(_ more: String = "") -> String {
        """
        {"Parameters": {"storagephotosBucketName": {"Type": "String", "Default": "storagephotosBucketName"}},
         "Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Handler": "index.handler", "Runtime": "nodejs22.x",
           "Role": {"Fn::GetAtt": ["LambdaExecutionRole", "Arn"]}}}, \(role)\(more.isEmpty ? "" : ", \(more)")}}
        """
    }

    private static func policy(_ statement: String) -> String {
        #""P": {"Type": "AWS::IAM::Policy", "Properties": {"PolicyDocument": {"Statement": [\#(statement)]}}}"#
    }

    /// A project with some functions, as a start takes it.
    private static func rights(
        _ functions: [String: String], more: [String: String] = [:], backend: String = "{}", strict: Bool = false,
        in folder: TemporaryFolder = TemporaryFolder()
    ) throws -> GivenRights {
        var backendFile = try JSONReader.value(of: Array(backend.utf8)).object ?? JSONObject()
        var listed = JSONObject()
        for (name, template) in functions {
            listed.set(name, to: ["service": "Lambda"])
            let own = "amplify/backend/function/\(name)"
            try folder.write(template, to: "\(own)/\(name)-cloudformation-template.json")
            try folder.write("", to: "\(own)/src/index.js")
        }
        backendFile.set("function", to: .object(listed))
        try folder.write(JSONWriter.text(of: .object(backendFile)), to: "amplify/backend/backend-config.json")
        for (name, text) in more { try folder.write(text, to: name) }
        let resources = try Project(version1: "\(folder.path)/amplify/backend")
        let resolution = try ConfigurationResolver.resolve(
            file: nil, options: [:],
            environment: strict ? ["HOMEPORT_FUNCTIONS_STRICT": "true"] : [:]
        ).taking(resources)
        let configuration = resolution.configuration
        let buckets = try FilesSettings(configuration, resources.storage, nil)
        let values = ProjectValues(
            configuration, resources, nil, buckets, endpoint: "http://127.0.0.1:1", environment: [:])
        return GivenRights(
            configuration, resources, values, operations: [:], region: "us-east-1",
            Log(LogSettings(), to: LogQueue(.text, writingTo: -1)))
    }

    private static func may(_ action: String, _ resource: PolicyResource, _ rights: FunctionRights?) -> Bool {
        rights.map { $0.refusal(of: action, on: resource) == nil } ?? true
    }

    private static let todo = PolicyResource("dynamodb", "table/", TableName.of("Todo"))

    @Test("a model's table, another function and the API are those of this server")
    func names() throws {
        let statements = """
            {"Effect": "Allow", "Action": ["dynamodb:Get*"], "Resource": [{"Fn::Join": ["", ["arn:aws:dynamodb:", {"Ref": "AWS::Region"}, ":",
               {"Ref": "AWS::AccountId"}, ":table/", {"Fn::ImportValue": {"Fn::Sub": "${x}:GetAtt:TodoTable:Name"}}]]}]},
            {"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": {"Ref": "functionotherArn"}},
            {"Effect": "Allow", "Action": "appsync:GraphQL", "Resource": [{"Fn::Join": ["", ["arn:aws:appsync:", {"Ref": "AWS::Region"}, ":",
               {"Ref": "AWS::AccountId"}, ":apis/", {"Ref": "apiblogGraphQLAPIIdOutput"}, "/types/Query/*"]]}]}
            """
        let rights = try Self.rights(
            ["echo": Self.template(Self.policy(statements)), "other": Self.template()],
            backend: #"{"api": {"blog": {"service": "AppSync"}}}"#)
        let echo = try #require(rights.rights["echo"])
        #expect(echo.policy.unread.isEmpty)
        #expect(Self.may("dynamodb:GetItem", Self.todo, echo))
        #expect(!Self.may("dynamodb:PutItem", Self.todo, echo))
        #expect(!Self.may("dynamodb:GetItem", PolicyResource("dynamodb", "table/", TableName.of("Post")), echo))
        #expect(Self.may("lambda:InvokeFunction", PolicyResource("lambda", "function:", "other-dev"), echo))
        #expect(!Self.may("lambda:InvokeFunction", PolicyResource("lambda", "function:", "echo-dev"), echo))
        #expect(rights.operations["echo"] == .query)
        #expect(!Self.may("dynamodb:GetItem", Self.todo, rights.rights["other"]))
        #expect(rights.operations["other"] == [])
    }

    @Test("a trigger of sign-in may what its module needs, and that of files what its bucket has")
    func triggers() throws {
        let rights = try Self.rights(
            ["appPostConfirmation": Self.template(), "onPhoto": Self.template(), "none": Self.template()],
            more: [
                "amplify/backend/function/appPostConfirmation/parameters.json": #"{"modules": "add-to-group"}"#,
                "amplify/backend/auth/app/cli-inputs.json": """
                {"cognitoConfig": {"usernameAttributes": ["email"], "triggers": {"PostConfirmation": ["add-to-group"]},
                 "permissions": ["{\\"trigger\\": \\"PostConfirmation\\", \\"effect\\": \\"Allow\\", \\"actions\\": [\\"cognito-idp:AdminGetUser\\"], \\"resource\\": {\\"keys\\": [\\"UserPool\\", \\"Arn\\"]}}"]}}
                """,
                "amplify/backend/storage/photos/cli-inputs.json": """
                {"resourceName": "photos", "bucketName": "b", "storageAccess": "auth", "authAccess": ["READ"], "triggerFunction": "onPhoto"}
                """,
            ],
            backend: #"{"auth": {"app": {"service": "Cognito"}}, "storage": {"photos": {"service": "S3"}}}"#)
        let trigger = try #require(rights.rights["appPostConfirmation"])
        let pools = trigger.policy.statements.flatMap(\.resources)
        #expect(trigger.policy.statements.count == 2)
        // The pool has no name without a server: what stands for it cannot be read.
        #expect(pools.isEmpty && trigger.policy.statements.allSatisfy(\.hasUnreadResources))
        #expect(Self.may("cognito-idp:AdminAddUserToGroup", PolicyResource("cognito-idp", "userpool/", "x"), trigger))
        #expect(!Self.may("cognito-idp:AdminDeleteUser", PolicyResource("cognito-idp", "userpool/", "x"), trigger))
        let photo = try #require(rights.rights["onPhoto"])
        #expect(photo.policy.statements.count == 2 && !photo.policy.statements.contains(where: \.hasUnreadResources))
        #expect(!Self.may("s3:GetObject", PolicyResource("s3", "other/", "x"), photo))
        #expect(rights.rights["none"]?.policy == RolePolicy())
    }

    @Test("what a project makes in its own way may give rights that cannot be read: not in production")
    func custom() throws {
        for strict in [false, true] {
            let rights = try Self.rights(
                ["echo": Self.template()], backend: #"{"custom": {"extras": {"service": "customCloudformation"}}}"#,
                strict: strict)
            #expect(Self.may("dynamodb:PutItem", Self.todo, rights.rights["echo"]) == !strict)
        }
    }

    @Test(
        "what a project makes under whatever category may give functions rights, and what it does not deploy gives none"
    )
    func categories() throws {
        let rights = try Self.rights(
            ["echo": Self.template()], more: ["amplify/backend/unused/x/template.json": "{}"],
            backend: #"{"iam": {"roles": {}}, "custom": {"mine": {}}, "hosting": {"site": {}}, "geo": {"map": {}}}"#)
        #expect(
            rights.rights["echo"]?.policy.unread == [
                "iam/roles, which may attach policies", "custom/mine, which may attach policies",
            ])
        let strict = try Self.rights(["echo": Self.template()], backend: #"{"iam": {"roles": {}}}"#, strict: true)
        #expect(!Self.may("dynamodb:GetItem", Self.todo, strict.rights["echo"]))
    }

    @Test("of resources whose names begin alike the one is meant whose name is the longest")
    func longestNames() throws {
        let folder = TemporaryFolder()
        for name in ["make", "makeNow", "makeNowThen"] {
            try folder.write(
                Self.template(), to: "amplify/backend/function/\(name)/\(name)-cloudformation-template.json")
        }
        for name in ["log", "logOld"] {
            try folder.write(
                #"{"resourceName": "\#(name)", "tableName": "\#(name)", "partitionKey": {"fieldName": "id", "fieldType": "string"}}"#,
                to: "amplify/backend/storage/\(name)/cli-inputs.json")
        }
        try folder.write(
            #"""
            {"function": {"make": {"service": "Lambda"}, "makeNow": {"service": "Lambda"}, "makeNowThen": {"service": "Lambda"}},
             "storage": {"log": {"service": "DynamoDB"}, "logOld": {"service": "DynamoDB"}},
             "api": {"shop": {"service": "AppSync"}, "shopRest": {"service": "API Gateway"}}}
            """#, to: "amplify/backend/backend-config.json")
        let resources = try Project(version1: "\(folder.path)/amplify/backend")
        let configuration = try ConfigurationResolver.resolve(file: nil, options: [:], environment: [:])
            .taking(resources).configuration
        let values = ProjectValues(
            configuration, resources, nil, nil, endpoint: "http://127.0.0.1:1", environment: [:])
        let rows: [(parameter: String, value: String?)] = [
            ("functionmakeName", "make-dev"), ("functionmakeNowName", "makeNow-dev"),
            ("functionmakeNowThenArn", "arn:aws:lambda:us-east-1:123456789012:function:makeNowThen-dev"),
            ("functionmakeNowThenName", "makeNowThen-dev"), ("functionmakeNowThenElse", nil),
            ("storagelogName", "log-dev"), ("storagelogOldName", "logOld-dev"),
            ("apishopGraphQLAPIIdOutput", ProjectValues.apiID), ("apishopRestApiName", "shopRest"),
            ("apishopRestApiId", "shopRest"), ("apishopRestRootUrl", "http://127.0.0.1:1/rest/shopRest"),
        ]
        for row in rows {
            let text = try? values.text(of: .deployed(row.parameter))
            #expect(text == row.value, "\(row.parameter)")
        }
    }
}
