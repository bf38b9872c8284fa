import Foundation
import Server
import TestSupport
import Testing

/// nginx with the lines of docs/operating.md, in front of a server. The program is not one of those that the project installs.
@Suite("Behind nginx", .enabled(if: Nginx.isHere, "there is no nginx"))
struct ProxyTests {
    private static let host = "api.example.com"
    private static let key = "da2-of-these-tests"

    private static func server() throws -> HomeportProcess {
        try HomeportProcess(environment: [
            "HOMEPORT_PROXIES": #"["127.0.0.1"]"#, "HOMEPORT_ALLOWED_HOSTS": #"["\#(host)"]"#,
            "HOMEPORT_LOG_CLIENTS": "true", "HOMEPORT_AUTH_API_KEYS": #"[{"key":"\#(key)"}]"#,
            "HOMEPORT_AUTH_IAM_CREDENTIALS": #"[{"accessKeyId":"AKIDADMIN","secretAccessKey":"s","role":"admin"}]"#,
        ])
    }

    private static func send(_ query: String, to port: UInt16, _ fields: [String] = []) throws -> RawClient {
        let client = try RawClient(port: port)
        let body = String(decoding: try JSONSerialization.data(withJSONObject: ["query": query]), as: UTF8.self)
        let lines = ["Host: \(host):\(port)", "x-api-key: \(key)", "Content-Length: \(body.utf8.count)"] + fields
        try client.send("POST /graphql HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n" + body)
        return client
    }

    private static func creation(_ name: String) -> String {
        #"mutation { createTodo(input: {name: "\#(name)"}) { id name } }"#
    }

    @Test("requests, events of both kinds, and signed files go through, and the log has the clients")
    func passes() throws {
        let server = try Self.server()
        let proxy = try Nginx(before: server.port)
        let port = proxy.port
        let answer = try Self.send(Self.creation("first"), to: port, ["X-Forwarded-For: 203.0.113.7"]).readAnswer()
        #expect(answer.head.hasPrefix("HTTP/1.1 200 ") && answer.body.contains("first"), "\(answer)")
        #expect(server.logs("203.0.113.7"))

        // Events are not held back.
        let stream = try Self.send(
            "subscription { onCreateTodo { id name } }", to: port, ["Accept: text/event-stream"])
        _ = try stream.read(through: "\r\n\r\n")
        let key = #"{"x-api-key":"\#(Self.key)","host":"\#(Self.host)"}"#
        let header = Data(key.utf8).base64EncodedString().replacing("=", with: "")
        var socket = try WebSocketClient(
            port: port, path: "/graphql/realtime", protocols: ["graphql-ws", "header-\(header)"])
        #expect(socket.head.status == 101)
        try socket.send(#"{"type":"connection_init"}"#)
        let data = #"{\"query\":\"subscription { onCreateTodo { id name } }\",\"variables\":{}}"#
        try socket.send(
            #"{"id":"1","type":"start","payload":{"data":"\#(data)","extensions":{"authorization":\#(key)}}}"#)
        var told = ""
        while !told.contains("start_ack"), case .text(let text) = try socket.next(until: .now + .seconds(90)) {
            told += text
        }
        #expect(try Self.send(Self.creation("second"), to: port).readAnswer().body.contains("second"))
        #expect(try stream.read(through: "second").contains("onCreateTodo"))
        while !told.contains("second"), case .text(let text) = try socket.next(until: .now + .seconds(90)) {
            told += text
        }
        #expect(told.contains("second"), "\(told)")

        // A body that is longer than what nginx would keep, signed with the host that the client knows.
        let files = try SignedFileCall(
            server, host: Self.host, port: port,
            as: .init(identity: "", accessKeyID: "AKIDADMIN", secret: "s", sessionToken: nil))
        let body = [UInt8](repeating: 7, count: 3 << 20)
        #expect(try files.call("PUT", "/kept").status == 200)
        #expect(try files.call("PUT", "/kept/long", body: body).status == 200)
        #expect(try files.call("GET", "/kept/long").bytes == body)
    }

    @Test("its numbers are nobody's")
    func metrics() throws {
        let server = try Self.server()
        let proxy = try Nginx(before: server.port)
        let client = try RawClient(port: proxy.port)
        try client.send("GET /metrics HTTP/1.1\r\nHost: \(Self.host)\r\nConnection: close\r\n\r\n")
        #expect(try client.readToEnd().hasPrefix("HTTP/1.1 403 "))
    }
}

/// nginx in a process of its own, until nobody refers to it any more.
final class Nginx {
    let port: UInt16
    private let process: ChildProcess
    private let folder: TemporaryFolder

    private static let program = "/usr/sbin/nginx"
    static let isHere = FileManager.default.isExecutableFile(atPath: program)
    private static let triesMax = 20

    private struct Failure: Error { let description: String }

    /// Starts it in front of a server, with the lines of docs/operating.md.
    convenience init(before server: UInt16) throws {
        try self.init { try Self.configuration($0, before: server) }
    }

    /// Starts it in front of two servers, with config/nginx-scale.conf.
    convenience init(before servers: [UInt16]) throws {
        try self.init { port in
            var text = try String(contentsOfFile: repositoryFile("config/nginx-scale.conf"), encoding: .utf8)
                .replacing("listen 20002;", with: "listen 127.0.0.1:\(port);")
            for (number, server) in servers.enumerated() {
                text = text.replacing("node-\(number + 1):20002", with: "127.0.0.1:\(server)")
            }
            return Self.whole(text)
        }
    }

    /// Starts it with a configuration for a port, and waits until it listens.
    private init(_ configuration: (UInt16) throws -> String) throws {
        var (last, tries) = ("", 0)
        while true {
            let folder = TemporaryFolder()
            // nginx takes no port that the system chooses. Somebody else may have this one before it.
            let port = UInt16.random(in: 30_000..<60_000)
            try folder.write(try configuration(port), to: "nginx.conf")
            let errors = folder.file("errors.txt")
            let process = try ChildProcess(
                [Self.program, "-p", folder.path, "-c", "nginx.conf", "-e", "stderr"], in: folder.path,
                errors: .file(errors))
            if Self.isServing(errors) {
                (self.port, self.process, self.folder) = (port, process, folder)
                return
            }
            process.signal(SIGKILL)
            _ = process.wait()
            last = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            tries += 1
            guard tries < Self.triesMax else { throw Failure(description: last) }
        }
    }

    deinit {
        process.signal(SIGKILL)
        _ = process.wait()
    }

    /// Waits until it has said which port it could not have, or, behind its ports, which system it is on.
    private static func isServing(_ errors: String) -> Bool {
        func said(_ text: String) -> Bool {
            FileManager.default.contents(atPath: errors).map { String(decoding: $0, as: UTF8.self).contains(text) }
                ?? false
        }
        try? eventually("nginx listens", within: .seconds(60), changing: errors) { said("OS:") || said("[emerg]") }
        return said("OS:")
    }

    /// The server of docs/operating.md, without its certificate.
    private static func configuration(_ port: UInt16, before server: UInt16) throws -> String {
        let text = try String(contentsOfFile: repositoryFile("docs/operating.md"), encoding: .utf8)
        let block = try #require(text.split(separator: "```nginx\n").dropFirst().first?.split(separator: "```").first)
        let lines = block.split(separator: "\n").filter { !$0.contains("ssl_certificate") }.joined(separator: "\n")
            .replacing("listen 443 ssl;", with: "listen 127.0.0.1:\(port);")
            .replacing("127.0.0.1:20002", with: "127.0.0.1:\(server)")
        return whole(lines)
    }

    private static func whole(_ lines: String) -> String {
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);" }
        return """
            daemon off;
            master_process off;
            pid nginx.pid;
            error_log stderr notice;
            events { worker_connections 256; }
            http {
                access_log off;
                \(places.joined(separator: "\n    "))
            \(lines)
            }
            """
    }
}
