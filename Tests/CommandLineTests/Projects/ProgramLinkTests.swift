import Foundation
import TestSupport
import Testing

/// What a stranger's project reads of the machine on which it is looked at.
@Suite("What programs of a project may read")
struct ProgramLinkTests {
    private static let secret = "TOP-SECRET-TEXT"

    private struct Row: Sendable {
        let name: String
        /// The head of `amplify/data/resource.ts`; it has the value `text`.
        let program: String
        /// The link that the refusal names; nil: the program is fine.
        let link: String?
        var text = ""
    }

    private static let rows = [
        Row(name: "a file behind a linked folder", program: "import text from '../out/s.json';", link: "amplify/out"),
        Row(
            name: "a module behind a linked folder", program: "import { text } from '../out/mod';", link: "amplify/out"),
        Row(name: "a linked module", program: "import { text } from '../link';", link: "amplify/link.ts"),
        Row(
            name: "a linked file that is read",
            program: "import * as fs from 'node:fs'; const text = fs.readFileSync('amplify/s.txt', 'utf8');",
            link: "amplify/s.txt"),
        Row(
            name: "a file behind a linked folder that is read",
            program: "import * as fs from 'node:fs'; const text = fs.readFileSync('amplify/out/s.json', 'utf8');",
            link: "amplify/out"),
        Row(
            name: "a link to a link", program: "import { text } from '../chain/mod';", link: "amplify/chain"),
        Row(
            name: "whether it is there",
            program:
                "import * as fs from 'node:fs'; const text = fs.existsSync('amplify/out/s.json') ? 'there' : 'nothing';",
            link: nil, text: "nothing"),
        Row(
            name: "a link within the project", program: "import { text } from '../within/mod';", link: nil,
            text: "inside"),
    ]

    private static func project(_ program: String) throws -> (project: TemporaryFolder, outside: TemporaryFolder) {
        let (folder, outside) = (TemporaryFolder(), TemporaryFolder())
        try outside.write("\"\(secret)\"", to: "s.json")
        try outside.write("export const text = '\(secret)';", to: "mod.ts")
        try folder.write("", to: ".git/HEAD")
        try folder.write("export const text = 'inside';", to: "common/mod.ts")
        try folder.write(
            """
            \(program)
            import { a, defineData } from '@aws-amplify/backend';
            console.log('value: ' + text);
            const schema = a.schema({ Todo: a.model({ name: a.string() }).authorization((allow) => [allow.publicApiKey()]) });
            export const data = defineData({ schema });
            """, to: "amplify/data/resource.ts")
        let files = FileManager.default
        for (link, target) in [
            ("out", outside.path), ("link.ts", outside.file("mod.ts")), ("s.txt", outside.file("s.json")),
            ("chain", folder.file("amplify/out")), ("within", "../common"),
        ] {
            try files.createSymbolicLink(atPath: folder.file("amplify/\(link)"), withDestinationPath: target)
        }
        return (folder, outside)
    }

    @Test("is what lies in it, and no link leads out of it", arguments: rows.indices)
    func links(row: Int) throws {
        let row = Self.rows[row]
        let (folder, outside) = try Self.project(row.program)
        let outcome = try ProgramRun.outcome(["check"], in: folder)
        let said = outcome.output + outcome.diagnostics
        #expect(!said.contains(Self.secret), "\(row.name): \(said)")
        if let link = row.link {
            #expect(
                said.contains("\(folder.file(link)) is a link that leads out of the project \(folder.path)"),
                "\(row.name): \(said)")
            #expect(said.contains(outside.path) && outcome.code != .success, "\(row.name): \(said)")
        } else {
            #expect(said.contains("value: \(row.text)") && outcome.code == .success, "\(row.name): \(said)")
        }
    }

    @Test("of the environment is what programs need to run, and what whoever starts the server names")
    func environment() throws {
        let (folder, _) = try Self.project(
            "const text = [process.env.SECRET, process.env.STAGE, process.env.NODE_ENV, process.env.NOBODY].join();")
        func said(_ variables: [String: String]) throws -> String {
            let errors = folder.file("said.txt")
            let process = try ChildProcess(
                [HomeportProcess.program, "check"],
                environment: variables.merging(["PATH": "/usr/bin:/bin"]) { $1 }, in: folder.path, errors: .file(errors)
            )
            _ = process.wait()
            return try String(contentsOfFile: errors, encoding: .utf8)
        }
        let variables = ["SECRET": Self.secret, "STAGE": "dev", "NODE_ENV": "test"]
        let without = try said(variables)
        #expect(without.contains("value: ,,test,"), "\(without)")
        for name in ["SECRET", "STAGE"] {
            let note = "process.env.\(name) is not given to the project's programs: HOMEPORT_PROGRAM_VARIABLES=\(name)"
            #expect(without.components(separatedBy: note).count == 2, "\(without)")
        }
        #expect(!without.contains(Self.secret) && !without.contains("process.env.NOBODY"), "\(without)")
        let with = try said(variables.merging(["HOMEPORT_PROGRAM_VARIABLES": "STAGE,OTHER"]) { $1 })
        #expect(with.contains("value: ,dev,test,") && !with.contains("is no setting"), "\(with)")
    }
}
