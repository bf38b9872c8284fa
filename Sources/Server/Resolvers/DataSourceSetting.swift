import Engine
import JSON

/// What a resolver of the app's own works on, as it is configured: one of these.
package struct DataSourceSetting: Sendable, Equatable {
    /// The name of a table.
    package var table: String?
    /// A model, for its table.
    package var model: String?
    /// Where a service is called over HTTP.
    package var endpoint: String?
    /// A name of `functions`.
    package var function: String?
    package var eventBus: String?
    /// Where OpenSearch is.
    package var search: String?
    /// A database of its own, which nobody here has.
    package var isDatabase = false
    /// What requests to it are signed for.
    package var signingService: String?
    package var signingRegion: String?
}

extension DataSourceSetting: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard value.object != nil else { return nil }
        self.init()
        table = value["table"]?.string
        model = value["model"]?.string
        endpoint = value["endpoint"]?.string
        function = value["function"]?.string
        eventBus = value["eventBus"]?.string
        search = value["openSearch"]?.string
        isDatabase = value["database"]?.bool ?? false
        signingService = value["signingService"]?.string
        signingRegion = value["signingRegion"]?.string
    }

    private var signing: ResolverSource.Signing? {
        signingService.map { ResolverSource.Signing(service: $0, region: signingRegion ?? "us-east-1") }
    }

    /// What it is for resolvers.
    ///
    /// - Parameters:
    ///   - name: what it is called.
    ///   - model: the table of a model; nil: there is none.
    func source(named name: String, ofModel: (String) -> ResolverSource?) -> ResolverSource {
        if let model { return ofModel(model) ?? .unserved("there is no model \(model), whose table '\(name)' is") }
        if let table { return .table(table, isVersioned: false) }
        if let endpoint { return .http(endpoint: endpoint, signing: signing) }
        if let function { return .function(function) }
        if let eventBus { return .events(bus: eventBus) }
        if let search { return .search(endpoint: search, signing: signing) }
        if isDatabase {
            return .unserved("the data source '\(name)' is a database of its own, which this server has no way to ask")
        }
        return .unserved(
            "where the data source '\(name)' is is not known: say it by \"resolvers\": {\"dataSources\": {\"\(name)\": "
                + "{\"openSearch\": \"http://127.0.0.1:9200\"}}} or the like in the configuration")
    }
}

/// The resolvers of the app's own, as they are configured.
package struct ResolverSettings: Sendable, Equatable {
    package var sources: [String: DataSourceSetting] = [:]
    /// What handlers find in `ctx.env`.
    package var environment: [String: String] = [:]
    /// Where hosts are that the app calls by other addresses: `https://api.example.com` to `http://127.0.0.1:9000`.
    package var endpoints: [String: String] = [:]
}
