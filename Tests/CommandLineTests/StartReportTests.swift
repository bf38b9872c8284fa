import Foundation
import Server
import TestSupport
import Testing

/// What a start says, to people and to machines.
@Suite("What a start says")
struct StartReportTests {
    private static let schema = """
        type Todo @model @auth(rules: [{ allow: owner, ownerField: "author" }]) { id: ID! author: String }
        type Closed @model { id: ID! }
        """

    /// Runs a server until it says that it serves, or ends.
    private static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> (
        output: String, errors: String
    ) {
        let (process, output, errors) = try ProgramRun.start(["serve", "--port", "0"] + arguments, in: folder)
        func text(_ file: String) -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        try eventually("the server serves: \(text(output)) \(text(errors))") {
            !process.isRunning || text(output).contains("/graphql")
        }
        process.signal(SIGTERM)
        process.wait()
        return (text(output), text(errors))
    }

    @Test("is JSON on every line where that is asked for: warnings, the banner, and why there is no server")
    func json() throws {
        let folder = TemporaryFolder()
        try folder.write(Self.schema, to: "good.graphql")
        try folder.write("type Todo @model { other: Nothing }", to: "bad.graphql")
        for (name, texts) in [
            ("good", [#""message":"serving""#, #""urls":["http"#, #""level":"warning""#, "Closed"]),
            ("bad", [#""level":"error""#, #""line":1,"column":27"#, #""exitCode":1"#]),
            ("missing", [#""exitCode":66"#]),
        ] {
            let said = try Self.run(["--schema", "\(name).graphql", "--log-format", "json"], in: folder)
            let lines = (said.output + said.errors).split(separator: "\n")
            for line in lines {
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                #expect(object?["message"] is String && object?["level"] is String, "\(name): \(line)")
            }
            for text in texts { #expect(lines.contains { $0.contains(text) }, "\(name): \(text) in \(lines)") }
        }
    }

    @Test("wants a key of the person's own where others can reach an API that has keys, and makes no database before")
    func wantsOwnKey() throws {
        let folder = TemporaryFolder()
        try folder.write(Self.schema, to: "good.graphql")
        let refused = try ProgramRun.outcome(
            ["serve", "--port", "0", "--schema", "good.graphql", "--host", "0.0.0.0"], in: folder)
        #expect(refused.code == .configuration)
        #expect(
            refused.diagnostics.hasPrefix("homeport: configuration: auth.apiKeys: expected a key of your own, in "),
            "\(refused)")
        #expect(refused.diagnostics.hasSuffix("since others can reach 0.0.0.0:0\n"), "\(refused)")
        try folder.write(#"{"auth": {"default": "AMAZON_COGNITO_USER_POOLS"}}"#, to: "c.json")
        try folder.write("type Note @model @auth(rules: [{allow: owner}]) { text: String }", to: "owned.graphql")
        let said = try Self.run(
            ["--schema", "owned.graphql", "--config", "c.json", "--host", "0.0.0.0"], in: folder)
        #expect(said.output.contains("http://127.0.0.1:"), "\(said)")
    }

    @Test("names an address that can be used where it listens on all of them")
    func usableAddress() throws {
        let folder = TemporaryFolder()
        try folder.write(Self.schema, to: "good.graphql")
        try folder.write(#"{"auth": {"apiKeys": [{"key": "da2-of-these-tests"}]}}"#, to: "c.json")
        let said = try Self.run(
            ["--schema", "good.graphql", "--config", "c.json", "--host", "0.0.0.0"], in: folder)
        #expect(said.output.contains("http://127.0.0.1:") && !said.output.contains("0.0.0.0"), "\(said)")
        #expect(said.output.contains("every other address of this machine"))
    }

    @Test("shows the first hundred of a schema's errors, and how many more there are")
    func manyErrors() throws {
        let folder = TemporaryFolder()
        let fields = (0..<250).map { "  field\($0): Unknown\($0)\n" }.joined()
        try folder.write("type Todo @model {\n id: ID!\n\(fields)}", to: "bad.graphql")
        for command in [["check"], ["serve", "--port", "0"]] {
            let outcome = try ProgramRun.outcome(command + ["--schema", "bad.graphql"], in: folder)
            #expect(outcome.code == .failure)
            #expect(outcome.diagnostics.components(separatedBy: " error: ").count == 101, "\(command)")
            #expect(outcome.diagnostics.contains("... and 150 errors and 0 warnings more"), "\(command)")
        }
    }
}
