import Glibc
import JSON
import Project
import TestSupport
import Testing

@testable import Server

/// What of a project's functions becomes settings of theirs.
@Suite("Functions of a project")
struct ProjectFunctionsTests {
    /// A Gen 1 project with one function, as its files would be; gives what is taken from it.
    private static func functions(
        runtime: String, handler: String = "index.handler", files: [String], more: JSONObject = JSONObject()
    ) throws -> (ProjectConfiguration, TemporaryFolder) {
        let folder = TemporaryFolder()
        var properties = JSONObject([
            ("Handler", .string(handler)), ("Runtime", .string(runtime)), ("FunctionName", "echo-dev"),
        ])
        for member in more.members { properties[member.key] = member.value }
        let template: JSONValue = [
            "Resources": ["LambdaFunction": ["Type": "AWS::Lambda::Function", "Properties": .object(properties)]]
        ]
        try folder.write(
            JSONWriter.text(of: template), to: "amplify/backend/function/echo1/echo1-cloudformation-template.json")
        try folder.write(
            #"{"function": {"echo1": {"service": "Lambda"}}}"#, to: "amplify/backend/backend-config.json")
        for file in files {
            let name = "amplify/backend/function/echo1/\(file)"
            try folder.write("x", to: name)
            if file.hasSuffix("bootstrap") { chmod(folder.file(name), 0o755) }
        }
        return (ProjectConfiguration(try resources(in: folder)), folder)
    }

    private static func resources(in folder: TemporaryFolder) throws -> Project {
        try Project(version1: "\(folder.path)/amplify/backend", hasSchema: false)
    }

    @Test(
        "the code of a function is found by its runtime",
        arguments: [
            ("nodejs22.x", "index.handler", ["src/index.js", "src/index.py"], "src/index.handler"),
            ("nodejs22.x", "index.handler", ["lib/index.ts"], "lib/index.handler"),
            ("nodejs18.x", "app/main.run", ["src/app/main.mjs"], "src/app/main.run"),
            ("python3.12", "index.handler", ["src/index.js", "src/index.py"], "src/index.py:handler"),
            ("python3.9", "pack.main.answer", ["src/pack/main.py"], "src/pack/main.py:answer"),
        ])
    func handlers(runtime: String, handler: String, files: [String], expected: String) throws {
        let (project, folder) = try Self.functions(runtime: runtime, handler: handler, files: files)
        let function = try #require(project.functions.first)
        #expect(function.name == "echo" && function.setting.otherNames == ["echo1", "echo-dev"])
        #expect(function.setting.handler == "\(folder.path)/amplify/backend/function/echo1/\(expected)")
        #expect(throws: Never.self) { _ = try function.setting.settings(named: "echo") }
    }

    @Test(
        "a program that is built is found where tools put it, and one that is not is told with the way out",
        arguments: [
            (["src/bootstrap"], true), (["bin/bootstrap"], true), (["dist/bootstrap"], true), (["src/main.go"], false),
        ])
    func programs(files: [String], isFound: Bool) throws {
        let (project, _) = try Self.functions(runtime: "provided.al2023", handler: "bootstrap", files: files)
        #expect(project.functions.isEmpty != isFound)
        #expect(project.warnings.isEmpty == isFound)
        #expect(isFound || project.warnings.first?.contains("functions.echo.command") == true)
    }

    @Test("what does not run here is left out, with what would")
    func others() throws {
        let (project, _) = try Self.functions(runtime: "java17", files: ["src/Main.java"])
        #expect(project.functions.isEmpty)
        #expect(
            project.warnings == [
                "the function echo is left out, since java17 does not run here by itself: say what runs it in functions.echo.command"
            ])
    }

    @Test("limits stay within what there is, and a .env of a person goes over the template")
    func limits() throws {
        let variables: JSONValue = ["Variables": ["A": "template", "B": "b"]]
        let (project, folder) = try Self.functions(
            runtime: "nodejs22.x", files: ["src/index.js"],
            more: JSONObject([("Timeout", 5_000), ("MemorySize", 64), ("Environment", variables)]))
        #expect(project.functions.first?.setting.timeoutSeconds == 900)
        #expect(project.functions.first?.setting.memoryMegabytes == 128)
        try folder.write("A=mine\n", to: "amplify/backend/function/echo1/.env")
        let again = ProjectConfiguration(try Self.resources(in: folder))
        let taken = try #require(again.functions.first?.setting.ofProject?.variables)
        #expect(taken.map { $0.name } == ["B", "A"])
        #expect(taken.last?.value == .text("mine"))
    }

    @Test(
        "what is set goes over what the project says, member by member, and another program takes the place of its own")
    func under() throws {
        let (project, folder) = try Self.functions(runtime: "nodejs22.x", files: ["src/index.js"])
        let function = try #require(project.functions.first).setting
        let longer = function.under(JSONObject([("timeout", 60)]))
        #expect(longer.timeoutSeconds == 60 && longer.handler == function.handler)
        let other = function.under(JSONObject([("command", "run it")]))
        #expect(other.command == .line("run it") && other.handler == nil && other.folder == nil)
        #expect(other.memoryMegabytes == function.memoryMegabytes)
        var elsewhere = FunctionSetting()
        elsewhere.url = "http://127.0.0.1:1/"
        elsewhere.ofProject = function.ofProject
        #expect(function.under(JSONObject([("url", "http://127.0.0.1:1/")])) == elsewhere)
        for name in ["echo", "echo1", "echo-dev"] {
            try folder.write(#"{"functions": {"\#(name)": {"memory": 256}}}"#, to: "homeport.json")
            let resolution = try ConfigurationResolver.resolve(file: folder.file("homeport.json"))
                .taking(Self.resources(in: folder))
            #expect(resolution.configuration.functions.mapValues(\.memoryMegabytes) == ["echo": 256])
            let shown = try #require(resolution.settings.first { $0.key.path == "functions" }?.value.object)
            #expect(shown.members.map(\.key) == ["echo"])
            #expect(shown["echo"]?["memory"] == 256 && shown["echo"]?["timeout"] == 3)
            #expect(shown["echo"]?["handler"]?.string == function.handler)
        }
    }
}
