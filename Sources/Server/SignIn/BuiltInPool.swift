import Access
import Store
import UserPool

/// The user pool that is built in, as the configuration wants it.
enum BuiltInPool {
    /// What it is called; nil where the API's user pool is somebody else's.
    static func identifiers(of configuration: Configuration) throws(StartError) -> PoolIdentifiers? {
        guard configuration.auth.userPools.issuer == nil else { return nil }
        do throws(PoolFile.Failure) {
            return try PoolFile.identifiers(of: configuration)
        } catch {
            throw StartError(.unwritableOutput, error.message)
        }
    }

    /// The pool. Nothing of it is made before somebody calls it.
    static func open(
        _ configuration: Configuration, _ identifiers: PoolIdentifiers?, over store: Store, _ log: Log
    ) -> UserPool? {
        guard let identifiers else { return nil }
        let folder = configuration.data
        return UserPool(
            identifiers, configuration.signIn.pool, over: store,
            keys: {
                do throws(LocalKeys.Failure) {
                    return try LocalKeys.keys(in: folder)
                } catch {
                    log.error("tokens cannot be signed: \(error.message)")
                    return nil
                }
            }, report: { log.warning("sign-in: \($0)") })
    }
}

extension Configuration {
    /// An address by which this machine's clients can call the server.
    var ownAddress: String {
        let listener = listeners[0]
        let host = listener.isUnspecified ? "localhost" : listener.host
        let shown = host.contains(":") ? "[\(host)]" : host
        return "\(tls == nil ? "http" : "https")://\(shown):\(listener.port)"
    }
}
