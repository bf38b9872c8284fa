import Blueprint
import Project
import TestSupport
import Testing

@testable import Server

/// What is said of a Gen 1 project whose `backend-config.json` names resources that have no folders.
@Suite("Resources without folders")
struct MissingFolderTests {
    @Test(
        "a resource whose folder is not there is a warning, that of sign-in an error, each with the one that was meant")
    func warns() throws {
        let folder = TemporaryFolder()
        let backend = "amplify/backend"
        try folder.write(
            """
            {
              "auth": {
                "Instagram": { "service": "Cognito" },
                "elsewhere": { "service": "Cognito", "serviceType": "imported" }
              },
              "function": { "there": { "service": "Lambda" }, "gone": { "service": "Lambda" } },
              "hosting": { "amplifyhosting": { "service": "amplifyhosting" } }
            }
            """, to: "\(backend)/backend-config.json")
        try folder.write("{}", to: "\(backend)/auth/instagram/cli-inputs.json")
        try folder.write("exports.handler = 1;", to: "\(backend)/function/there/src/index.js")
        let project = try Project(version1: "\(folder.path)/\(backend)")
        let said = project.diagnostics.filter { $0.message.hasPrefix("`") && $0.message.contains("has no folder") }
        #expect(said.map { String($0.message.prefix { $0 != " " }) } == ["`auth.Instagram`", "`function.gone`"])
        #expect(said.map(\.isError) == [true, false] && said.allSatisfy { $0.location != nil })
        // No second problem names a file that is not there.
        #expect(project.diagnostics.filter(\.isError).count == 1)
        #expect(said.first?.hint == "There is auth/instagram: give both the same name.")
    }
}
