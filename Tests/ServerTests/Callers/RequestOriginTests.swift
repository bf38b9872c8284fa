import Network
import Testing

@testable import Server

@Suite("Where a request comes from")
struct RequestOriginTests {
    private static func head(_ target: String, _ fields: [String], version: String = "HTTP/1.1") throws
        -> HTTPRequestHead
    {
        try .read("GET \(target)", fields, version: version)
    }

    private static let loopback = SocketAddress.loopback(port: 50_000)

    @Test(
        "a loopback name on a connection from loopback is this machine",
        arguments: [
            "localhost", "localhost:20002", "LOCALHOST", "app.localhost:1", "localhost.", "127.0.0.1",
            "127.0.0.1:20002",
            "127.8.8.8", "[::1]", "[::1]:20002", "10.0.2.2:20002",
        ])
    func names(host: String) throws {
        let head = try Self.head("/graphql", ["Host: \(host)", "User-Agent: x", "Accept: */*", "X-Amz-Date: y"])
        #expect(RequestOrigin.isThisMachine(head, from: Self.loopback))
        for address in ["127.0.0.2", "::1", "::ffff:127.0.0.1"] {
            #expect(RequestOrigin.isThisMachine(head, from: try #require(SocketAddress(numeric: address, port: 1))))
        }
        for address in ["192.0.2.1", "10.0.2.2", "2001:db8::1", "::ffff:192.0.2.1", "0.0.0.0", "::"] {
            #expect(!RequestOrigin.isThisMachine(head, from: try #require(SocketAddress(numeric: address, port: 1))))
        }
    }

    @Test(
        "another name is not",
        arguments: [
            "api.example.com", "192.0.2.1", "localhost.evil.test", "evillocalhost", "[2001:db8::1]", "homeport",
            "host.docker.internal", "0.0.0.0",
        ])
    func strangeNames(host: String) throws {
        let head = try Self.head("/graphql", ["Host: \(host)"])
        #expect(!RequestOrigin.isThisMachine(head, from: Self.loopback))
    }

    @Test("a target that names an authority needs a loopback one too, and so does its host field")
    func targets() throws {
        let rows = [
            ("http://localhost/graphql", "localhost", true), ("http://api.test/graphql", "localhost", false),
            ("http://localhost/graphql", "api.test", false), ("http://127.0.0.1:1/graphql", "[::1]", true),
        ]
        for (target, host, isLocal) in rows {
            let head = try Self.head(target, ["Host: \(host)"])
            #expect(RequestOrigin.isThisMachine(head, from: Self.loopback) == isLocal, "\(target) \(host)")
        }
        #expect(!RequestOrigin.isThisMachine(try Self.head("/", [], version: "HTTP/1.0"), from: Self.loopback))
    }

    @Test(
        "what came through a proxy is not, whatever the proxy is called",
        arguments: [
            "Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.1", "x-forwarded-host: a", "X-Forwarded-Proto: https",
            "X-FORWARDED-PORT: 443", "X-Forwarded: x", "Via: 1.1 proxy", "X-Real-IP: 192.0.2.1", "x-real-ip:",
            "CF-Connecting-IP: 192.0.2.1", "True-Client-IP: 192.0.2.1", "X-Envoy-External-Address: 192.0.2.1",
            "X-Forwarded-For: 127.0.0.1", "Client-IP: 192.0.2.1", "X-Client-IP: 192.0.2.1",
            "X-Cluster-Client-IP: 192.0.2.1",
            "CDN-Loop: a", "X-Host: a", "X-ProxyUser-IP: 192.0.2.1", "X-Remote-IP: 192.0.2.1",
            "X-Remote-Addr: 192.0.2.1",
            "X-Original-URL: /", "Fly-Client-IP: 192.0.2.1", "Fastly-Client-IP: 192.0.2.1",
        ])
    func proxies(field: String) throws {
        let head = try Self.head("/graphql", ["Host: localhost", field])
        #expect(!RequestOrigin.isThisMachine(head, from: Self.loopback))
    }

    @Test(
        "fields that only look like those of a proxy do no harm", arguments: ["Viable: x", "X-Forward: x", "X-Real: x"])
    func others(field: String) throws {
        #expect(
            RequestOrigin.isThisMachine(try Self.head("/graphql", ["Host: localhost", field]), from: Self.loopback))
    }
}
