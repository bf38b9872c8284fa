import Foundation
import JSON
import Server
import TestSupport
import Testing

@testable import homeport

/// The file for apps that `serve` writes, and what becomes of one that was there.
@Suite("The file for apps at a start")
struct ClientFileTests {
    private static let data = """
        import { a, defineData } from '@aws-amplify/backend';
        const schema = a.schema({ Todo: a.model({ text: a.string() }) }).authorization((allow) => allow.publicApiKey());
        export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'apiKey' } });
        """

    private static func folder() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.write(data, to: "amplify/data/resource.ts")
        return folder
    }

    /// Starts a server that says where it is, and ends it again; gives its port and what it logged.
    @discardableResult
    private static func serve(in folder: TemporaryFolder, _ arguments: [String] = []) throws -> (
        port: UInt16, log: String
    ) {
        let server = try HomeportProcess(arguments, schema: "type Unused @model { id: ID! }", in: folder)
        server.signal(SIGTERM)
        _ = server.exitStatus()
        return (server.port, server.log)
    }

    private static func value(_ folder: TemporaryFolder, _ name: String) throws -> JSONValue {
        try JSONReader.value(of: folder.read(name))
    }

    private static func exists(_ folder: TemporaryFolder, _ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.file(name))
    }

    @Test("that of a Gen 2 project is written where Amplify has it, with the port that the system chose")
    func writesUsual() throws {
        let folder = try Self.folder()
        let first = try Self.serve(in: folder)
        #expect(
            try Self.value(folder, "amplify_outputs.json")["data"]?["url"]
                == .string("http://127.0.0.1:\(first.port)/graphql"))
        let second = try Self.serve(in: folder)
        #expect(
            try Self.value(folder, "amplify_outputs.json")["data"]?["url"]
                == .string("http://127.0.0.1:\(second.port)/graphql"))
        #expect(!Self.exists(folder, ".homeport/clients"))
    }

    @Test("none is written where none is wanted, and for a schema alone")
    func writesNone() throws {
        let folder = try Self.folder()
        try folder.write(#"{"outputs": []}"#, to: "homeport.json")
        try Self.serve(in: folder, ["--config", "homeport.json"])
        #expect(!Self.exists(folder, "amplify_outputs.json"))
        let plain = TemporaryFolder()
        try Self.serve(in: plain)
        #expect(!Self.exists(plain, "amplify_outputs.json"))
    }

    @Test(
        "a Gen 1 project that names a folder which is not there is told so in one line, with what becomes of it",
        arguments: [
            (#""frontend": "javascript", "javascript": {"config": {"SourceDir": "web/src"}}"#, "SourceDir", "web/src"),
            (#""frontend": "flutter", "flutter": {"config": {"ResDir": "./app/lib/"}}"#, "ResDir", "app/lib"),
        ])
    func missingFolder(frontend: String, key: String, place: String) throws {
        let folder = TemporaryFolder()
        try folder.write(
            "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }",
            to: "amplify/backend/api/blog/schema.graphql")
        try folder.write(#"{"api": {"blog": {"service": "AppSync"}}}"#, to: "amplify/backend/backend-config.json")
        try folder.write("{\(frontend)}", to: "amplify/.config/project-config.json")
        func lines(_ log: String) -> [Substring] { log.split(separator: "\n").filter { $0.contains(key) } }
        func serve(_ arguments: [String] = []) throws -> String {
            let server = try HomeportProcess(arguments, schema: nil, in: folder)
            server.signal(SIGTERM)
            _ = server.exitStatus()
            return server.log
        }
        let told = lines(try serve())
        #expect(told.count == 1, "\(told)")
        #expect(
            told.first?.contains("amplify/.config/project-config.json: \(key) leads to the folder \(place)") == true
        )
        #expect(told.first?.contains("no file is written") == true && told.first?.contains("--outputs") == true)
        #expect(!Self.exists(folder, place))
        // Who says where the file is wanted, or makes the folder, hears nothing of it.
        #expect(lines(try serve(["--outputs", "aws-exports.js"])).isEmpty)
        try folder.write("", to: "\(place)/unused")
        #expect(lines(try serve()).isEmpty)
    }

    @Test("several are written, each in the form that its name says")
    func writesSeveral() throws {
        let folder = try Self.folder()
        try folder.write("", to: "web/unused")
        try Self.serve(
            in: folder, ["--outputs", "web/aws-exports.js", "--outputs", "amplifyconfiguration.json"])
        #expect(folder.read("web/aws-exports.js").contains("export default awsmobile;"))
        #expect(try Self.value(folder, "amplifyconfiguration.json")["api"] != nil)
        #expect(!Self.exists(folder, "amplify_outputs.json"))
    }

    @Test("one that Homeport did not write is kept in the data folder, told, and put back")
    func keepsForeign() throws {
        let folder = try Self.folder()
        let foreign = #"{"version": "1.4", "data": {"url": "https://cloud.example.com/graphql"}}"#
        try folder.write(foreign, to: "amplify_outputs.json")
        let log = try Self.serve(in: folder).log
        #expect(log.contains(".homeport/clients/amplify_outputs.json"), "\(log)")
        #expect(folder.read(".homeport/clients/amplify_outputs.json") == foreign)
        try Self.serve(in: folder)
        #expect(!Self.exists(folder, ".homeport/clients/amplify_outputs-2.json"))

        // Whoever lets Amplify write it anew has that kept too; the first one is the original.
        let newer = #"{"version": "1.4", "data": {"url": "https://newer.example.com/graphql"}}"#
        try folder.write(newer, to: "amplify_outputs.json")
        try Self.serve(in: folder)
        #expect(folder.read(".homeport/clients/amplify_outputs-2.json") == newer)

        let outcome = try ProgramRun.outcome(["outputs", "--restore"], in: folder)
        #expect(outcome.code == .success, "\(outcome.diagnostics)")
        #expect(folder.read("amplify_outputs.json") == foreign)
        let again = try ProgramRun.outcome(["outputs", "--restore"], in: folder)
        #expect(again.code == .success && again.diagnostics.contains(".homeport"))
        #expect(folder.read("amplify_outputs.json") == foreign)
    }

    @Test("`exec` writes the app's own file, and what was there is back behind it", arguments: [false, true])
    func execLends(hasForeign: Bool) throws {
        let folder = try Self.folder()
        let foreign = #"{"version": "1.4", "data": {"url": "https://cloud.example.com/graphql"}}"#
        if hasForeign { try folder.write(foreign, to: "amplify_outputs.json") }
        let outcome = try ProgramRun.outcome(
            ["exec", "--", "/bin/sh", "-c", "grep -c \"$HOMEPORT_URL/graphql\" amplify_outputs.json; exit 3"],
            in: folder)
        #expect(outcome.output.hasPrefix("1\n"), "\(outcome)")
        #expect(folder.read("amplify_outputs.json") == (hasForeign ? foreign : ""))
    }

    @Test("what a person added stays, and is kept in the data folder when the file goes")
    func keepsAdditions() throws {
        let folder = try Self.folder()
        try Self.serve(in: folder)
        var value = try #require(try Self.value(folder, "amplify_outputs.json").object)
        value["custom"] = ["mine": [1, 2]]
        var data = try #require(value["data"]?.object)
        data["note"] = "by hand"
        value["data"] = .object(data)
        try folder.write(JSONWriter.text(of: .object(value)), to: "amplify_outputs.json")
        for _ in 0..<2 {
            let port = try Self.serve(in: folder).port
            let written = try Self.value(folder, "amplify_outputs.json")
            #expect(written["custom"] == ["mine": [1, 2]] && written["data"]?["note"] == "by hand")
            #expect(written["data"]?["url"] == .string("http://127.0.0.1:\(port)/graphql"))
        }
        #expect(!Self.exists(folder, ".homeport/clients"))

        let outcome = try ProgramRun.outcome(["outputs", "--restore"], in: folder)
        #expect(outcome.code == .success, "\(outcome.diagnostics)")
        #expect(!Self.exists(folder, "amplify_outputs.json"))
        #expect(try Self.value(folder, ".homeport/clients/amplify_outputs.json")["data"]?["note"] == "by hand")
    }

    /// What stood before in files of a project with several apps, and where each is; nothing: there was none.
    private static let apps: [(isVersion1: Bool, files: [(name: String, before: String)])] = [
        (
            false,
            [
                ("apps/web/src/amplify_outputs.json", #"{"version": "1.4"}"#), ("apps/admin/amplify_outputs.json", ""),
                ("apps/mobile/lib/amplify_outputs.dart", "const amplifyConfig = r'''{\"version\": \"1\"}''';"),
                ("apps/old/aws-exports.js", ""),
            ]
        ),
        (
            true,
            [
                ("apps/web/src/aws-exports.js", "const awsmobile = {};\nexport default awsmobile;\n"),
                ("apps/web/src/amplifyconfiguration.json", ""),
                ("apps/mobile/lib/amplifyconfiguration.dart", "const amplifyconfig = '''{}''';"),
                ("apps/flutter/lib/amplifyconfiguration.dart", ""),
                ("apps/ios/awsconfiguration.json", #"{"Version": "1"}"#),
                ("apps/new/amplify_outputs.json", ""),
            ]
        ),
    ]

    @Test(
        "those of several apps in one project are all written, again at each start, and all put back", arguments: 0..<2)
    func restoresSeveral(row: Int) throws {
        let (isVersion1, files) = Self.apps[row]
        let folder = TemporaryFolder()
        if isVersion1 {
            try folder.write(
                "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }",
                to: "amplify/backend/api/blog/schema.graphql")
            try folder.write(
                #"{"api": {"blog": {"service": "AppSync"}}}"#, to: "amplify/backend/backend-config.json")
            try folder.write(
                #"{"frontend": "javascript", "javascript": {"config": {"SourceDir": "src"}}}"#,
                to: "amplify/.config/project-config.json")
        } else {
            try folder.write(Self.data, to: "amplify/data/resource.ts")
        }
        for (name, before) in files {
            try folder.write(before, to: name)
            if before.isEmpty { try FileManager.default.removeItem(atPath: folder.file(name)) }
        }
        let options = files.flatMap { ["--outputs", $0.name] }
        for _ in 0..<2 {
            let server = try HomeportProcess(options, schema: nil, in: folder)
            server.signal(SIGTERM)
            _ = server.exitStatus()
            for (name, _) in files {
                #expect(folder.read(name).contains("127.0.0.1:\(server.port)/graphql"), "\(name) \(server.log)")
            }
        }
        let outcome = try ProgramRun.outcome(["outputs", "--restore"], in: folder)
        #expect(outcome.code == .success && !outcome.diagnostics.contains("by hand"), "\(outcome.diagnostics)")
        for (name, before) in files {
            #expect(Self.exists(folder, name) == !before.isEmpty, "\(name)")
            if !before.isEmpty { #expect(folder.read(name) == before, "\(name)") }
            let place = name.split(separator: "/").dropLast().joined(separator: "/")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.file(place))
            #expect(!left.contains { $0.contains("homeport") }, "\(left)")
        }
    }

    @Test("one that cannot be written stops nothing, and is told")
    func tellsUnwritable() throws {
        let folder = try Self.folder()
        let log = try Self.serve(in: folder, ["--outputs", "nowhere/amplify_outputs.json"]).log
        #expect(log.contains("no file for apps: cannot write nowhere/amplify_outputs.json"), "\(log)")
    }
}
