import Foundation
import Server
import TestSupport
import Testing

@Suite("homeport files")
struct FilesCommandTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: String...) throws -> Outcome {
        try ProgramRun.outcome(["files"] + arguments, in: folder)
    }

    @Test("puts, lists, gets and removes what is kept in a data folder")
    func goesRound() throws {
        try folder.write("type A @model { id: ID! }", to: "schema.graphql")
        let content = String(repeating: "one ünd more\n", count: 50_000)
        try folder.write(content, to: "a.txt")
        #expect(try run("list").output == "")
        let put = try run("put", "public/ä b.txt", "--file", "a.txt", "--type", "text/plain")
        #expect(put.code == .success, "\(put.diagnostics)")
        #expect(try run("put", "public/c.txt", "--file", "schema.graphql").code == .success)
        let listed = try run("list", "public/", "--json").output.split(separator: "\n")
        #expect(listed.count == 2)
        #expect(listed.last?.contains("\"key\":\"public/ä b.txt\"") == true)
        #expect(listed.last?.contains("\"size\":\(content.utf8.count)") == true)
        #expect(try run("list", "private/").output == "")
        #expect(try run("get", "public/ä b.txt").output == content)
        #expect(try run("get", "public/ä b.txt", "--file", "b.txt").code == .success)
        #expect(try String(contentsOfFile: "\(folder.path)/b.txt", encoding: .utf8) == content)
        // Another in its place.
        #expect(try run("put", "public/ä b.txt", "--file", "schema.graphql").code == .success)
        #expect(try run("get", "public/ä b.txt").output == "type A @model { id: ID! }")
        #expect(try run("remove", "public/ä b.txt").code == .success)
        let again = try run("remove", "public/ä b.txt")
        #expect(again.code == .failure)
        #expect(again.diagnostics.contains("there is no file public/ä b.txt"))
        #expect(try run("list").output.split(separator: "\n").count == 1)
    }

    @Test("says what is missing")
    func refuses() throws {
        try folder.write("type A @model { id: ID! }", to: "schema.graphql")
        for (arguments, message) in [
            (["get"], "needs the key of a file"), (["remove"], "needs the key of a file"),
            (["put", "k"], "needs --file"), (["put", "k", "--file", "nothing"], "nothing"),
            (["get", "k"], "there is no file k"), (["list", "--bucket", "other"], "there is no bucket other"),
            (["list", "--database", ":memory:"], "files in memory"),
        ] {
            let outcome = try ProgramRun.outcome(["files"] + arguments, in: folder)
            #expect(outcome.code != .success, "\(arguments)")
            #expect(outcome.diagnostics.contains(message), "\(arguments): \(outcome.diagnostics)")
            #expect(outcome.output.isEmpty)
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/k"))
    }
}
