import Access
import JSON
import Network
import Store
import UserPool

/// The user pool that is built in, as the configuration wants it.
enum BuiltInPool {
    /// Its name; nil where the API's user pool is somewhere else.
    static func identifiers(of configuration: Configuration) throws(StartError) -> PoolIdentifiers? {
        guard configuration.auth.userPools.issuer == nil else { return nil }
        if let fault = fault(of: configuration) { throw StartError(.configuration, fault) }
        do throws(PoolFile.Failure) {
            return try PoolFile.identifiers(of: configuration)
        } catch {
            throw StartError(error.code, error.message)
        }
    }

    /// The reason why its settings cannot be served; nil: they can.
    static func fault(of configuration: Configuration) -> String? {
        if let fault = faultOfTriggers(configuration) { return fault }
        do throws(ProviderSetting.Fault) {
            _ = try configuration.identityProviders()
            return nil
        } catch {
            return error.message
        }
    }

    /// The clients of the configuration, or else those of the project.
    static func clients(of configuration: Configuration, _ identifiers: PoolIdentifiers) -> [AppClient] {
        let set = configuration.signIn.pool.clients.map { client in
            guard let app = configuration.signIn.app else { return client }
            var client = client
            if !client.saysFlows { client.flows = app.flows }
            client.writeAttributes = client.writeAttributes ?? app.writeAttributes
            client.readAttributes = client.readAttributes ?? app.readAttributes
            return client
        }
        guard set.isEmpty, var app = configuration.signIn.app else { return set }
        app.id = identifiers.clientID
        guard configuration.signIn.hasNativeClient, let own = try? PoolFile.nativeClient(of: configuration) else {
            return [app]
        }
        var native = app
        (native.id, native.secret) = (own.id, own.secret)
        return [app, native]
    }

    /// The URLs of the triggers' functions. What is set has been checked.
    private static func triggers(of configuration: Configuration) -> [PoolTrigger: String] {
        var urls: [PoolTrigger: String] = [:]
        for trigger in PoolTrigger.allCases {
            guard let place = configuration.signIn.triggers[trigger.rawValue] else { continue }
            urls[trigger] = configuration.engine.functions[place] ?? place
        }
        return urls
    }

    /// Says which trigger names nothing that can be called.
    static func faultOfTriggers(_ configuration: Configuration) -> String? {
        for (name, place) in configuration.signIn.triggers.sorted(by: { $0.key < $1.key }) {
            let isURL = place.hasPrefix("http://") || place.hasPrefix("https://")
            guard !isURL, configuration.engine.functions[place] == nil else { continue }
            return "auth.pool.triggers.\(name): there is no function \(place); name one of functions, or a URL"
        }
        return nil
    }

    /// How it behaves, with all that a configuration says elsewhere.
    static func settings(
        _ configuration: Configuration, _ identifiers: PoolIdentifiers, groupsWithRoles: Set<ByteText>
    ) -> PoolSettings {
        var settings = configuration.signIn.pool
        settings.triggers.urls = triggers(of: configuration)
        // They have been checked before anything was opened.
        settings.providers = (try? configuration.identityProviders()) ?? []
        settings.groupsWithRoles = groupsWithRoles
        settings.clients = clients(of: configuration, identifiers)
        if settings.issuer == cognitoIssuer {
            settings.issuer = "https://cognito-idp.\(identifiers.region).amazonaws.com/\(identifiers.userPoolID)"
        }
        return settings
    }

    /// The word of a configuration for the issuer that Cognito itself would name in this pool's tokens.
    private static let cognitoIssuer = "cognito"

    /// The pool. Nothing of it is made before somebody calls it.
    ///
    /// - Parameter loop: where its keys are copied into the database when they are new.
    static func open(
        _ configuration: Configuration, _ identifiers: PoolIdentifiers?, over store: Store,
        groupsWithRoles: Set<ByteText> = [], on loop: EventLoop, _ log: Log
    ) -> UserPool? {
        guard let identifiers else { return nil }
        let folder = configuration.data
        let settings = settings(configuration, identifiers, groupsWithRoles: groupsWithRoles)
        for provider in settings.providers where provider.isStandIn {
            log.info("sign-in with \(provider.name) is a page on this machine, which believes whoever asks")
        }
        return UserPool(
            identifiers, settings, over: store,
            keys: {
                do throws(LocalKeys.Failure) {
                    let keys = try LocalKeys.keys(in: folder)
                    // Not on threads that the process has for nothing else.
                    Task(executorPreference: loop) { await KeptFiles.keep(configuration, identifiers, in: store, log) }
                    return keys
                } catch {
                    log.error("tokens cannot be signed: \(error.message)")
                    return nil
                }
            }, keyMark: { LocalKeys.mark(in: folder) }, report: { log.warning("sign-in: \($0)") })
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
