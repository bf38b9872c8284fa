import Foundation
import Server
import TestSupport
import Testing

/// What a server leaves on the disk, and what it says when another one is there.
@Suite("The data of a server")
struct DataFilesTests {
    @Test("is one whole file after a stop, also where it was made and only read, and all is for its owner's eyes")
    func files() async throws {
        try await onThreadOfItsOwn {
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
    }

    @Test("is for one server: the second on the same database says at its start who has it")
    func twoServers() async throws {
        try await onThreadOfItsOwn {
            let folder = TemporaryFolder()
            let first = try HomeportProcess(in: folder)
            let warning = "another process has the database open"
            #expect(!first.log.contains(warning))
            _ = try first.answer(to: "{ listTodos { items { id } } }")
            let second = try HomeportProcess(
                ["--database", folder.file(".homeport/data.sqlite"), "--data", "other"])
            #expect(second.logs(warning) && second.log.contains("process=\(first.identifier)"), "\(second.log)")
            second.signal(SIGTERM)
            #expect(second.exitStatus() == 0)
            first.signal(SIGTERM)
            #expect(first.exitStatus() == 0)
            let third = try HomeportProcess(["--database", folder.file(".homeport/data.sqlite"), "--data", "other"])
            _ = try third.answer(to: "{ listTodos { items { id } } }")
            third.signal(SIGTERM)
            #expect(third.exitStatus() == 0 && !third.log.contains(warning))
        }
    }
}
