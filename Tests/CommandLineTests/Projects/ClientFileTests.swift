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
    func writesUsual() async throws {
        try await onThreadOfItsOwn {
            let folder = try Self.folder()
            let first = try Self.serve(in: folder)
            #expect(
                try Self.value(folder, "amplify_outputs.json")["data"]?["url"]
                    == .string("http://127.0.0.1:\(first.port)/graphql"))
            let second = try Self.serve(in: folder)
            #expect(
                try Self.value(folder, "amplify_outputs.json")["data"]?["url"]
                    == .string("http://127.0.0.1:\(second.port)/graphql"))
            #expect(!Self.exists(folder, "amplify_outputs.before-homeport.json"))
        }
    }

    @Test("none is written where none is wanted, and for a schema alone")
    func writesNone() async throws {
        try await onThreadOfItsOwn {
            let folder = try Self.folder()
            try folder.write(#"{"outputs": []}"#, to: "homeport.json")
            try Self.serve(in: folder, ["--config", "homeport.json"])
            #expect(!Self.exists(folder, "amplify_outputs.json"))
            let plain = TemporaryFolder()
            try Self.serve(in: plain)
            #expect(!Self.exists(plain, "amplify_outputs.json"))
        }
    }

    @Test("several are written, each in the form that its name says")
    func writesSeveral() async throws {
        try await onThreadOfItsOwn {
            let folder = try Self.folder()
            try folder.write("", to: "web/unused")
            try Self.serve(
                in: folder, ["--outputs", "web/aws-exports.js", "--outputs", "amplifyconfiguration.json"])
            #expect(folder.read("web/aws-exports.js").contains("export default awsmobile;"))
            #expect(try Self.value(folder, "amplifyconfiguration.json")["api"] != nil)
            #expect(!Self.exists(folder, "amplify_outputs.json"))
        }
    }

    @Test("one that Homeport did not write is kept beside, told, and put back")
    func keepsForeign() async throws {
        try await onThreadOfItsOwn {
            let folder = try Self.folder()
            let foreign = #"{"version": "1.4", "data": {"url": "https://cloud.example.com/graphql"}}"#
            try folder.write(foreign, to: "amplify_outputs.json")
            let log = try Self.serve(in: folder).log
            #expect(log.contains("amplify_outputs.before-homeport.json"), "\(log)")
            #expect(folder.read("amplify_outputs.before-homeport.json") == foreign)
            try Self.serve(in: folder)
            #expect(!Self.exists(folder, "amplify_outputs.before-homeport-2.json"))

            // Whoever lets Amplify write it anew has that kept too.
            try folder.write(foreign, to: "amplify_outputs.json")
            try Self.serve(in: folder)
            #expect(folder.read("amplify_outputs.before-homeport-2.json") == foreign)

            let outcome = try ProgramRun.outcome(["outputs", "--restore"], in: folder)
            #expect(outcome.code == .success, "\(outcome.diagnostics)")
            #expect(folder.read("amplify_outputs.json") == foreign)
            let again = try ProgramRun.outcome(["outputs", "--restore"], in: folder)
            #expect(again.code == .success && again.diagnostics.contains(".homeport"))
            #expect(folder.read("amplify_outputs.json") == foreign)
        }
    }

    @Test("what a person added stays, and what they changed is kept beside")
    func keepsAdditions() async throws {
        try await onThreadOfItsOwn {
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
            #expect(!Self.exists(folder, "amplify_outputs.before-homeport.json"))

            let outcome = try ProgramRun.outcome(["outputs", "--restore"], in: folder)
            #expect(outcome.code == .success, "\(outcome.diagnostics)")
            #expect(!Self.exists(folder, "amplify_outputs.json"))
            #expect(try Self.value(folder, "amplify_outputs.with-homeport.json")["data"]?["note"] == "by hand")
        }
    }

    @Test("one that cannot be written stops nothing, and is told")
    func tellsUnwritable() async throws {
        try await onThreadOfItsOwn {
            let folder = try Self.folder()
            let log = try Self.serve(in: folder, ["--outputs", "nowhere/amplify_outputs.json"]).log
            #expect(log.contains("no file for apps: cannot write nowhere/amplify_outputs.json"), "\(log)")
        }
    }
}
