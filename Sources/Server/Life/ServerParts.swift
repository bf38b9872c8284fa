import Access
import Blueprint
import Network

/// What a server has whatever its schema's API says: it can be made while that is.
struct ServerParts: Sendable {
    let tls: ReloadableTLSContext?
    /// One for each loop.
    let authenticators: [Authenticator]
    let loops: EventLoopGroup

    init(
        _ configuration: Configuration, modes: [AuthMode], loops count: Int, _ log: Log
    ) throws(StartError) {
        tls = try ServerCertificate.context(for: configuration, log)
        let settings = CredentialSettings(configuration, modes: modes)
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
