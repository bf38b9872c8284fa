import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// Starts that come to nothing, again and again: whatever is still being made when a start is refused, the program ends
/// with the code that its table of codes promises, and never by a signal of its own making.
@Suite("A start that is refused", .serialized)
struct RefusedStartTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let code: ExitCode
        let arguments: [String]
        var files: [String: String] = [:]
        var environment: [String: String] = [:]
        var testDescription: String { name }

        init(
            _ name: String, _ code: ExitCode, _ arguments: [String], files: [String: String] = [:],
            environment: [String: String] = [:]
        ) {
            (self.name, self.code, self.arguments) = (name, code, arguments)
            (self.files, self.environment) = (files, environment)
        }
    }

    private static let schema = """
        type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String! lists: [List] @manyToMany(relationName: "TodoList") }
        type List @model @auth(rules: [{ allow: public }]) { id: ID! name: String todos: [Todo] @manyToMany(relationName: "TodoList") }
        """

    /// Each kind of mistake, with what the table of exit codes says of it. The folder has `good.graphql`, and in
    /// `used/` the data of a start with it.
    static let rows: [Row] = [
        Row(
            "a schema with errors", .failure, ["serve", "--schema", "x.graphql"],
            files: ["x.graphql": "type T @modl { id: ID! }"]),
        Row(
            "a schema with errors, and data in memory", .failure,
            ["serve", "--schema", "x.graphql", "--database", ":memory:"],
            files: ["x.graphql": "type T @model { other: Nothing }"]),
        Row(
            "a schema with errors over data", .failure, ["serve", "--schema", "x.graphql", "--data", "used"],
            files: ["x.graphql": "type T @model { other: Nothing }"]),
        Row(
            "a schema that is no text of the language", .failure, ["serve", "--schema", "x.graphql"],
            files: ["x.graphql": "type T @model {"]),
        Row("an empty schema", .failure, ["serve", "--schema", "x.graphql"], files: ["x.graphql": ""]),
        Row("a schema that is not there", .unreadableInput, ["serve", "--schema", "missing.graphql"]),
        Row("no schema at all", .unreadableInput, ["serve"]),
        Row(
            "an error in TypeScript", .failure, ["serve", "--schema", "resource.ts", "--database", ":memory:"],
            files: [
                "resource.ts": """
                import { a, defineData } from '@aws-amplify/backend';
                const schema = a.schema({ Post: a.model({ title: a.string().requird() }) });
                export const data = defineData({ schema });
                """
            ]),
        Row(
            "a mistake in what a project says of sign-in", .configuration, ["serve", "--database", ":memory:"],
            files: [
                "amplify/auth/resource.ts": """
                import { defineAuth } from '@aws-amplify/backend';
                export const auth = defineAuth({ loginWith: { email: true }, multifactor: { mode: 'REQUIRED', toptp: true } });
                """
            ]),
        Row(
            "half of what a Gen 1 project says of sign-in", .configuration, ["serve", "--database", ":memory:"],
            files: [
                "amplify/backend/backend-config.json": #"{"auth": {"shop": {"service": "Cognito"}}}"#,
                "amplify/backend/auth/shop/cli-inputs.json": #"{"cognitoConfig": {"mfaConf"#,
            ]),
        Row(
            "TypeScript that breaks off", .failure, ["serve", "--schema", "resource.ts"],
            files: ["resource.ts": "export const data = defineData({"]),
        Row(
            "a migration that would lose data", .failure, ["serve", "--schema", "x.graphql", "--data", "used"],
            files: ["x.graphql": "type Other @model @auth(rules: [{ allow: public }]) { id: ID! }"]),
        Row(
            "a seed that is not there", .unreadableInput,
            ["serve", "--schema", "good.graphql", "--seed", "missing.jsonl", "--data", "new"]),
        Row(
            "a seed with a line that is none", .failure,
            ["serve", "--schema", "good.graphql", "--seed", "x.jsonl", "--database", ":memory:"],
            files: ["x.jsonl": "{\n"]),
        Row(
            "a file that is no database", .unwritableOutput,
            ["serve", "--schema", "good.graphql", "--database", "x.sqlite"],
            files: ["x.sqlite": String(repeating: "no database ", count: 1000)]),
        Row(
            "a folder that cannot be made", .unwritableOutput,
            ["serve", "--schema", "good.graphql", "--data", "/dev/null/x"]),
        Row("a port that is taken", .systemRefused, ["serve", "--schema", "good.graphql", "--port", "PORT"]),
        Row(
            "an address of somebody else", .systemRefused,
            ["serve", "--schema", "good.graphql", "--host", "192.0.2.1"],
            environment: ["HOMEPORT_AUTH_API_KEYS": #"[{"key": "da2-of-these-tests"}]"#]),
        Row("a port that is none", .usage, ["serve", "--port", "x"]),
        Row(
            "a configuration with an unknown key", .configuration, ["serve", "--config", "x.json"],
            files: ["x.json": #"{"prt": 1}"#]),
        Row("a configuration that is not there", .configuration, ["serve", "--config", "missing.json"]),
        Row(
            "a certificate that is not there", .configuration, ["serve", "--schema", "good.graphql"],
            environment: ["HOMEPORT_TLS_CERTIFICATE": "missing.pem", "HOMEPORT_TLS_KEY": "missing.pem"]),
        Row("a command that is none", .usage, ["srve"]),
        Row("an option that is none", .usage, ["serve", "--prt", "1"]),
        Row(
            "a check of a schema with errors", .failure, ["check", "--schema", "x.graphql"],
            files: ["x.graphql": "type"]),
        Row("a server that is not there", .failure, ["health", "--port", "1"]),
        Row("help", .success, ["help"]),
    ]

    /// How many starts there are in all: HOMEPORT_REFUSED_STARTS, or each kind once on one core and once on all.
    private static var starts: Int {
        ProcessInfo.processInfo.environment["HOMEPORT_REFUSED_STARTS"].flatMap(Int.init) ?? 2 * rows.count
    }

    /// Begins a start, on the first of the cores that the tests may use or on all.
    private static func begin(
        _ arguments: [String], in folder: TemporaryFolder, _ environment: [String: String] = [:], isOnOneCore: Bool
    ) throws -> ChildProcess {
        let confined = isOnOneCore ? try Self.confining() : []
        let output = folder.file("output.txt")
        return try ChildProcess(
            confined + [HomeportProcess.program] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOMEPORT_PORT": "0"].merging(environment) { $1 }, in: folder.path,
            output: .file(output), errors: .file(output))
    }

    /// The words that make a program run on one core, where the system has them.
    private static func confining() throws -> [String] {
        let program = "/usr/bin/taskset"
        guard FileManager.default.isExecutableFile(atPath: program) else { return [] }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
        let core = line?.split(separator: "\t").last?.prefix { $0.isNumber } ?? "0"
        return [program, "-c", String(core)]
    }

    /// A folder with what the rows need, and a port that somebody listens on.
    private static func place() throws -> (folder: TemporaryFolder, server: HomeportProcess) {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(["--data", "used"], schema: schema, in: folder)
        let client = try RawClient(port: server.port)
        let query = #"{"query":"mutation { createTodo(input: {name: \"x\"}) { id } }"}"#
        try client.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nx-api-key: da2-fakeApiId123456\r\n"
                + "Content-Length: \(query.utf8.count)\r\n\r\n\(query)")
        #expect(try client.readAnswer().body.contains("createTodo"))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        // Nothing lies where a schema is looked for.
        try FileManager.default.moveItem(atPath: folder.file("schema.graphql"), toPath: folder.file("good.graphql"))
        return (folder, try HomeportProcess())
    }

    @Test("ends with its code, on one core and on all, however often it is tried")
    func refusals() throws {
        let (folder, server) = try Self.place()
        let rounds = max(1, Self.starts / (2 * Self.rows.count))
        for row in Self.rows {
            for (name, text) in row.files { try folder.write(text, to: name) }
            let arguments = row.arguments.map { $0 == "PORT" ? "\(server.port)" : $0 }
            for round in 0..<2 * rounds {
                let ending = try Self.begin(
                    arguments, in: folder, row.environment, isOnOneCore: round % 2 == 0
                ).wait()
                #expect(
                    ending == .code(row.code.rawValue),
                    "\(row.name), try \(round): \(folder.read("output.txt").prefix(500))")
            }
            for name in row.files.keys { try FileManager.default.removeItem(atPath: folder.file(name)) }
        }
    }

    @Test("a start that is told to stop ends as if it had served, or as the system ends what has not begun")
    func stoppedStarts() throws {
        let (folder, _) = try Self.place()
        var random = SeededRandom(seed: SeededRandom.seed(test: "RefusedStartTests"))
        let rounds = max(20, Self.starts / 5)
        for round in 0..<rounds {
            let process = try Self.begin(
                ["serve", "--schema", "good.graphql", "--data", round % 4 < 2 ? "used" : "new"], in: folder,
                isOnOneCore: round % 2 == 0)
            pause(
                .microseconds(Int.random(in: 0..<40_000, using: &random)),
                because: "a start is told to stop at a random moment")
            process.signal(round % 3 == 0 ? SIGINT : SIGTERM)
            let ending = process.wait()
            let said = folder.read("output.txt")
            let hasNotBegun = [.signal(SIGINT), .signal(SIGTERM)].contains(ending)
            #expect(ending == .code(0) || hasNotBegun && said.isEmpty, "try \(round): \(ending), \(said)")
        }
    }

    @Test("nothing but the one place for it ends the process")
    func oneEnd() throws {
        let root = #filePath.split(separator: "/").prefix { $0 != "Tests" }.map { "/" + $0 }.joined()
        let sources = FileManager.default.enumerator(atPath: root + "/Sources")
        var places: Set<String> = []
        for case let file as String in sources ?? .init() where file.hasSuffix(".swift") || file.hasSuffix(".c") {
            guard !file.contains("Bench") else { continue }
            let text = try String(contentsOfFile: "\(root)/Sources/\(file)", encoding: .utf8)
            if text.contains(/\b_?[eE]xit\(|\babort\(|\bquick_exit\(/) { places.insert(file) }
        }
        // A process that could not become another program ends there, and this one goes on.
        #expect(places == ["Server/ProcessEnd.swift", "CSystem/Processes.c"])
    }
}
