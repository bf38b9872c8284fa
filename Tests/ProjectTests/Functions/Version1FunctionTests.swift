import JSON
import Testing

@testable import Blueprint
@testable import Project

@Suite("Functions of a Gen 1 project")
struct Version1FunctionTests {
    private static let template = """
        {"Parameters": {"env": {"Type": "String"}, "CloudWatchRule": {"Default": "NONE"}, "modules": {"Default": ""},
            "GROUP": {}, "apiblogGraphQLAPIIdOutput": {"Default": "apiblogGraphQLAPIIdOutput"}, "level": {"Default": "info"}},
         "Conditions": {"ShouldNotCreateEnvResources": {"Fn::Equals": [{"Ref": "env"}, "NONE"]}},
         "Resources": {
          "LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {
            "Handler": "index.handler", "Runtime": "nodejs22.x", "Timeout": "25", "MemorySize": 256,
            "FunctionName": {"Fn::If": ["ShouldNotCreateEnvResources", "echo", {"Fn::Join": ["", ["echo", "-", {"Ref": "env"}]]}]},
            "Environment": {"Variables": {
              "ENV": {"Ref": "env"}, "REGION": {"Ref": "AWS::Region"}, "MODULES": {"Ref": "modules"},
              "GROUP": {"Ref": "GROUP"}, "LEVEL": {"Ref": "level"}, "API_BLOG_GRAPHQLAPIIDOUTPUT": {"Ref": "apiblogGraphQLAPIIdOutput"},
              "TABLE": {"Fn::ImportValue": {"Fn::Sub": "${apiblogGraphQLAPIIdOutput}:GetAtt:TodoTable:Name"}},
              "BOTH": {"Fn::Sub": "x-${env}-${level}"}, "PART": {"Fn::Select": [1, {"Fn::Split": ["-", "a-b-c"]}]},
              "POOL": {"Fn::GetAtt": ["authabc", "Outputs.UserPoolId"]}
            }}}},
          "Rule": {"Type": "AWS::Events::Rule", "Properties": {"ScheduleExpression": {"Ref": "CloudWatchRule"}}},
          "Stream": {"Type": "AWS::Lambda::EventSourceMapping", "Properties": {
            "EventSourceArn": {"Fn::ImportValue": {"Fn::Sub": "${apiblogGraphQLAPIIdOutput}:GetAtt:TodoTable:StreamArn"}}}}
         }}
        """

    private static func function(_ parameters: JSONObject, environment: String = "dev") throws -> Version1Function {
        Version1Function(
            name: "folder", template: try JSONReader.value(of: Array(template.utf8)), parameters: parameters,
            settings: ["lambdaLayers": [["type": "ProjectLayer", "resourceName": "shared"]]], environment: environment)
    }

    @Test("what a template says is worked out with the project's own values")
    func template() throws {
        let function = try Self.function(
            JSONObject([("GROUP", "Editors"), ("modules", "add-to-group"), ("CloudWatchRule", "rate(5 minutes)")]))
        #expect(function.deployedName == "echo" && function.runtime == "nodejs22.x")
        #expect(function.timeoutSeconds == 25 && function.memoryMegabytes == 256)
        #expect(function.schedules == [FunctionSchedule("rate(5 minutes)", isOfRule: true)])
        #expect(function.layers == ["shared"] && function.tables == [TableEvents("Todo")])
        let expected: [(String, FunctionVariable.Value)] = [
            ("ENV", .text("dev")), ("REGION", .deployed("AWS::Region")), ("MODULES", .text("add-to-group")),
            ("GROUP", .text("Editors")), ("LEVEL", .text("info")),
            ("API_BLOG_GRAPHQLAPIIDOUTPUT", .deployed("apiblogGraphQLAPIIdOutput")),
            ("TABLE", .deployed("TodoTable.tableName")), ("BOTH", .text("x-dev-info")), ("PART", .text("b")),
            ("POOL", .deployed("authabcUserPoolId")),
        ]
        #expect(function.environment == expected.map { FunctionVariable(name: $0, value: $1) })
    }

    @Test("without an environment a function goes by its plain name, and nothing that is not set calls it by the clock")
    func noEnvironment() throws {
        let function = try Self.function(JSONObject(), environment: "NONE")
        #expect(function.deployedName == "echo" && function.schedules.isEmpty)
        #expect(function.environment.contains(FunctionVariable(name: "GROUP", value: .deployed("GROUP"))))
    }

    @Test("a template that is no template gives what Lambda itself would take")
    func none() {
        let function = Version1Function(
            name: "x", template: .null, parameters: JSONObject(), settings: .null, environment: "dev")
        #expect(function.deployedName == "x" && function.handler == "index.handler" && function.environment.isEmpty)
    }

    // MARK: Rights

    /// The statements of a template with these resources, each in a line, and what cannot be read.
    private static func grants(
        _ resources: String, role: String = #"{"Fn::GetAtt": ["LambdaExecutionRole", "Arn"]}"#,
        policies: String = "null"
    ) throws -> (statements: [String], unread: [String]) {
        let template = """
            {"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Role": \(role)}}, \(resources)}}
            """
        let function = Version1Function(
            name: "folder", template: try JSONReader.value(of: Array(template.utf8)), parameters: JSONObject(),
            settings: .null, policies: try JSONReader.value(of: Array(policies.utf8)), environment: "dev")
        func text(_ value: FunctionVariable.Value) -> String {
            switch value {
            case .text(let text): text
            case .deployed(let origin): "<\(origin)>"
            case .joined(let parts): parts.map(text).joined()
            case .secret, .gateway, .missing: "?"
            }
        }
        let statements = function.grants.statements.map { statement in
            (statement.isAllowing ? "" : "deny ") + (statement.isForOtherActions ? "not " : "")
                + statement.actions.joined(separator: ",") + " on "
                + (statement.resources.map(text) + (statement.hasUnreadResources ? ["?"] : [])).joined(separator: ",")
                + (statement.isConditional ? " perhaps" : "")
        }
        return (statements, function.grants.unread)
    }

    private static let role = #""LambdaExecutionRole": {"Type": "AWS::IAM::Role", "Properties": {}}"#

    private static func policy(_ statements: String) -> String {
        #"\#(role), "AmplifyResourcesPolicy": {"Type": "AWS::IAM::Policy", "Properties": {"PolicyDocument": {"Statement": \#(statements)}}}"#
    }

    struct GrantRow: Sendable, CustomTestStringConvertible {
        let name: String
        let resources: String
        var policies = "null"
        var role = #"{"Fn::GetAtt": ["LambdaExecutionRole", "Arn"]}"#
        var statements: [String] = []
        var unread: [String] = []
        var testDescription: String { name }
    }

    static let grantRows = [
        GrantRow(name: "nothing", resources: role),
        GrantRow(
            name: "a model's table, as the command line writes it",
            resources: policy(
                """
                [{"Effect": "Allow", "Action": ["dynamodb:Put*", "dynamodb:Get*"], "Resource": [
                   {"Fn::Join": ["", ["arn:aws:dynamodb:", {"Ref": "AWS::Region"}, ":", {"Ref": "AWS::AccountId"}, ":table/",
                     {"Fn::ImportValue": {"Fn::Sub": "${apiblogGraphQLAPIIdOutput}:GetAtt:TodoTable:Name"}}, "/*"]]}]}]
                """),
            statements: [
                "dynamodb:Put*,dynamodb:Get* on arn:aws:dynamodb:<AWS::Region>:<AWS::AccountId>:table/<TodoTable.tableName>/*"
            ]),
        GrantRow(
            name: "one statement and one resource alone",
            resources: policy(
                #"{"Effect": "Deny", "NotAction": "s3:*", "Resource": {"Fn::Sub": "arn:aws:s3:::x-${env}"}}"#),
            statements: ["deny not s3:* on arn:aws:s3:::x-dev"]),
        GrantRow(
            name: "members that are null",
            resources: policy(
                """
                [{"Effect": "Allow", "Action": "s3:*", "NotAction": null, "Resource": "a", "NotResource": null},
                 {"Effect": "Allow", "Action": null, "NotAction": "s3:*", "Resource": null},
                 {"Effect": "Allow", "NotAction": null, "Resource": "a"}]
                """),
            statements: ["s3:* on a", "not s3:* on ?"], unread: ["a statement of AmplifyResourcesPolicy"]),
        GrantRow(
            name: "under a condition",
            resources: policy(
                #"[{"Effect": "Allow", "Action": "ses:*", "Resource": "*", "Condition": {"StringEquals": {"a": "b"}}}]"#
            ),
            statements: ["ses:* on * perhaps"]),
        GrantRow(
            name: "on what nothing says",
            resources: policy(#"[{"Effect": "Allow", "Action": "ses:*", "Resource": {"Fn::Other": 1}}]"#),
            statements: ["ses:* on ?"]),
        GrantRow(
            name: "a statement that depends on a condition", resources: policy(#"[{"Fn::If": ["x", {}, {}]}]"#),
            unread: ["a statement of AmplifyResourcesPolicy"]),
        GrantRow(
            name: "policies in the role, and those of AWS",
            resources: """
                "LambdaExecutionRole": {"Type": "AWS::IAM::Role", "Properties": {
                  "Policies": [{"PolicyDocument": {"Statement": [{"Effect": "Allow", "Action": ["sqs:SendMessage"], "Resource": "*"}]}}],
                  "ManagedPolicyArns": ["arn:aws:iam::aws:policy/service-role/AWSLambdaRole", "arn:aws:iam::1:policy/own", {"Ref": "x"}]}}
                """,
            statements: ["sqs:SendMessage on *", "lambda:InvokeFunction on *"],
            unread: ["the policy arn:aws:iam::1:policy/own", "a managed policy of LambdaExecutionRole"]),
        GrantRow(
            name: "a role made elsewhere", resources: role, role: #"{"Fn::GetAtt": ["OtherRole", "Arn"]}"#,
            unread: ["the role OtherRole.Arn, which is made elsewhere"]),
        GrantRow(
            name: "custom policies", resources: role,
            policies:
                #"[{"Action": ["s3:GetObject"], "Resource": ["arn:aws:s3:::photos-${env}/*", "arn:aws:s3:::a"]}]"#,
            statements: ["s3:GetObject on arn:aws:s3:::photos-dev/*,arn:aws:s3:::a"]),
    ]

    @Test("what a template gives the role of its function is read", arguments: grantRows)
    func grants(row: GrantRow) throws {
        let grants = try Self.grants(row.resources, role: row.role, policies: row.policies)
        #expect(grants.statements == row.statements)
        #expect(grants.unread == row.unread)
    }

    @Test("without a template nothing can be read")
    func noTemplate() {
        let function = Version1Function(
            name: "f", template: .null, parameters: JSONObject(), settings: .null, environment: "dev")
        #expect(function.grants.unread.count == 1)
    }

    @Test("what the sign-in of a project gives the functions of its triggers is read")
    func permissions() {
        let auth = Version1Auth([
            "triggers": #"{"PostConfirmation": ["add-to-group"]}"#,
            "permissions": [
                #"{"policyName": "AddToGroupCognito", "trigger": "PostConfirmation", "effect": "Allow", "actions": ["cognito-idp:GetGroup"], "resource": {"paramType": "!GetAtt", "keys": ["UserPool", "Arn"]}}"#,
                #"{"trigger": "CustomMessage", "effect": "Allow", "actions": ["s3:*"], "resource": {"paramType": "!Ref", "keys": ["x"]}}"#,
                "no JSON",
            ],
        ])
        #expect(auth.triggerGrants.map(\.event) == [.postConfirmation, .customMessage])
        let first = auth.triggerGrants.first?.grants.statements.first
        #expect(first?.actions == ["cognito-idp:GetGroup"] && first?.resources == [.deployed("userPool.userPoolArn")])
        #expect(auth.triggerGrants.last?.grants.statements.first?.hasUnreadResources == true)
    }
}
