import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// `homeport new`: projects to begin with.
@Suite("homeport new")
struct NewCommandTests {
    @Test("each project is written, is good, and is served as it is", arguments: NewCommand.projects)
    func writes(project: String) throws {
        let folder = TemporaryFolder()
        let made = try ProgramRun.outcome(["new", project, "app/of mine"], in: folder)
        #expect(made.code == .success && made.diagnostics == "Now: cd app/of mine && homeport serve\n", "\(made)")
        for name in made.output.split(separator: "\n") {
            #expect(FileManager.default.fileExists(atPath: folder.file(String(name))))
        }
        let here = try ProgramRun.outcome(["new", project], in: folder)
        #expect(here.code == .success, "\(here)")
        let checked = try ProgramRun.outcome(["check"], in: folder)
        #expect(checked.code == .success && checked.output.contains("no errors"), "\(checked)")
        #expect(!checked.diagnostics.contains("owners may"), "\(checked)")
        let outputs = try ProgramRun.outcome(["outputs"], in: folder)
        #expect(outputs.code == .success && outputs.output.contains("\"model_introspection\""), "\(outputs)")
    }

    @Test("where one of its files is there already, nothing is written")
    func refusesToOverwrite() throws {
        let folder = TemporaryFolder()
        try folder.write("mine", to: "amplify/data/resource.ts")
        let outcome = try ProgramRun.outcome(["new", "gen2"], in: folder)
        #expect(outcome.code == .unwritableOutput && outcome.output.isEmpty)
        #expect(outcome.diagnostics.contains("amplify/data/resource.ts is there already"), "\(outcome)")
        #expect(folder.read("amplify/data/resource.ts") == "mine")
        #expect(!FileManager.default.fileExists(atPath: folder.file("amplify/backend.ts")))
    }

    @Test("where there is nothing, it is said what was looked for, and how to begin")
    func saysWhatWasTried() throws {
        let outcome = try ProgramRun.outcome(["serve", "--port", "0"], in: TemporaryFolder())
        #expect(outcome.code == .unreadableInput)
        for text in ["amplify/data/resource.ts", "amplify/backend/api/*/schema.graphql", "homeport new todo|blog|gen2"]
        {
            #expect(outcome.diagnostics.contains(text), "\(outcome)")
        }
    }
}
