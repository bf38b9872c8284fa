import Foundation
import Server
import TestSupport
import Testing

/// `homeport serve --seed`, in real processes.
@Suite("Seeds")
struct SeedTests {
    private static let list = "{ listTodos { items { id } } }"

    private static func folder(_ seed: String) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.write(seed, to: "seed.jsonl")
        return folder
    }

    @Test("a new database has the records of the seed when the server listens, and keeps what it has later")
    func seedsOnce() throws {
        let folder = try Self.folder(
            (1...3).map { #"{"type":"Todo","record":{"id":"\#($0)","name":"n"}}"# }.joined(separator: "\n"))
        let seeded = #"{"data":{"listTodos":{"items":[{"id":"1"},{"id":"2"},{"id":"3"}]}}}"#
        let first = try HomeportProcess(["--seed", "seed.jsonl"], in: folder)
        #expect(try first.answer(to: Self.list) == seeded)
        #expect(first.logs("seed: 3 records imported"))
        _ = try first.answer(to: #"mutation { deleteTodo(input: {id: "2"}) { id } }"#)
        first.signal(SIGTERM)
        #expect(first.exitStatus() == 0)
        let second = try HomeportProcess(["--seed", "seed.jsonl"], in: folder)
        #expect(try second.answer(to: Self.list) == seeded.replacingOccurrences(of: #"{"id":"2"},"#, with: ""))
        #expect(second.logs("no seed: there are records already"))
        let memory = try HomeportProcess(["--seed", "seed.jsonl", "--database", ":memory:"], in: folder)
        #expect(try memory.answer(to: Self.list) == seeded)
    }

    @Test("a seed that does not fit keeps the server from starting, and says where")
    func refusesSeed() throws {
        let rows: [(seed: String, file: String, message: String)] = [
            (#"{"type":"Tod","record":{}}"#, "seed.jsonl", "exit 1: homeport: the seed: seed.jsonl:1: there is no"),
            ("", "none.jsonl", "exit 66: homeport: the seed: cannot read none.jsonl: No such file or directory"),
        ]
        for row in rows {
            let folder = try Self.folder(row.seed)
            let failure = #expect(throws: HomeportProcess.Failure.self) {
                try HomeportProcess(["--seed", row.file], in: folder)
            }
            #expect(failure?.description.hasPrefix(row.message) == true, "\(failure?.description ?? "")")
        }
    }
}
