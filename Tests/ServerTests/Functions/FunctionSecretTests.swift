import Blueprint
import JSON
import Project
import TestSupport
import Testing

@testable import Server

/// The secrets of functions that nobody has given.
@Suite("Secrets of functions at the start")
struct FunctionSecretTests {
    /// A Gen 1 function `pay` with a secret, as Amplify's tool writes it.
    private static let template = #"""
        {"Parameters": {"env": {"Type": "String"}, "secretsPathAmplifyAppId": {"Type": "String", "Default": "d123"}},
         "Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {
          "Handler": "index.handler", "Runtime": "nodejs22.x", "FunctionName": "pay-dev",
          "Environment": {"Variables": {"REGION": "eu", "PLAIN": "/amplify/d123/dev/OTHER", "STRIPE_KEY": {"Fn::Join": ["", [
            {"Fn::Sub": ["/amplify/${appId}/${env}/AMPLIFY_${functionName}_",
              {"appId": {"Ref": "secretsPathAmplifyAppId"}, "env": {"Ref": "env"}, "functionName": "pay"}]}, "STRIPE_KEY"]]}}}}}}}
        """#

    @Test(
        "a secret of a Gen 1 function that nobody has given is named, with the places for it",
        arguments: [
            (["STRIPE_KEY": "x"], "", false), (["AMPLIFY_pay_STRIPE_KEY": "x"], "", false),
            ([:], "STRIPE_KEY=x\n", false),
            ([:], "OTHER=x\n", true), ([:], "", true),
        ] as [([String: String], String, Bool)])
    func version1(environment: [String: String], secrets: String, isNamed: Bool) throws {
        let folder = TemporaryFolder()
        let place = "amplify/backend/function/pay"
        try folder.write(Self.template, to: "\(place)/pay-cloudformation-template.json")
        try folder.write("", to: "\(place)/src/index.js")
        try folder.write(#"{"function": {"pay": {"service": "Lambda"}}}"#, to: "amplify/backend/backend-config.json")
        try folder.write(secrets, to: "data/secrets")
        let resources = try Project(version1: "\(folder.path)/amplify/backend")
        let configuration = try ConfigurationResolver.resolve(
            file: nil, options: [:], environment: ["HOMEPORT_DATA": "\(folder.path)/data"]
        ).taking(resources).configuration
        let values = ProjectValues(
            configuration, resources, nil, nil, endpoint: "http://127.0.0.1:1", environment: environment)
        let variables = FunctionVariables(configuration, values)
        #expect(
            variables.configuration.functions["pay"]?.environment["STRIPE_KEY"]
                == "/amplify/d123/dev/AMPLIFY_pay_STRIPE_KEY")
        let named = variables.warnings.filter { $0.contains("functions go without the secrets STRIPE_KEY") }
        #expect(named.count == (isNamed ? 1 : 0), "\(variables.warnings)")
        #expect(named.allSatisfy { $0.contains("\(folder.path)/data/secrets") })
    }

    @Test(
        "a line of a function has the level that its runtime gives it",
        arguments: [
            ("2027-01-01T00:00:00.000Z\tid\tERROR\tboom", LogLevel.error), ("t\tid\tWARN\tx\ty", .warning),
            ("t\tid\tFATAL\t", .error), ("t\tid\tINFO\tERROR", .info), ("[ERROR]\tt\tid\tx", .error),
            ("[WARNING]\tt\tid\tx", .warning), ("[INFO]\tt\tERROR\tx", .info), ("ERROR", .info), ("a\tb\tERROR", .info),
            ("", .info),
        ])
    func levels(text: String, level: LogLevel) { #expect(FunctionLine.level(of: text) == level) }
}
