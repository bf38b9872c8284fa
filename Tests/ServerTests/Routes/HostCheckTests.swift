import Network
import Testing

@testable import Server

@Suite("The names of a server")
struct HostCheckTests {
    private let hosts: HostCheck

    init() throws {
        let bound = try #require(SocketAddress(numeric: "127.0.0.1", port: 20_002))
        hosts = HostCheck(allowedHosts: ["api.example.com"], boundTo: [bound])
    }

    @Test(
        "are those of this machine, those that were set, and addresses that lead here",
        arguments: [
            "localhost", "LOCALHOST", "localhost.", "localhost:20002", "localhost:65535", "auth.localhost:1",
            "my_bucket.s3.localhost", "my.bucket-1.s3.localhost", "127.0.0.1:20002", "127.9.9.9",
            "[::1]:20002",
            "api.example.com", "API.example.com:443",
        ])
    func own(authority: String) {
        #expect(hosts.accepts(authority))
    }

    @Test(
        "are no others, and nothing that would lead elsewhere once it stands in a link",
        arguments: [
            "example.com", "localhost.example.com", "xlocalhost", "192.0.2.1", "api.example.com.evil.example", "",
            // Only its end looks like one of this machine.
            "evil.example/.localhost", "evil.example/x.localhost", "evil.example?.localhost", "evil.example#.localhost",
            "a@evil.example#x.localhost", "user@x.localhost", "evil.example\\.localhost", "\"><b>.localhost",
            "a b.localhost", "a&b.localhost", "a'b.localhost", "a%2Fb.localhost", "a;b.localhost", "a,b.localhost",
            "*.localhost", ".s3.localhost", "a..localhost", "é.localhost", "a\u{0}.localhost",
            String(repeating: "a", count: 64) + ".localhost", String(repeating: "a.", count: 130) + "localhost",
            // Ports are digits.
            "localhost:", "localhost:+5", "localhost:-1", "localhost:65536", "localhost:1x", "localhost: 1", "[::1]:+5",
            "localhost:1:2",
        ])
    func others(authority: String) {
        #expect(!hosts.accepts(authority))
        #expect(!HostCheck.isLoopback(authority))
    }
}
