import TestSupport
import Testing

@testable import Server

@Suite("What is told of a project that is edited")
struct ToldNoticesTests {
    @Test("a warning is told once, a new one when it comes, and an error each time")
    func tellsOnce() throws {
        let folder = TemporaryFolder()
        let lines = LogQueue(.text)
        defer { lines.stop() }
        let told = ToldNotices()
        func design(_ schema: String) throws -> String {
            let path = try folder.write(schema, to: "schema.graphql")
            let resolution = try ConfigurationResolver.resolve(environment: ["HOMEPORT_SCHEMA": path])
            let designer = ProjectDesigner(
                resolution: resolution, log: Log(LogSettings(), to: lines), assistants: nil, resolvers: nil, told: told)
            var text = ""
            let output = CommandOutput(standard: { _ in }, diagnostics: { text += $0 })
            _ = try? designer.design(of: try designer.reading(), output)
            return text
        }
        let closed = "type Todo @model { id: ID! }"
        #expect(try design(closed).contains("may call Todo"))
        #expect(
            try !design(closed + " type Mine @model @auth(rules: [{ allow: public }]) { id: ID! }").contains("Todo"))
        #expect(try design(closed + " type Note @model { id: ID! }").contains("Note"))
        for _ in 0..<2 { #expect(try design("type Todo @model { id: Nope }").contains("Nope")) }
    }
}
