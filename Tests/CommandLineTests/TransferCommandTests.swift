import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// `homeport export` and `homeport import`, in processes that end when they should and when they should not.
@Suite("homeport export and import")
struct TransferCommandTests {
    private static let schema = "type Todo @model { id: ID! name: String! }\n"

    private func todo(_ number: Int) -> String { #"{"type":"Todo","record":{"id":"\#(number)","name":"n\#(number)"}}"# }

    private func folder() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.write(Self.schema, to: "schema.graphql")
        return folder
    }

    @Test("what was imported from a stream is exported to one, and to a file")
    func streams() throws {
        let folder = try folder()
        let first = try ProgramRun.outcome(["import"], in: folder, input: (1...3).map(todo).joined(separator: "\n"))
        #expect(first.code == .success && first.diagnostics == "3 records imported\n", "\(first)")
        let again = try ProgramRun.outcome(["import", "in.txt"], in: folder)
        #expect(again.diagnostics == "0 records imported, 3 there already\n")
        let printed = try ProgramRun.outcome(["export"], in: folder)
        #expect(printed.code == .success && printed.diagnostics.isEmpty)
        #expect(printed.output.split(separator: "\n").count == 3)
        #expect(printed.output.hasPrefix(#"{"type":"Todo","record":{"id":"1","name":"n1","createdAt":"2"#))
        let written = try ProgramRun.outcome(["export", "--out", "data.jsonl"], in: folder)
        #expect(written.diagnostics == "3 records exported to data.jsonl\n")
        let text = try String(contentsOfFile: folder.path + "/data.jsonl", encoding: .utf8)
        #expect(text == printed.output)
        let other = try ProgramRun.outcome(
            ["import", "--in", "data.jsonl", "--database", "new/other.sqlite"], in: folder)
        #expect(other.diagnostics == "3 records imported\n")
        #expect(
            try ProgramRun.outcome(["export", "--database", "new/other.sqlite"], in: folder).output
                == printed.output)
    }

    @Test("an import that is killed goes on where it was, and nothing is there twice or missing")
    func killed() throws {
        let count = 30_000
        let folder = try folder()
        try folder.write((1...count).map(todo).joined(separator: "\n"), to: "data.jsonl")
        let (process, _, _) = try ProgramRun.start(["import", "data.jsonl"], in: folder)
        let log = folder.path + "/.homeport/data.sqlite-wal"
        // The first transaction is in the log when it has that size.
        try eventually("the first transaction is in the log", pausing: .microseconds(200)) {
            let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
            return !process.isRunning || size ?? 0 >= 600_000
        }
        process.signal(SIGKILL)
        try #require(process.wait() == .signal(SIGKILL))
        let partly = try ProgramRun.outcome(["export"], in: folder).output.split(separator: "\n").count
        #expect(partly > 0 && partly < count)
        let rest = try ProgramRun.outcome(["import", "data.jsonl"], in: folder)
        #expect(rest.code == .success)
        #expect(
            rest.diagnostics
                == "30,000 records imported; went on behind line \(partly / 1000),\(String(partly % 1000 + 1000).dropFirst()), where it was interrupted\n"
        )
        let lines = try ProgramRun.outcome(["export"], in: folder).output.split(separator: "\n")
        #expect(lines.count == count)
        for (index, line) in lines.enumerated() where !line.contains("\"id\":\"\(index + 1)\",") {
            Issue.record("line \(index + 1) is \(line)")
            break
        }
    }

    @Test("what cannot be is said in a line, with a code of its own")
    func refusals() throws {
        let folder = try folder()
        try folder.write(todo(1) + "\n" + #"{"type":"Tod","record":{}}"# + "\n", to: "wrong.jsonl")
        let rows: [(arguments: [String], code: ExitCode, message: String)] = [
            (
                ["export"], .unreadableInput,
                "homeport: there is no .homeport/data.sqlite: nothing was served here yet. "
            ),
            (["export", "--database", ":memory:"], .configuration, "homeport: a database in memory is gone"),
            (["import", "--database", ":memory:"], .configuration, "homeport: a database in memory is gone"),
            (["import", "none"], .unreadableInput, "homeport: cannot read none: No such file or directory\n"),
            (["import", "."], .unreadableInput, "homeport: cannot read .: Is a directory\n"),
            (
                ["import", "wrong.jsonl"], .failure,
                "homeport: wrong.jsonl:2: there is no model \"Tod\". Did you mean \"Todo\"?\nThe lines before it are imported."
            ),
            (["import", "a", "--in", "b"], .usage, "homeport: expected one FILE, found two: --in is the same"),
            (
                ["export", "--out", "no/such/file"], .unwritableOutput,
                "homeport: cannot write no/such/file.part: No such file or directory\n"
            ),
        ]
        for row in rows {
            let outcome = try ProgramRun.outcome(row.arguments, in: folder)
            #expect(outcome.code == row.code, "\(row.arguments)")
            #expect(outcome.diagnostics.hasPrefix(row.message), "\(row.arguments): \(outcome.diagnostics)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/no/such/file.part"))
    }

    @Test("a server that runs and its database are exported and filled beside it, and one that has ended too")
    func besideServer() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(in: folder)
        let made = try server.answer(to: #"mutation { createTodo(input: {id: "a", name: "one"}) { id } }"#)
        try #require(made == #"{"data":{"createTodo":{"id":"a"}}}"#)
        let exported = try ProgramRun.outcome(["export"], in: folder)
        #expect(exported.output.hasPrefix(#"{"type":"Todo","record":{"id":"a","name":"one","createdAt":"2"#))
        let imported = try ProgramRun.outcome(["import"], in: folder, input: todo(2))
        #expect(imported.diagnostics == "1 record imported\n")
        let list = try server.answer(to: "{ listTodos { items { id name } } }")
        #expect(list == #"{"data":{"listTodos":{"items":[{"id":"a","name":"one"},{"id":"2","name":"n2"}]}}}"#)
        _ = try server.answer(to: #"mutation { deleteTodo(input: {id: "a"}) { id } }"#)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        let rest = try ProgramRun.outcome(["export"], in: folder).output.split(separator: "\n")
        #expect(rest.count == 1 && rest[0].hasPrefix(#"{"type":"Todo","record":{"id":"2","#))
    }
}
