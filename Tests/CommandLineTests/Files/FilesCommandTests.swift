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

    @Test("check --files tells of bytes that have changed, and ends with 1")
    func checksFiles() throws {
        try folder.write("type A @model { id: ID! }", to: "schema.graphql")
        func check(_ arguments: String...) throws -> Outcome {
            try ProgramRun.outcome(["check", "--files"] + arguments, in: folder)
        }
        #expect(try check().code == .unreadableInput)
        #expect(try check("--database", ":memory:").code == .configuration)
        for key in ["public/a", "public/b"] {
            #expect(try run("put", key, "--file", "schema.graphql").code == .success)
        }
        // Without a schema as well: it is the files that are looked at.
        try FileManager.default.removeItem(atPath: folder.file("schema.graphql"))
        let whole = try check()
        #expect(whole.code == .success && whole.output == "2 files, 50 bytes: no errors\n", "\(whole.diagnostics)")
        let objects = folder.file(".homeport/files/objects")
        let names = try FileManager.default.subpathsOfDirectory(atPath: objects).map { "\(objects)/\($0)" }
        let file = try #require(
            names.sorted().first { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: name, isDirectory: &isFolder) && !isFolder.boolValue
            })
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[3] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        let changed = try check()
        #expect(changed.code == .failure && changed.output == "2 files, 50 bytes: 1 error\n")
        #expect(changed.diagnostics.contains(" public/a: its bytes are not those that were put; they lie in "))
        try FileManager.default.removeItem(atPath: file)
        try "x".write(toFile: file + "0", atomically: false, encoding: .utf8)
        let lost = try check()
        #expect(lost.code == .failure && lost.diagnostics.contains(" public/a: its file "))
        #expect(lost.diagnostics.contains(" is not there. Put it again, or remove it"))
        #expect(lost.diagnostics.contains("\(file.split(separator: "/").last ?? "")0: no object has this file"))
        #expect(lost.output.hasSuffix(": 2 errors\n"))
    }

    @Test("sees what a running server keeps, and the server what it puts and removes")
    func besideServer() throws {
        let server = try HomeportProcess(in: folder)
        let call = try SignedFileCall(server)
        let bucket = try #require(try call.call("GET", "/").element("Name"))
        try folder.write("by the command", to: "a.txt")
        #expect(try run("put", "public/a", "--file", "a.txt", "--type", "text/plain").code == .success)
        let got = try call.call("GET", "/\(bucket)/public/a")
        #expect(got.bytes == Array("by the command".utf8) && got.fields["content-type"] == "text/plain")
        for (key, text) in [("public/a", "over it"), ("public/b", "by the server")] {
            #expect(try call.call("PUT", "/\(bucket)/\(key)", body: Array(text.utf8)).status == 200)
            #expect(try run("get", key).output == text)
        }
        #expect(try run("list").output.split(separator: "\n").count == 2)
        #expect(try run("remove", "public/b").code == .success)
        #expect(try call.call("GET", "/\(bucket)/public/b").code == "NoSuchKey")
        #expect(try call.call("PUT", "/\(bucket)/public/c", body: [1]).status == 200)
        #expect(try call.call("GET", "/\(bucket)?list-type=2").elements("Key") == ["public/a", "public/c"])
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
