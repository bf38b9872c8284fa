import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// What somebody is told who starts in the wrong folder.
@Suite("A folder without a project")
struct NearbyProjectTests {
    private static let rows: [(files: [String], folder: String, told: String)] = [
        (
            ["packages/backend/amplify/data/resource.ts"], "",
            "there is a project in packages/backend: go there with cd packages/backend"
        ),
        (["amplify/backend.ts", "src/pages/a/index.ts"], "src/pages/a", "there is a project in ../../..: go there"),
        (["amplify/backend/backend-config.json"], "amplify", "there is a project in ..: go there with cd .."),
        (
            ["web/amplify/backend.ts", "app/amplify/backend.ts", "app/sub/amplify/backend.ts", "x/package.json"], "",
            "there are projects in app, web: go into the one that is meant, as with cd app"
        ),
        // What tools have put there is nobody's project, and neither is what lies too deep.
        (
            ["node_modules/x/amplify/backend.ts", "a/b/c/d/amplify/backend.ts"], "",
            "looked for amplify/data/resource.ts"
        ),
    ]

    @Test("is told of those that lie below or above it", arguments: rows.indices)
    func tells(row: Int) throws {
        let (files, place, told) = Self.rows[row]
        let folder = TemporaryFolder()
        for file in files { try folder.write("", to: file) }
        let (output, errors) = (folder.file("out.txt"), folder.file("err.txt"))
        for command in [["serve", "--port", "0"], ["check"], ["outputs"]] {
            let process = try ChildProcess(
                [HomeportProcess.program] + command, environment: ["PATH": "/usr/bin:/bin"],
                in: place.isEmpty ? folder.path : folder.file(place), input: .nothing, output: .file(output),
                errors: .file(errors))
            #expect(process.wait() == .code(ExitCode.unreadableInput.rawValue))
            let said = try String(contentsOfFile: errors, encoding: .utf8)
            #expect(said.contains("there is no schema here") && said.contains(told), "\(said)")
        }
    }
}
