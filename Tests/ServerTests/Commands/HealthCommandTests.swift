import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite("homeport health")
struct HealthCommandTests {
    /// A listening socket on loopback.
    private func listener() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) | listen(descriptor, 4) | getsockname(descriptor, address, &length)
            }
        }
        try #require(status == 0)
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private func run(port: Int, milliseconds: Int = 60_000, host: String = "127.0.0.1") throws -> (ExitCode, String) {
        let texts = Mutex("")
        let output = CommandOutput(
            standard: { text in texts.withLock { $0 += text } }, diagnostics: { text in texts.withLock { $0 += text } })
        // What is wrong with the rest of a configuration does not matter.
        let environment = [
            "HOMEPORT_PORT": "\(port)", "HOMEPORT_HOST": host, "HOMEPORT_AUTH_API_KEYS": "none",
            "HOMEPORT_LOG_LEVEL": "loud", "HOMEPORT_TLS_KEY": "key.pem",
        ]
        let configuration = try ConfigurationResolver.resolve(environment: environment, wanted: HealthCommand.keys)
            .configuration
        let code = HealthCommand.run(configuration, milliseconds: milliseconds, output)
        return (code, texts.withLock { $0 })
    }

    static let answers: [(answer: String, code: ExitCode, text: String)] = [
        ("HTTP/1.1 200 OK\r\n\r\n", .success, "healthy\n"),
        ("HTTP/1.1 503 Service Unavailable\r\n\r\n", .failure, "expected status 200 from /health, found 503\n"),
        (
            "hello\n", .failure,
            "expected an HTTP answer, found something else: is the server running? Another port: --port\n"
        ),
        ("", .failure, "expected an HTTP answer, found something else: is the server running? Another port: --port\n"),
    ]

    @Test("the answer of the server decides", arguments: answers)
    func asks(answer: String, code: ExitCode, text: String) throws {
        let (descriptor, port) = try listener()
        let server = Waiter {
            let connection = accept(descriptor, nil, nil)
            var request = [UInt8](repeating: 0, count: 4096)
            let count = read(connection, &request, request.count)
            _ = Array(answer.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
            close(connection)
            return String(decoding: request.prefix(max(count, 0)), as: UTF8.self)
        }
        // An address that stands for all of them is asked on loopback.
        let result = try run(port: port, host: "0.0.0.0")
        #expect(result.0 == code)
        #expect(result.1.hasSuffix(text))
        #expect(try server.value().hasPrefix("GET /health HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"))
        close(descriptor)
    }

    @Test("a server that does not answer is waited for no longer than asked")
    func givesUp() throws {
        let (descriptor, port) = try listener()
        defer { close(descriptor) }
        let result = try run(port: port, milliseconds: 50)
        #expect(result.0 == .failure)
        #expect(result.1 == "127.0.0.1:\(port): no answer in time: is the server running? Another port: --port\n")
    }

    @Test("where nobody listens, the answer is no")
    func refusedConnection() throws {
        let (descriptor, port) = try listener()
        close(descriptor)
        let result = try run(port: port)
        #expect(result.0 == .failure)
        #expect(result.1 == "127.0.0.1:\(port): Connection refused: is the server running? Another port: --port\n")
    }

    @Test("the address stands in a file, in a variable or in an option, whatever else stands there")
    func findsAddress() throws {
        let folder = TemporaryFolder()
        let rows: [(file: String, options: [String: [String]], environment: [String: String], address: String)] = [
            (#"{"port": 1, "prt": 2, "auth": {"apiKeys": 7}, "limits": []}"#, [:], [:], "127.0.0.1:1"),
            (#"{"listen": ["127.0.0.2:3"], "tls": {"certificate": "x"}}"#, [:], [:], "127.0.0.2:3"),
            (#"{"port": 1, "host": "0.0.0.0"}"#, ["port": ["4"]], ["HOMEPORT_PORT": "5"], "0.0.0.0:4"),
            ("{}", [:], ["HOMEPORT_HOST": "0.0.0.0", "HOMEPORT_SCHEMA": ""], "0.0.0.0:20002"),
        ]
        for row in rows {
            let file = try folder.write(row.file, to: "c.json")
            let configuration = try ConfigurationResolver.resolve(
                file: file, options: row.options, environment: row.environment, wanted: HealthCommand.keys
            ).configuration
            #expect(configuration.listeners.map(\.description) == [row.address])
        }
        #expect(throws: ConfigurationError.self) {
            try ConfigurationResolver.resolve(environment: ["HOMEPORT_PORT": "x"], wanted: HealthCommand.keys)
        }
    }

    @Test("a port of 0 cannot be asked")
    func needsPort() throws {
        #expect(try run(port: 0).0 == .configuration)
    }
}
