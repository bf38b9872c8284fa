import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// `homeport backup` and `homeport restore`, with servers before and behind them.
@Suite("A backup")
struct BackupTests {
    private static let environment = ["HOMEPORT_AUTH_ADDITIONAL": #"["AMAZON_COGNITO_USER_POOLS"]"#]
    private static let schema =
        "type Todo @model @auth(rules: [{ allow: public }, { allow: private }]) { id: ID! name: String! }"
    private static let password = "Str0ng!Passw0rd"

    private static func server(in folder: TemporaryFolder) throws -> HomeportProcess {
        try HomeportProcess(environment: environment, schema: schema, in: folder)
    }

    private static func names(of server: HomeportProcess) throws -> [String: String] {
        try PoolClient.names(of: server)
    }

    /// What a backend is told apart by.
    private static func expectSame(
        _ server: HomeportProcess, token: String, link: String, _ names: [String: String]
    ) throws {
        #expect(try Self.names(of: server) == names)
        #expect(try server.answer(to: #"{ getTodo(id: "1") { name } }"#) == #"{"data":{"getTodo":{"name":"one"}}}"#)
        let pool = try PoolClient(server)
        #expect(try pool.call("GetUser", ["AccessToken": token])["Username"] as? String == "ann")
        #expect(try pool.signIn("ann", password)["AccessToken"] != nil)
        #expect(try SignedFileCall(server).call("GET", "/box/a").bytes == Array("file".utf8))
        let client = try RawClient(port: server.port)
        try client.send("GET \(link) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readAnswer().body == "file")
    }

    @Test("made beside a running server is a backend elsewhere: users, tokens, files and links are those of before")
    func goesRound() throws {
        let folder = TemporaryFolder()
        let first = try Self.server(in: folder)
        _ = try first.answer(to: #"mutation { createTodo(input: { id: "1", name: "one" }) { id } }"#)
        #expect(
            try ProgramRun.outcome(["users", "add", "ann", "--password", Self.password], in: folder).code
                == .success)
        let token = try #require(try PoolClient(first).signIn("ann", Self.password)["AccessToken"] as? String)
        let calls = try SignedFileCall(first)
        #expect(try calls.call("PUT", "/box").status == 200)
        #expect(try calls.call("PUT", "/box/a", body: Array("file".utf8)).status == 200)
        let request = String(decoding: SignedLink("GET", "/box/a").bytes, as: UTF8.self)
        let link = String(request.split(separator: " ")[1])
        let names = try Self.names(of: first)
        let outcome = try ProgramRun.outcome(["backup", "all.tar"], in: folder)
        #expect(outcome.code == .success, "\(outcome)")
        #expect(folder.mode(of: "all.tar") == 0o600)
        _ = try first.answer(to: #"mutation { createTodo(input: { id: "2", name: "later" }) { id } }"#)
        #expect(folder.names.filter { $0.hasPrefix("all.tar") } == ["all.tar"])

        // By the command, and by what everybody has: each into a folder of its own.
        for byHand in [false, true] {
            let other = TemporaryFolder()
            if byHand {
                try other.write("", to: ".homeport/.gitignore")
                let words = ["/bin/tar", "-xf", folder.file("all.tar"), "-C", other.file(".homeport")]
                #expect(try ChildProcess(words, in: other.path).wait() == .code(0))
                let sums = ["/usr/bin/sha256sum", "--check", "--quiet", "SHA256SUMS"]
                #expect(try ChildProcess(sums, in: other.file(".homeport"), errors: .nothing).wait() == .code(0))
            } else {
                let restored = try ProgramRun.outcome(["restore", folder.file("all.tar")], in: other)
                #expect(restored.code == .success, "\(restored)")
            }
            let second = try Self.server(in: other)
            try Self.expectSame(second, token: token, link: link, names)
            #expect(try second.answer(to: #"{ getTodo(id: "2") { name } }"#) == #"{"data":{"getTodo":null}}"#)
            #expect(try ProgramRun.outcome(["check", "--files"], in: other).code == .success)

            // Over what is there only when that is wanted, and never under a server.
            let again = ["restore", folder.file("all.tar")]
            #expect(try ProgramRun.outcome(again + ["--replace"], in: other).code == .systemRefused)
            _ = try second.answer(to: #"mutation { createTodo(input: { id: "3", name: "lost" }) { id } }"#)
            second.signal(SIGTERM)
            #expect(second.exitStatus() == 0)
            let refused = try ProgramRun.outcome(again, in: other)
            #expect(refused.code == .failure && refused.diagnostics.contains("--replace"), "\(refused)")
            #expect(try ProgramRun.outcome(again + ["--replace"], in: other).code == .success)
            let third = try Self.server(in: other)
            try Self.expectSame(third, token: token, link: link, names)
            #expect(try third.answer(to: #"{ getTodo(id: "3") { name } }"#) == #"{"data":{"getTodo":null}}"#)
        }
    }

    @Test("that is damaged, cut or somebody else's is refused as a whole, and what is there stays")
    func refusesDamage() throws {
        let folder = TemporaryFolder()
        let server = try Self.server(in: folder)
        _ = try server.answer(to: #"mutation { createTodo(input: { id: "1", name: "one" }) { id } }"#)
        #expect(try ProgramRun.outcome(["backup", "all.tar"], in: folder).code == .success)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("all.tar")))
        var flipped = whole
        flipped[whole.count / 2] ^= 1
        let cases: [(String, Data)] = [
            ("flipped", flipped), ("cut", whole.prefix(whole.count / 2)), ("empty", Data()),
            ("without its end", whole.prefix(whole.count - 1_536)), ("noise", Data(repeating: 7, count: 4_096)),
        ]
        for (name, content) in cases {
            try content.write(to: URL(fileURLWithPath: folder.file("bad.tar")))
            let outcome = try ProgramRun.outcome(["restore", "bad.tar", "--replace"], in: folder)
            #expect(outcome.code == .unreadableInput, "\(name): \(outcome)")
            let elsewhere = try ProgramRun.outcome(["restore", "bad.tar", "--data", "new"], in: folder)
            #expect(elsewhere.code == .unreadableInput, "\(name): \(elsewhere)")
            #expect(!folder.names.contains("new/data.sqlite"))
        }
        // Names that lead elsewhere, and what is no file.
        for (name, kind) in [("../evil", ""), ("files/objects/../../../evil", ""), ("data.sqlite", "link")] {
            try folder.write("x", to: "tree/evil")
            let rename = "--transform=s|.*|\(name)|"
            let link = kind.isEmpty ? "" : "rm -f evil; ln -s /etc/passwd evil; "
            let words = ["/bin/sh", "-c", "\(link)tar -P '\(rename)' -cf ../evil.tar evil"]
            #expect(
                try ChildProcess(words, environment: ["PATH": "/usr/bin:/bin"], in: folder.file("tree")).wait()
                    == .code(0))
            let outcome = try ProgramRun.outcome(["restore", "evil.tar", "--data", "evil/data"], in: folder)
            #expect(outcome.code == .unreadableInput, "\(name): \(outcome)")
        }
        let again = try Self.server(in: folder)
        #expect(
            try again.answer(to: #"{ getTodo(id: "1") { name } }"#) == #"{"data":{"getTodo":{"name":"one"}}}"#)
    }

    @Test("whose restore was interrupted in its last step is served by nobody before it is repeated")
    func interrupted() throws {
        let folder = TemporaryFolder()
        let server = try Self.server(in: folder)
        _ = try server.answer(to: #"mutation { createTodo(input: { id: "1", name: "one" }) { id } }"#)
        #expect(try ProgramRun.outcome(["backup", "all.tar"], in: folder).code == .success)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        // As a restore leaves it that was killed before the database came to its place.
        try folder.write("", to: ".homeport/restoring/begun")
        try FileManager.default.moveItem(
            atPath: folder.file(".homeport/data.sqlite"), toPath: folder.file(".homeport/data.sqlite.restoring"))
        for words in [["serve", "--port", "0"], ["backup", "other.tar"]] {
            let refused = try ProgramRun.outcome(words, in: folder)
            #expect(refused.code == .unreadableInput, "\(refused)")
        }
        let again = try ProgramRun.outcome(["restore", "all.tar", "--replace"], in: folder)
        #expect(again.code == .success, "\(again)")
        #expect(!FileManager.default.fileExists(atPath: folder.file(".homeport/restoring")))
        let second = try Self.server(in: folder)
        #expect(
            try second.answer(to: #"{ getTodo(id: "1") { name } }"#) == #"{"data":{"getTodo":{"name":"one"}}}"#)
    }

    @Test("under load, by processes that are killed: each archive that is there is of one moment, and whole")
    func kills() throws {
        let rounds = ProcessInfo.processInfo.environment["HOMEPORT_KILLS"].flatMap(Int.init) ?? 6
        var random = SeededRandom(test: "BackupTests")
        let lengths = (0..<rounds).map { _ in Int.random(in: 5_000...250_000, using: &random) }
        let folder = TemporaryFolder()
        let server = try Self.server(in: folder)
        let isOver = Flag()
        let port = server.port
        let writers = try (0..<2).map { number in
            let calls = try SignedFileCall(server)
            return Thread {
                guard let client = try? OperationClient(port: port, fields: [OperationClient.key]) else { return }
                _ = try? calls.call("PUT", "/box\(number)")
                for turn in 0..<100_000 where !isOver.isSet {
                    // A record and the one before it come together or not at all; files come and go.
                    _ = try? client.answer(
                        to: #"mutation { a: createTodo(input: { id: "\#(number)-\#(turn)", name: "x" }) { id } }"#)
                    _ = try? calls.call("PUT", "/box\(number)/\(turn % 5)", body: Array("file \(turn)".utf8))
                }
            }
        }
        for writer in writers { writer.start() }
        defer { isOver.set() }
        var whole = 0
        for (round, length) in lengths.enumerated() {
            let (process, _, _) = try ProgramRun.start(["backup", "round\(round).tar"], in: folder)
            pause(.microseconds(length), because: "the moment of a kill is random")
            if round % 3 != 0 { process.signal(SIGKILL) }
            _ = process.wait()
            guard folder.names.contains("round\(round).tar") else { continue }
            whole += 1
            let other = TemporaryFolder()
            let restored = try ProgramRun.outcome(["restore", folder.file("round\(round).tar")], in: other)
            #expect(restored.code == .success, "\(restored)")
            try other.write(Self.schema, to: "schema.graphql")
            let files = try ProgramRun.outcome(["check", "--files"], in: other)
            #expect(files.code == .success, "\(files)")
            let records = try ProgramRun.outcome(["export"], in: other).output
            // A writer's records are numbered without a gap: those of one moment are all up to one of them.
            for number in 0..<2 {
                let turns = records.split(separator: "\n").compactMap { line in
                    line.firstMatch(of: /"id":"(\d+)-(\d+)"/).flatMap { $0.1 == "\(number)" ? Int($0.2) : nil }
                }
                #expect(turns.sorted() == Array(0..<turns.count))
            }
        }
        #expect(whole >= (rounds + 2) / 3)
        #expect(folder.names.filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".sums") }.count <= 2 * rounds)
        isOver.set()
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    private final class Flag: @unchecked Sendable {
        private let lock = NSLock()
        private var value = false
        var isSet: Bool { lock.withLock { value } }
        func set() { lock.withLock { value = true } }
    }

    @Test("that is put back gives clients all records that synced behind its moment", arguments: [false, true])
    func syncs(byHand: Bool) throws {
        let schema = "type Item @model @auth(rules: [{ allow: public }]) { id: ID! name: String }"
        let environment = ["HOMEPORT_FEATURES_CONFLICT_DETECTION": "AUTOMERGE"]
        let folder = TemporaryFolder()
        func start() throws -> HomeportProcess {
            try HomeportProcess(environment: environment, schema: schema, in: folder)
        }
        func sync(_ server: HomeportProcess, since: String) throws -> String {
            try server.answer(to: "{ syncItems(lastSync: \(since)) { items { id name _version } } }")
        }
        func moment(_ server: HomeportProcess) throws -> String {
            let answer = try server.answer(to: "{ syncItems { startedAt } }")
            return String(answer.filter(\.isNumber))
        }
        var server = try start()
        _ = try server.answer(to: #"mutation { createItem(input: { id: "a", name: "one" }) { _version } }"#)
        let before = try moment(server)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        if byHand {
            try FileManager.default.copyItem(atPath: folder.file(".homeport"), toPath: folder.file("kept"))
        } else {
            #expect(try ProgramRun.outcome(["backup", "all.tar"], in: folder).code == .success)
        }
        server = try start()
        // A restart alone costs nobody a full sync.
        #expect(try sync(server, since: before) == #"{"data":{"syncItems":{"items":[]}}}"#)
        _ = try server.answer(
            to: #"mutation { updateItem(input: { id: "a", name: "two", _version: 1 }) { _version } }"#)
        let behind = try moment(server)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        if byHand {
            try FileManager.default.removeItem(atPath: folder.file(".homeport"))
            try FileManager.default.moveItem(atPath: folder.file("kept"), toPath: folder.file(".homeport"))
        } else {
            #expect(try ProgramRun.outcome(["restore", "all.tar", "--replace"], in: folder).code == .success)
        }
        server = try start()
        let all = #"{"data":{"syncItems":{"items":[{"id":"a","name":"one","_version":1}]}}}"#
        #expect(try sync(server, since: behind) == all)
        let now = try moment(server)
        #expect(try sync(server, since: now) == #"{"data":{"syncItems":{"items":[]}}}"#)
    }

    @Test("that is the database alone is a backend too, and users of another pool are refused with what to do")
    func databaseAlone() throws {
        let folder = TemporaryFolder()
        let first = try Self.server(in: folder)
        #expect(
            try ProgramRun.outcome(["users", "add", "ann", "--password", Self.password], in: folder).code
                == .success)
        let token = try #require(try PoolClient(first).signIn("ann", Self.password)["AccessToken"] as? String)
        let names = try Self.names(of: first)
        first.signal(SIGTERM)
        #expect(first.exitStatus() == 0)
        let other = TemporaryFolder()
        try other.write("", to: ".homeport/.gitignore")
        try FileManager.default.copyItem(
            atPath: folder.file(".homeport/data.sqlite"), toPath: other.file(".homeport/data.sqlite"))
        let second = try Self.server(in: other)
        #expect(try Self.names(of: second) == names)
        #expect(try PoolClient(second).call("GetUser", ["AccessToken": token])["Username"] as? String == "ann")
        #expect(try PoolClient(second).signIn("ann", Self.password)["AccessToken"] != nil)
        second.signal(SIGTERM)
        #expect(second.exitStatus() == 0)
        // Under another name, by the configuration.
        try other.write(#"{"auth": {"pool": {"userPoolId": "us-east-1_Another12"}}}"#, to: "config.json")
        let renamed = try ProgramRun.outcome(["serve", "--port", "0", "--config", "config.json"], in: other)
        #expect(renamed.code == .configuration, "\(renamed)")
        #expect(renamed.diagnostics.contains("auth.pool.userPoolId to \(names["userPoolId"] ?? "")"), "\(renamed)")
        // Without the configuration that a server has, a backup still says whose users they are.
        #expect(try ProgramRun.outcome(["backup", "all.tar"], in: other).code == .success)
        // The database of another folder, without its files and keys beside it: nothing is written here.
        let away = TemporaryFolder()
        let path = other.file(".homeport/data.sqlite")
        #expect(try ProgramRun.outcome(["backup", "all.tar", "--database", path], in: away).code == .success)
        #expect(!away.names.contains(".homeport"))
        // A folder that was another backend's.
        let third = TemporaryFolder()
        let server = try Self.server(in: third)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        try FileManager.default.removeItem(atPath: third.file(".homeport/data.sqlite"))
        try FileManager.default.copyItem(
            atPath: folder.file(".homeport/data.sqlite"), toPath: third.file(".homeport/data.sqlite"))
        let refused = try ProgramRun.outcome(["serve", "--port", "0"], in: third)
        #expect(refused.code == .configuration, "\(refused)")
        let pool = names["userPoolId"] ?? ""
        #expect(refused.diagnostics.contains("1 user of the pool \(pool)"), "\(refused.diagnostics)")
    }
}
