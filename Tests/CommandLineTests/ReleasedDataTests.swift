import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// What released versions have kept, read by this one. `Tests/Released/README.md` says how a version is added.
@Suite("Data of released versions", .onItsOwnThread)
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
