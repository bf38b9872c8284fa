import Access
import Blueprint
import JSON
import UserPool

/// Makes who recognises callers in the modes of a schema: one for each loop, all with one memory of what authorizers have said.
struct CallerRecognition: Sendable {
    @Boxed private(set) var configuration: Configuration
    let pool: PoolIdentifiers?
    let loops: Int
    let log: Log
    private let memory: AuthorizerMemory

    init(_ configuration: Configuration, _ pool: PoolIdentifiers?, loops: Int, _ log: Log) {
        self.init(configuration, pool, loops: loops, AuthorizerMemory(), log)
    }

    private init(
        _ configuration: Configuration, _ pool: PoolIdentifiers?, loops: Int, _ memory: AuthorizerMemory, _ log: Log
    ) {
        self.configuration = configuration
        self.pool = pool
        self.loops = loops
        self.memory = memory
        self.log = log
    }

    /// The same by another configuration. What authorizers have said is remembered on.
    func following(_ configuration: Configuration) -> CallerRecognition {
        CallerRecognition(configuration, pool, loops: loops, memory, log)
    }

    /// The same for channels: what authorizers have said about those is remembered by itself.
    var forChannels: CallerRecognition {
        CallerRecognition(configuration, pool, loops: loops, AuthorizerMemory(), log)
    }

    func authenticators(for modes: [AuthMode]) throws(StartError) -> [Authenticator] {
        let settings = CredentialSettings(configuration, modes: modes, pool: pool)
        do {
            return try (0..<loops).map { _ in
                try Authenticator(settings, sharing: memory, report: { [log] in log.warning($0) })
            }
        } catch {
            throw StartError(.configuration, "a regular expression under auth is none: \(error)")
        }
    }
}
