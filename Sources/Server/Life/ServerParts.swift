import Access
import Blueprint
import Network
import UserPool

/// What a server has whatever its schema's API says: it can be made while that is.
struct ServerParts: Sendable {
    let tls: ReloadableTLSContext?
    /// One for each loop.
    let authenticators: [Authenticator]
    let loops: EventLoopGroup
    /// What the built-in user pool is called; nil where the pool is somebody else's.
    let pool: PoolIdentifiers?

    init(
        _ configuration: Configuration, modes: [AuthMode], loops count: Int, _ log: Log
    ) throws(StartError) {
        tls = try ServerCertificate.context(for: configuration, log)
        pool = try BuiltInPool.identifiers(of: configuration)
        let settings = CredentialSettings(configuration, modes: modes, pool: pool)
        do {
            let memory = AuthorizerMemory()
            authenticators = try (0..<count).map { _ in
                try Authenticator(settings, sharing: memory, report: { log.warning($0) })
            }
        } catch {
            throw StartError(.configuration, "a regular expression under auth is none: \(error)")
        }
        // Last, since they are threads, which somebody must stop.
        do throws(SystemError) { loops = try EventLoopGroup(count: count) } catch {
            throw StartError(threads: error)
        }
    }
}
