import Testing

@testable import Functions

@Suite("Variables of functions")
struct FunctionEnvironmentTests {
    private static func variables(_ function: FunctionSettings) -> [String: String] {
        let surroundings = FunctionSurroundings(folder: "/runtimes") { _ in
            FunctionCredentials(accessKeyID: "", secret: "", sessionToken: "")
        }
        return FunctionEnvironment.variables(of: function, surroundings, runtimeAddress: "", logStream: "")
    }

    @Test("the SDK for Python is told to sign links by Version 4, unless the project has settings of its own")
    func settings() {
        let handler = HandlerPlace(file: "index.py", language: .python)
        var function = FunctionSettings(name: "f", .handler(handler))
        #expect(Self.variables(function)["AWS_CONFIG_FILE"] == "/runtimes/python-sdk.ini")
        #expect(Bootstrap.python.settings?.text == "[default]\ns3 =\n    signature_version = s3v4\n")
        function.environment = ["AWS_CONFIG_FILE": "own"]
        #expect(Self.variables(function)["AWS_CONFIG_FILE"] == "own")
        for profile in ["AWS_PROFILE", "AWS_DEFAULT_PROFILE"] {
            function.environment = [profile: "mine"]
            #expect(Self.variables(function)["AWS_CONFIG_FILE"] == nil)
        }
        let node = FunctionSettings(name: "f", .handler(HandlerPlace(file: "index.js", language: .node)))
        #expect(Self.variables(node)["AWS_CONFIG_FILE"] == nil)
    }
}
