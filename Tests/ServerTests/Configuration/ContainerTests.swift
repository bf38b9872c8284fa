import Foundation
import Network
import Testing

@testable import Server

/// What the files that describe containers set. There is no container here, so what they say is read as it stands.
@Suite("In a container")
struct ContainerTests {
    private static let root = #filePath.split(separator: "/").prefix { $0 != "Tests" }.map { "/" + $0 }.joined()

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8)
    }

    /// The variables of the image.
    private static func imageEnvironment() throws -> [String: String] {
        let found = try text("Dockerfile").matches(of: /(HOMEPORT_[A-Z_]+)=([^ \n]+)/)
        return Dictionary(found.map { (String($0.1), String($0.2)) }, uniquingKeysWith: { $1 })
    }

    /// The variables of the service, without those whose values are asked for.
    private static func serviceEnvironment() throws -> [String: String] {
        let found = try text("docker-compose.yml").matches(of: /\n +(HOMEPORT_[A-Z_]+): ([^\n]+)/)
        return Dictionary(found.map { (String($0.1), String($0.2)) }, uniquingKeysWith: { $1 })
    }

    @Test("other services reach the server by its name, and strangers do not")
    func otherServices() throws {
        let compose = try Self.text("docker-compose.yml")
        let service = try #require(compose.firstMatch(of: /services:\n  ([a-z]+):/)?.1)
        let image = try Self.imageEnvironment()
        for extra in [[:], try Self.serviceEnvironment()] {
            var environment = image.merging(extra) { $1 }
            environment["HOMEPORT_AUTH_API_KEYS"] = #"[{"key": "da2-of-these-tests"}]"#
            environment["HOMEPORT_CONFIG"] = nil
            let configuration = try ConfigurationResolver.resolve(environment: environment).configuration
            let everywhere = try #require(SocketAddress(numeric: "0.0.0.0", port: 20002))
            let hosts = HostCheck(allowedHosts: configuration.allowedHosts, boundTo: [everywhere])
            #expect(hosts.accepts("\(service):20002"))
            #expect(hosts.accepts("host.docker.internal:20002") && hosts.accepts("172.18.0.2:20002"))
            #expect(!hosts.accepts("evil.example") && !hosts.accepts("\(service).evil.example"))
            #expect(configuration.data == "/data")
        }
    }

    @Test("a node whose clock is far off is not ready, and says how far that is")
    func clocks() {
        for lead in [0, 1_500, -4_999, 5_000] as [Int64] {
            #expect(ServedNodes.obstacle(isMember: true, leadMilliseconds: lead) == nil)
        }
        let rows: [(Bool, Int64, String)] = [
            (true, 6_240, "its clock is 6.2 s ahead of the database's"),
            (true, -10_000, "its clock is 10.0 s behind the database's"),
            (true, .min, "its clock is 9223372036854775.8 s behind the database's"),
            (false, 0, "it is not one of the nodes any more"),
        ]
        for (isMember, lead, text) in rows {
            #expect(ServedNodes.obstacle(isMember: isMember, leadMilliseconds: lead) == text)
        }
    }

    @Test("two servers behind a balancer are set up alike, as docs/scaling.md wants it")
    func scale() throws {
        let compose = try Self.text("docker-compose.scale.yml")
        let set = compose.matches(of: /\n +(HOMEPORT_[A-Z_]+): ([^\n]+)/).map { (String($0.1), String($0.2)) }
        var environment = try Self.imageEnvironment().merging(set) { $1 }
        environment = environment.mapValues { value in
            value.trimmingCharacters(in: CharacterSet(charactersIn: "'\""))
                .replacing(/\$\{HOMEPORT_API_KEY[^}]*\}/, with: "da2-of-these-tests")
        }
        environment["HOMEPORT_CONFIG"] = nil
        let resolution = try ConfigurationResolver.resolve(environment: environment)
        try NodeCheck.check(resolution)
        let configuration = resolution.configuration
        #expect(configuration.hasNodes && configuration.database.isOnServer)
        #expect(configuration.files.sharedFolder == "/files")
        #expect(compose.matches(of: /- files:\/files/).count == 3)
        for node in ["node-1", "node-2"] {
            #expect(compose.contains("- \(node):/data"))
            #expect(try Self.text("config/nginx-scale.conf").contains("server \(node):20002 "))
        }
        let everywhere = try #require(SocketAddress(numeric: "0.0.0.0", port: 20002))
        let hosts = HostCheck(allowedHosts: configuration.allowedHosts, boundTo: [everywhere])
        #expect(hosts.accepts("localhost:20002") && hosts.accepts("homeport:20002") && !hosts.accepts("evil.example"))
    }

    @Test("whether the server is well can be asked there without its configuration")
    func health() throws {
        var image = try Self.imageEnvironment()
        image["HOMEPORT_AUTH_API_KEYS"] = "[{}]"
        #expect(throws: ConfigurationError.self) { try ConfigurationResolver.resolve(environment: image) }
        let resolution = try ConfigurationResolver.resolve(environment: image, wanted: HealthCommand.keys)
        #expect(resolution.configuration.listeners.map(\.description) == ["0.0.0.0:20002"])
        #expect(try Self.text("Dockerfile").contains(#"CMD ["homeport", "health"]"#))
    }
}
