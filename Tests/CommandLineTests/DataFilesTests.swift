import Foundation
import Server
import TestSupport
import Testing

/// What a server leaves on the disk, and what it says when another one is there.
@Suite("The data of a server")
struct DataFilesTests {
    @Test("a command whose folder was removed says that it cannot write there, and ends")
    func removedFolder() throws {
        let folder = TemporaryFolder()
        let words = [
            "/bin/sh", "-c", "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" token --username ann",
            HomeportProcess.program,
        ]
        let process = try ChildProcess(words, in: folder.path, output: .nothing, errors: .file(folder.file("err.txt")))
        #expect(process.wait() != .code(0))
        #expect(try String(contentsOfFile: folder.file("err.txt"), encoding: .utf8).contains("cannot make the folder"))
    }

    @Test("is one whole file after a stop, also where it was made and only read, and all is for its owner's eyes")
    func files() throws {
        let folder = TemporaryFolder()
        for change in ["{ listTodos { items { id } } }", #"mutation { createTodo(input: {name: "n"}) { id } }"#] {
            let server = try HomeportProcess(["--database", "app.sqlite"], in: folder)
            _ = try server.answer(to: change)
            for name in folder.names where name.hasPrefix("app.sqlite") {
                #expect(folder.mode(of: name) == 0o600, "\(name)")
            }
            server.signal(SIGTERM)
            #expect(server.exitStatus() == 0)
            #expect(folder.names.filter { $0.hasPrefix("app.sqlite") } == ["app.sqlite"])
            let size = try FileManager.default.attributesOfItem(atPath: folder.file("app.sqlite"))[.size] as? Int
            #expect(size ?? 0 > 8_192)
        }
    }

    @Test("is for one server: a second on the same database is refused, and serves when the first one has ended")
    func twoServers() throws {
        let folder = TemporaryFolder()
        let first = try HomeportProcess(in: folder)
        _ = try first.answer(to: "{ listTodos { items { id } } }")
        let words = ["serve", "--port", "0", "--database", folder.file(".homeport/data.sqlite"), "--data", "other"]
        let refused = try ProgramRun.outcome(words, in: folder)
        #expect(refused.code == .systemRefused, "\(refused)")
        #expect(refused.diagnostics.contains("another server serves"), "\(refused.diagnostics)")
        // A command is no server.
        #expect(try ProgramRun.outcome(["export"], in: folder).code == .success)
        first.signal(SIGKILL)
        _ = first.exitStatus()
        let third = try HomeportProcess(["--database", folder.file(".homeport/data.sqlite"), "--data", "other"])
        _ = try third.answer(to: "{ listTodos { items { id } } }")
        third.signal(SIGTERM)
        #expect(third.exitStatus() == 0)
    }
}
