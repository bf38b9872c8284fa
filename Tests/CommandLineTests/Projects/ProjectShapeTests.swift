import Foundation
import TestSupport
import Testing

/// Projects in the shapes that real apps have, each served with no setting: what it answers, and what is said of it.
@Suite("Shapes of real projects")
struct ProjectShapeTests {
    /// Lines of a log, or of a report, that warn, without times and places.
    private static func warnings(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            for mark in ["WARNING ", "warning: "] {
                if let range = line.range(of: mark) { return String(line[range.upperBound...]) }
            }
            return nil
        }
    }

    private static let hasNode = ["/usr/bin/node", "/bin/node"].contains(
        where: FileManager.default.isExecutableFile(atPath:))

    @Test("each is whole, and `check` says all that its start says", arguments: ProjectShape.all)
    func isWhole(shape: ProjectShape) throws {
        let folder = TemporaryFolder()
        for (name, text) in shape.files { try folder.write(text, to: name) }
        let check = try ProgramRun.outcome(["check"], in: folder)
        #expect(check.code == .success, "\(check.diagnostics)")
        let server = try HomeportProcess(environment: shape.environment, schema: nil, in: folder)
        if !shape.needsNode || Self.hasNode {
            #expect(try server.answer(to: shape.query) == shape.answer, "\(server.log)")
            try shape.works(server)
        }
        for warning in shape.warnings {
            #expect(server.logs(warning, milliseconds: 30_000), "\(server.log)")
            #expect(check.diagnostics.contains(warning), "\(check.diagnostics)")
        }
        let said = Self.warnings(check.diagnostics)
        for warning in said {
            #expect(shape.warnings.contains { warning.contains($0) }, "check says besides: \(warning)")
        }
        for warning in Self.warnings(server.log) where !Self.ofStart.contains(where: warning.contains) {
            #expect(
                said.contains { $0.contains(warning) || warning.contains($0) }, "check does not say: \(warning)")
        }
    }

    /// What only a start has to say: of the files and the certificates of the machine on which it serves.
    private static let ofStart = ["was not written by Homeport", "browsers store files by https alone"]

    /// The shapes that other tests have already: where each is, and by which words.
    private static let elsewhere = [
        (finding: "2", file: "ServerTests/Gateway/RestPathTests.swift", words: "\"userPoolGroups\""),
        (
            finding: "5", file: "ServerTests/Outputs/ClientFileKeeperTests.swift",
            words: "a file that a server wrote is known without the data folder"
        ),
        (
            finding: "6", file: "CommandLineTests/Language/LanguageServeTests.swift",
            words: "a function that takes the turns"
        ),
        (
            finding: "8", file: "ServerTests/Functions/GivenRightsTests.swift",
            words: "what a project makes under whatever category"
        ),
        (
            finding: "10", file: "UserPoolTests/Identities/IdentityPoolDescriptionTests.swift",
            words: "ListIdentityPools"
        ),
        (
            finding: "14", file: "CommandLineTests/Projects/ProjectShapeTests.swift",
            words: "beside what is left of one of Gen 2"
        ),
        (
            finding: "16", file: "CommandLineTests/TestControl/TestControlTests.swift",
            words: "Signatures of now are of another time"
        ),
    ]

    @Test("each finding of real apps has a shape here, or a test elsewhere")
    func isComplete() throws {
        let here = ProjectShape.all.flatMap { $0.finding.split(separator: ", ").map(String.init) }
        let findings = "ABCDEFGHIJK".map(String.init) + (1...16).map(String.init)
        for finding in findings {
            let place = Self.elsewhere.first { $0.finding == finding }
            #expect(here.contains(finding) != (place != nil), "\(finding)")
            guard let place else { continue }
            let text = try String(contentsOfFile: repositoryFile("Tests/\(place.file)"), encoding: .utf8)
            #expect(text.contains(place.words), "\(place)")
        }
    }

    @Test("a start runs each program of a shape once, and none of its functions")
    func runsOnce() throws {
        for shape in ProjectShape.all where shape.files["amplify/backend.ts"] != nil {
            let folder = TemporaryFolder()
            for (name, text) in shape.files {
                let isHandler = name.contains("node_modules") || name.hasSuffix(".js")
                let said = isHandler ? "console.log('calls');\n" : "console.log('runs');\n"
                try folder.write(name.hasSuffix(".ts") || name.hasSuffix(".js") ? text + "\n" + said : text, to: name)
            }
            let server = try HomeportProcess(environment: shape.environment, schema: nil, in: folder)
            _ = try server.answer(to: "{ __typename }")
            for name in ["backend.ts", "data/resource.ts", "auth/resource.ts"] {
                let lines = server.log.split(separator: "\n").filter {
                    $0.contains("amplify/\(name):") && $0.hasSuffix(": runs")
                }
                #expect(lines.count == 1, "\(shape) \(name): \(server.log)")
            }
            #expect(server.logCount(of: "calls") == 0, "\(shape): \(server.log)")
        }
    }

    @Test("a project of Gen 1 beside what is left of one of Gen 2 is told how it is served, and is served so")
    func besideLeftOver() throws {
        let shape = try #require(ProjectShape.version1.first { $0.finding == "J" })
        let folder = TemporaryFolder()
        for (name, text) in shape.files { try folder.write(text, to: name) }
        try folder.write("import { a } from '@aws-amplify/backend'; a.no();", to: "amplify/data/resource.ts")
        let check = try ProgramRun.outcome(["check"], in: folder)
        #expect(check.code != .success)
        #expect(check.diagnostics.contains("--schema amplify/backend/api/blog"), "\(check.diagnostics)")
        let server = try HomeportProcess(["--schema", "amplify/backend/api/blog"], schema: nil, in: folder)
        #expect(try server.answer(to: shape.query) == shape.answer, "\(server.log)")
    }
}
