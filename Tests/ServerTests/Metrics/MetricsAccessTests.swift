import Foundation
import Network
import TestSupport
import Testing

@testable import Server

@Suite("Who may read the metrics")
struct MetricsAccessTests {
    private static let token = "abcdefghijklmnop"
    private static let loopback = SocketAddress.loopback(port: 50_000)

    private static func access(
        token: String? = nil, addresses: [String] = [], proxies: [String] = []
    ) -> MetricsAccess {
        var settings = MetricsSettings()
        settings.token = token
        settings.addresses = addresses.compactMap { AddressRange($0) }
        return MetricsAccess(settings, Forwarding(proxies.compactMap { AddressRange($0) }))
    }

    private static func head(_ fields: [String] = [], host: String = "api.example.com") throws -> HTTPRequestHead {
        try .read("GET /metrics", ["Host: \(host)"] + fields)
    }

    @Test("this machine may, and nobody who comes through a proxy or from elsewhere")
    func thisMachine() throws {
        let access = Self.access()
        let far = try #require(SocketAddress(numeric: "10.0.0.9", port: 1))
        #expect(access.allows(try Self.head(host: "localhost"), from: Self.loopback))
        #expect(!access.allows(try Self.head(["X-Forwarded-For: 10.1.1.1"], host: "localhost"), from: Self.loopback))
        #expect(!access.allows(try Self.head(), from: Self.loopback))
        #expect(!access.allows(try Self.head(host: "localhost"), from: far))
    }

    @Test("the token is valid from anywhere, and nothing that is like it")
    func tokens() throws {
        let access = Self.access(token: Self.token)
        let far = try #require(SocketAddress(numeric: "10.0.0.9", port: 1))
        #expect(access.allows(try Self.head(["Authorization: Bearer \(Self.token)"]), from: far))
        for shown in ["", Self.token, "bearer \(Self.token)", "Bearer \(Self.token)x", "Bearer abc", "Bearer"] {
            #expect(!access.allows(try Self.head(["Authorization: \(shown)"]), from: far), "\(shown)")
        }
        #expect(!Self.access().allows(try Self.head(["Authorization: Bearer "]), from: far))
    }

    @Test("addresses count for who calls directly, or through a configured proxy")
    func addresses() throws {
        let access = Self.access(addresses: ["10.0.0.0/24"], proxies: ["10.9.9.9"])
        let scraper = try #require(SocketAddress(numeric: "10.0.0.9", port: 1))
        let proxy = try #require(SocketAddress(numeric: "10.9.9.9", port: 1))
        #expect(access.allows(try Self.head(), from: scraper))
        // The scraper's own address may be that of a proxy that nobody has configured.
        #expect(!access.allows(try Self.head(["X-Forwarded-For: 192.0.2.1"]), from: scraper))
        #expect(access.allows(try Self.head(["X-Forwarded-For: 10.0.0.7"]), from: proxy))
        #expect(!access.allows(try Self.head(["X-Forwarded-For: 10.0.0.7, 192.0.2.1"]), from: proxy))
        #expect(!access.allows(try Self.head(), from: proxy))
    }
}

@Suite("The dashboard")
struct DashboardTests {
    @Test("asks for metrics that there are")
    func metrics() throws {
        let health = ServerHealth(database: "/tmp", files: "/tmp", makesBackups: true)
        health.note { $0.lastBackup = 1 }
        let text = Metrics(routes: ["/"], loops: 1).text(health: health)
        let dashboard = try String(contentsOfFile: RepositoryFile.path("config/grafana.json"), encoding: .utf8)
        let names = dashboard.matches(of: /(homeport|process)_[a-z_]+/).map { String($0.0) }
        #expect(names.count > 10)
        for name in names {
            let metric = name.hasSuffix("_bucket") ? String(name.dropLast("_bucket".count)) : name
            #expect(text.contains("\n# TYPE \(metric) "), "\(name)")
        }
    }
}
