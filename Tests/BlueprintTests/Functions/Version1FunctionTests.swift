import JSON
import Testing

@testable import Blueprint

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
        #expect(function.schedules == [FunctionSchedule("rate(5 minutes)")])
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
}
