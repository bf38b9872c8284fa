import Blueprint
import JSON
import Network
import Project
import UserPool

/// The facts about a running server that no change of its project changes.
struct AnnouncedServer: Sendable {
    let addresses: [SocketAddress]
    /// Nil: the user pool is somebody else's.
    let pool: PoolIdentifiers?
    let isSecure: Bool
    let testKey: TestKey?
    let hasConsole: Bool
    let isWatching: Bool

    /// Its addresses without a path.
    var bases: [String] {
        let schemes = isSecure ? ["http", "https"] : ["http"]
        return addresses.flatMap { address in schemes.map { "\($0)://\(address.usable)" } }
    }

    /// The one that the console's address begins with. Browsers need not trust the certificate of the user to see it.
    func consoleBase(_ configuration: Configuration) -> String? {
        ServerCertificate.isOwn(of: configuration) ? bases.last : bases.first
    }

    /// - Parameters:
    ///   - place: where the schema is.
    ///   - console: where the console is, with what only a start knows; nil: at its usual place.
    func banner(
        _ configuration: Configuration, _ resources: Project?, _ blueprint: Blueprint, from place: String,
        elapsedMilliseconds: Double = 0, console: String? = nil
    ) -> Banner {
        let storage = configuration.files.buckets.isEmpty ? resources?.storage ?? .none : .none
        let path = blueprint.hasAPI ? Route.graphql.path : "/"
        return Banner(
            configuration, blueprint,
            Banner.Names(configuration, pool, try? FilesSettings(configuration, storage, pool)),
            from: place, urls: bases.map { $0 + path }, now: Timestamp.now.seconds,
            startMilliseconds: elapsedMilliseconds, testKey: testKey,
            console: hasConsole ? console ?? consoleBase(configuration).map { "\($0)/" } : nil,
            watching: isWatching ? .place(Self.watched(place)) : .nothing)
    }

    /// The folder of the project that a schema is in, or the schema.
    private static func watched(_ place: String) -> String {
        let parts = place.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = parts.lastIndex(of: "amplify") else { return place }
        return parts[...last].joined(separator: "/") + "/"
    }
}
