import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// What released versions have kept, read by this one. `Tests/Released/README.md` says how a version is added.
@Suite("Data of released versions")
struct ReleasedDataTests {
    static let versions: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: repositoryFile("Tests/Released"))
        return (names ?? []).filter { $0.first?.isNumber == true }.sorted()
    }()

    @Test("records, users and files of a released version are there after a restore", arguments: versions)
    func restored(version: String) throws {
        let folder = TemporaryFolder()
        let release = repositoryFile("Tests/Released/\(version)")
        let words = [
            "/bin/sh", "-c", "gzip -dc '\(release)/backup.tar.gz' > backup.tar && cp '\(release)/schema.graphql' .",
        ]
        #expect(try ChildProcess(words, in: folder.path).wait() == .code(0))
        func run(_ arguments: [String]) throws -> String {
            let outcome = try ProgramRun.outcome(arguments, in: folder)
            #expect(outcome.code == .success, "\(arguments): \(outcome.diagnostics)")
            return outcome.output
        }
        _ = try run(["restore", "backup.tar"])
        #expect(try run(["export"]) == String(contentsOfFile: "\(release)/export.jsonl", encoding: .utf8))
        #expect(try run(["users", "list", "--json"]).contains("ann@example.com"))
        #expect(try run(["files", "get", "public/hello.txt"]) == "hello\n")
        _ = try run(["check", "--files"])
    }

    @Test(
        "data of a later version is refused with that version, and stays as it is",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "python3 is not here"))
    func later() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(in: folder)
        _ = try server.answer(to: #"mutation { createTodo(input: {name: "n"}) { id } }"#)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        let script = """
            import sqlite3
            database = sqlite3.connect(".homeport/data.sqlite")
            table = "_homeport_settings"
            database.execute(f"UPDATE {table} SET value = replace(value, '\\"format\\":1', '\\"format\\":2') WHERE name = 'layout'")
            database.execute(f"UPDATE {table} SET value = CAST('9.9.9' AS BLOB) WHERE name = 'kept.version'")
            database.commit()
            database.close()
            """
        let change = try ChildProcess(["/usr/bin/python3", "-c", script], in: folder.path)
        #expect(change.wait() == .code(0))
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file(".homeport/data.sqlite")))
        let outcome = try ProgramRun.outcome(["serve", "--port", "0"], in: folder)
        #expect(outcome.code == .unwritableOutput)
        #expect(outcome.diagnostics.contains("its format is 2, this one reads 1"), "\(outcome.diagnostics)")
        #expect(outcome.diagnostics.contains("Homeport 9.9.9 has served it last"), "\(outcome.diagnostics)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file(".homeport/data.sqlite"))) == before)
    }

    @Test("there is data of the version that VERSION names, and the program is of that version")
    func version() throws {
        let version = try String(contentsOfFile: repositoryFile("VERSION"), encoding: .utf8)
        #expect(version == "\(Version.number)\n", "Sources/Server/Version.swift and VERSION are one version")
        #expect(Self.versions.contains(Version.number))
        let changes = try String(contentsOfFile: repositoryFile("CHANGELOG.md"), encoding: .utf8)
        // The newest first; what is not released yet has no date.
        let headings = changes.split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(headings.first == "## Unreleased")
        for heading in headings.dropFirst() {
            #expect(heading.wholeMatch(of: /## \d+\.\d+\.\d+ - \d{4}-\d{2}-\d{2}/) != nil, "\(heading)")
        }
    }
}
