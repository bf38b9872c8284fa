import Foundation
import Server
import TestSupport
import Testing

@testable import homeport

/// What an operator sees of a server.
@Suite("A server that is operated")
struct OperatingTests {
    private static func get(_ path: String, of server: HomeportProcess, _ fields: [String] = []) throws -> String {
        let client = try RawClient(port: server.port)
        let lines = ["Host: localhost", "Connection: close"] + fields
        try client.send("GET \(path) HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n")
        return try client.readToEnd()
    }

    @Test(
        "is not ready while its disk is full, is alive all the time, and is ready again",
        .enabled(if: HomeportProcess.canHaveDisk))
    func readiness() throws {
        let server = try HomeportProcess(diskBytes: 4 << 20)
        #expect(try Self.get("/health/ready", of: server).hasPrefix("HTTP/1.1 200 "))
        #expect(try Self.get("/metrics", of: server).contains("\nhomeport_ready 1\n"))
        let filler = server.data + "/filler"
        let descriptor = open(filler, O_WRONLY | O_CREAT, 0o600)
        let piece = [UInt8](repeating: 0, count: 65_536)
        while write(descriptor, piece, piece.count) == piece.count {}
        close(descriptor)
        let refused = try Self.get("/health/ready", of: server)
        #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains(#""reason":"the disk"#), "\(refused)")
        #expect(try Self.get("/health/live", of: server).hasPrefix("HTTP/1.1 200 "))
        #expect(try Self.get("/health", of: server).contains(#""status":"healthy""#))
        #expect(try Self.get("/metrics", of: server).contains("\nhomeport_ready 0\n"))
        try FileManager.default.removeItem(atPath: filler)
        #expect(try Self.get("/health/ready", of: server).hasPrefix("HTTP/1.1 200 "))
    }

    @Test("makes backups by itself, keeps as many as are wanted, and says when they fail")
    func schedule() throws {
        let folder = TemporaryFolder()
        // What a killed one has left, and what is somebody else's.
        for name in [
            "homeport-2020-01-01T000000Z.tar.part", "homeport-2020-01-01T000000Z.tar.part.sqlite", "mine.tar",
        ] {
            try folder.write("x", to: "kept/\(name)")
        }
        let server = try HomeportProcess(
            environment: [
                "HOMEPORT_BACKUP_EVERY": "1s", "HOMEPORT_BACKUP_KEEP": "2", "HOMEPORT_BACKUP_FOLDER": "kept",
            ], in: folder)
        #expect(server.logs("a backup was written", times: 4))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("kept"))
        #expect(names.contains("mine.tar") && !names.contains { $0.hasPrefix("homeport-2020") }, "\(names)")
        let archives = names.filter { $0.hasPrefix("homeport-") && $0.hasSuffix(".tar") }.sorted()
        // One may be whole whose elder is just being removed.
        #expect((2...3).contains(archives.count), "\(names)")
        #expect(try Self.get("/health", of: server).contains(#""failed":null"#))
        #expect(try Self.get("/metrics", of: server).contains("\nhomeport_backup_failures_total 0\n"))
        let other = TemporaryFolder()
        let restored = try ProgramRun.outcome(["restore", folder.file("kept/\(archives.last ?? "")")], in: other)
        #expect(restored.code == .success, "\(restored)")
        // No folder any more.
        try FileManager.default.removeItem(atPath: folder.file("kept"))
        try folder.write("no folder", to: "kept")
        #expect(server.logs("a backup has failed"))
        #expect(try !Self.get("/health", of: server).contains(#""failed":null"#))
        #expect(try !Self.get("/metrics", of: server).contains("\nhomeport_backup_failures_total 0\n"))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    @Test("logs whose request it was and from where, and its trace, where that is wanted", arguments: [true, false])
    func clients(isWanted: Bool) throws {
        let server = try HomeportProcess(
            environment: [
                "HOMEPORT_LOG_CLIENTS": "\(isWanted)", "HOMEPORT_LOG_FORMAT": "json",
                "HOMEPORT_AUTH_ADDITIONAL": #"["AMAZON_COGNITO_USER_POOLS"]"#,
            ],
            schema:
                "type Todo @model @auth(rules: [{ allow: public }, { allow: private }]) { id: ID! name: String! }")
        #expect(
            try ProgramRun.outcome(["users", "add", "ann", "--password", "Str0ng!Passw0rd"], in: server.folder).code
                == .success)
        let token = try #require(try PoolClient(server).signIn("ann", "Str0ng!Passw0rd")["IdToken"] as? String)
        let claims = try #require(Self.claims(of: token))
        let sub = try #require(claims["sub"] as? String)
        _ = try server.answer(
            to: "{ listTodos { items { id } } }",
            fields: [
                "authorization: \(token)", "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            ])
        #expect(server.logs(#""trace":"4bf92f3577b34da6a3ce929d0e0e4736""#))
        let line = try #require(server.log.split(separator: "\n").first { $0.contains("listTodos") })
        #expect(line.contains(#""client":"127.0.0.1""#) == isWanted, "\(line)")
        #expect(line.contains(#""sub":"\#(sub)""#) == isWanted, "\(line)")
        #expect(server.log.contains(sub) == isWanted)
    }

    @Test("goes on in the same file where its log is copied and emptied, as logrotate does")
    func rotation() throws {
        let server = try HomeportProcess()
        _ = try server.answer(to: "{ listTodos { items { id } } }")
        #expect(server.logs("listTodos"))
        let log = server.folder.file("errors.txt")
        try FileManager.default.copyItem(atPath: log, toPath: log + ".1")
        #expect(truncate(log, 0) == 0)
        _ = try server.answer(to: #"{ getTodo(id: "a") { id } }"#)
        #expect(server.logs("getTodo"))
        #expect(!server.log.contains("listTodos") && !server.log.contains("\0"), "\(server.log)")
        #expect(try String(contentsOfFile: log + ".1", encoding: .utf8).contains("listTodos"))
    }

    private static func claims(of token: String) -> [String: Any]? {
        var body = String(token.split(separator: ".")[1]).replacing("-", with: "+").replacing("_", with: "/")
        while body.utf8.count % 4 != 0 { body += "=" }
        return Data(base64Encoded: body).flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    }
}
