import Blueprint
import JSON
import TestSupport
import Testing
import UserPool

@testable import Server

@Suite("homeport status")
struct StatusCommandTests {
    private static func configuration(_ folder: TemporaryFolder, _ more: [String: String] = [:]) throws -> Configuration
    {
        let environment = ["HOMEPORT_DATA": folder.file(".homeport")].merging(more) { $1 }
        return try ConfigurationResolver.resolve(environment: environment).configuration
    }

    private static func status(_ configuration: Configuration, isJSON: Bool = false) -> (code: ExitCode, text: String) {
        var text = ""
        let code = StatusCommand.run(
            configuration, isJSON: isJSON, CommandOutput(standard: { text += $0 }, diagnostics: { text += $0 }))
        return (code, text)
    }

    private static func banner(_ configuration: Configuration) throws -> Banner {
        let blueprint = try #require(SDLReader.read("type Todo @model { id: ID! }", settings: Settings()).blueprint)
        var names = Banner.Names()
        names.buckets = [("media", "amplify-media-abc"), ("archive", "amplify-archive-abc")]
        names.functions = ["hello: ready, amplify/hello/handler.ts"]
        return Banner(
            configuration, blueprint, names, from: "amplify/data/resource.ts",
            urls: ["http://127.0.0.1:20002/graphql"], now: 1_800_000_000, startMilliseconds: 1)
    }

    @Test("says what runs, since when, where and what its parts are called, and that nothing runs")
    func tells() throws {
        let folder = TemporaryFolder()
        let configuration = try Self.configuration(folder)
        #expect(Self.status(configuration).code == .failure)
        do {
            let running = try #require(RunningFile(in: configuration.data))
            let started = Timestamp.now.millisecondsSince1970 - 125 * 60_000
            running.write(try Self.banner(configuration), startedMilliseconds: started)
            #expect(folder.mode(of: ".homeport/running.json") == 0o600)
            let text = Self.status(configuration)
            #expect(text.code == .success)
            for part in [
                "(2 h 5 min), process ", "API        http://127.0.0.1:20002/graphql",
                "Files      media: amplify-media-abc",
                "           archive: amplify-archive-abc", "Functions  hello: ready, amplify/hello/handler.ts",
            ] { #expect(text.text.contains(part), "\(text.text)") }
            let value = try JSONReader.value(of: Array(Self.status(configuration, isJSON: true).text.utf8))
            #expect(value["urls"] == ["http://127.0.0.1:20002/graphql"] && value["process"]?.integer != nil)
            #expect(value["buckets"]?.array?.count == 2 && value["schema"]?.string?.hasPrefix("amplify/data") == true)
            // A second server of the folder says nothing in its place.
            #expect(RunningFile(in: configuration.data) == nil)
        }
        // The file may stay behind a kill. Programs that other tests start hold its lock until they are others.
        try eventually("nothing runs") { Self.status(configuration).code == .failure }
    }

    static let durations: [(milliseconds: Int64, text: String)] = [
        (-5, "0 min"), (59_999, "0 min"), (5 * 60_000, "5 min"), (125 * 60_000, "2 h 5 min"),
        (51 * 3_600_000, "2 d 3 h"),
        (.max, "106751991167 d 7 h"),
    ]

    @Test("durations are in two units", arguments: durations)
    func writesDurations(milliseconds: Int64, text: String) {
        #expect(StatusCommand.duration(milliseconds) == text)
    }

    @Test("a function is ready, elsewhere, or its code is not there")
    func tellsFunctions() throws {
        let folder = TemporaryFolder()
        try folder.write("export const handler = async () => 1;", to: "here/index.mjs")
        let functions = """
            {"here": {"handler": "\(folder.file("here/index.handler"))"}, "there": {"url": "http://127.0.0.1:9/"},
             "line": {"command": "./run"}}
            """
        let configuration = try Self.configuration(folder, ["HOMEPORT_FUNCTIONS": functions])
        let names = Banner.Names(configuration, nil, nil).functions
        #expect(names.count == 3 && names[0].hasPrefix("here: ready, ") && names[2] == "there: at http://127.0.0.1:9/")
        #expect(names[1] == "line: ready, ./run", "\(names)")
    }

    /// The rules of a model, the modes of the API, and the request that a person is shown.
    static let requests: [(rules: String, modes: [AuthMode], request: String?)] = [
        (
            "{ allow: public }", [.apiKey],
            "-H 'x-api-key: da2-fakeApiId123456' -d '{\"query\": \"{ listTodos { items { id } } }\"}'"
        ),
        (
            "{ allow: public, operations: [get] }", [.apiKey],
            "-H 'x-api-key: da2-fakeApiId123456' -d '{\"query\": \"{ __typename }\"}'"
        ),
        (
            "{ allow: owner }", [.userPools],
            "-H \"authorization: $(homeport token --username ann)\" -d '{\"query\": \"{ listTodos { items { __typename } } }\"}'"
        ),
        ("{ allow: private, provider: oidc }", [.oidc], nil),
    ]

    @Test("the request to try is one that the rules allow", arguments: requests)
    func triesAllowed(rules: String, modes: [AuthMode], request: String?) throws {
        var settings = Settings()
        settings.defaultMode = modes[0]
        let schema = "type Todo @model @auth(rules: [\(rules)]) { id: ID! }"
        let blueprint = try #require(SDLReader.read(schema, settings: settings).blueprint)
        let found = FirstRequest(
            try ConfigurationResolver.resolve(environment: [:]).configuration, blueprint, hasPool: true,
            now: 1_800_000_000)
        #expect(found?.command(at: "URL") == request.map { "curl URL \($0)" })
    }
}
