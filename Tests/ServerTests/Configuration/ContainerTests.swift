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
