import Glibc
import Synchronization
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

    private func run(port: Int, milliseconds: Int = 2_000, host: String = "127.0.0.1") throws -> (ExitCode, String) {
        let texts = Mutex("")
        let output = CommandOutput(
            standard: { text in texts.withLock { $0 += text } }, diagnostics: { text in texts.withLock { $0 += text } })
        let environment = ["HOMEPORT_PORT": "\(port)", "HOMEPORT_HOST": host, "HOMEPORT_AUTH_DEFAULT": "AWS_IAM"]
        let configuration = try ConfigurationResolver.resolve(environment: environment).configuration
        let code = HealthCommand.run(configuration, milliseconds: milliseconds, output)
        return (code, texts.withLock { $0 })
    }

    static let answers: [(answer: String, code: ExitCode, text: String)] = [
        ("HTTP/1.1 200 OK\r\n\r\n", .success, "healthy\n"),
        ("HTTP/1.1 503 Service Unavailable\r\n\r\n", .failure, "expected status 200 from /health, found 503\n"),
        ("hello\n", .failure, "expected an HTTP answer, found something else\n"),
        ("", .failure, "expected an HTTP answer, found something else\n"),
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
        #expect(result.1 == "127.0.0.1:\(port): no answer in time\n")
    }

    @Test("where nobody listens, the answer is no")
    func refusedConnection() throws {
        let (descriptor, port) = try listener()
        close(descriptor)
        let result = try run(port: port)
        #expect(result.0 == .failure)
        #expect(result.1 == "127.0.0.1:\(port): Connection refused\n")
    }

    @Test("a port of 0 cannot be asked")
    func needsPort() throws {
        #expect(try run(port: 0).0 == .configuration)
    }
}
