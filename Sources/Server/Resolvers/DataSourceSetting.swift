import Access
import Blueprint
import Engine
import JSON
import Project

/// The data source of a resolver of the app's own, as it is configured: one of these.
package struct DataSourceSetting: Sendable, Equatable {
    /// The name of a table.
    package var table: String?
    /// A model, for its table.
    package var model: String?
    /// Where a service is called over HTTP.
    package var endpoint: String?
    /// A name of `functions`.
    package var function: String?
    /// How many invocations of it may go as one.
    package var batchMax: Int?
    package var eventBus: String?
    /// Where OpenSearch is.
    package var search: String?
    /// A relational database, wherever it is.
    package var isDatabase = false
    /// Where the Data API of one is, and what that wants to know of it.
    package var dataAPI: String?
    package var cluster: String?
    package var secret: String?
    package var databaseName: String?
    /// Language models.
    package var isModels = false
    /// Nothing: what is sent there is the result.
    package var isNone = false
    /// Of a table that is made here: `id`, or `at:N`.
    package var partitionKey: String?
    package var sortKey: String?
    /// Its indexes by name: `owner`, or `owner, at:N`.
    package var indexes: [String: String] = [:]
    /// The service that requests to it are signed for.
    package var signingService: String?
    package var signingRegion: String?
    /// The rights of its role beside those that a project gives it.
    package var policy: [FunctionSetting.Statement] = []
    /// What the project gives its role; nil: no project defines it.
    var grants: FunctionGrants?

    package init() {}

    /// True if something gives its role rights, or may do so.
    var hasRights: Bool { !policy.isEmpty || grants?.isEmpty == false }
}

extension DataSourceSetting: SettingObject {
    package static let members: [SettingMember<DataSourceSetting>] = [
        SettingMember("table", \.table),
        SettingMember("model", \.model),
        SettingMember("endpoint", \.endpoint),
        SettingMember("signingService", \.signingService),
        SettingMember("signingRegion", \.signingRegion),
        SettingMember("function", \.function),
        SettingMember("maxBatchSize", \.batchMax),
        SettingMember("eventBus", \.eventBus),
        SettingMember("openSearch", \.search),
        SettingMember("database", \.isDatabase),
        SettingMember("dataApi", \.dataAPI),
        SettingMember("cluster", \.cluster),
        SettingMember("secret", \.secret),
        SettingMember("databaseName", \.databaseName),
        SettingMember("models", \.isModels),
        SettingMember("none", \.isNone),
        SettingMember("partitionKey", \.partitionKey),
        SettingMember("sortKey", \.sortKey),
        SettingMember("indexes", \.indexes),
        SettingMember("policy", \.policy),
    ]

    /// A data source of a project.
    init(_ source: DataSourceResource) {
        grants = source.grants
        switch source.kind {
        case .model(let name): model = name
        // What it is like is said where it is made.
        case .table(let made): table = made.name
        case .http(let place, let signing):
            (endpoint, signingService, signingRegion) = (place, signing?.service, signing?.region)
        case .function(let name): function = name
        case .events(let bus): eventBus = bus
        case .search(let place): search = place
        case .database: isDatabase = true
        case .models: isModels = true
        case .none: isNone = true
        }
    }

    private func signing(by name: String) -> ResolverSource.Signing? {
        signingService.map {
            ResolverSource.Signing(service: $0, region: signingRegion ?? "us-east-1", source: name)
        }
    }

    /// The data source for resolvers.
    ///
    /// - Parameters:
    ///   - name: what it is called.
    ///   - model: the table of a model; nil: there is none.
    func source(named name: String, ofModel: (String) -> ResolverSource?) -> ResolverSource {
        if let model { return ofModel(model) ?? .unserved("there is no model \(model), whose table '\(name)' is") }
        if let table { return .table(table, isVersioned: false) }
        if let endpoint { return .http(endpoint: endpoint, signing: signing(by: name)) }
        if let function { return .function(function, batchMax: batchMax) }
        if let eventBus { return .events(bus: eventBus) }
        if let search { return .search(endpoint: search, signing: signing(by: name)) }
        if isModels { return .models }
        if isNone { return ResolverSource.none }
        if let dataAPI {
            return .database(
                ResolverSource.Database(
                    url: dataAPI, cluster: cluster ?? "", secret: secret ?? "", name: databaseName),
                signing: signing(by: name))
        }
        if isDatabase {
            return .unserved(
                "the data source '\(name)' is a relational database: say where its Data API is, by \"resolvers\": "
                    + "{\"dataSources\": {\"\(name)\": {\"dataApi\": \"http://127.0.0.1:8080\"}}} in the configuration")
        }
        return .unserved(
            "nobody says where the data source '\(name)' is: say it by \"resolvers\": {\"dataSources\": {\"\(name)\": "
                + "{\"openSearch\": \"http://127.0.0.1:9200\"}}} or the like in the configuration")
    }
}

/// The resolvers of the app's own, as they are configured.
package struct ResolverSettings: Sendable, Equatable {
    package var sources: [String: DataSourceSetting] = [:]
    /// The variables in `ctx.env`.
    package var environment: [String: String] = [:]
    /// Where hosts are that the app calls by other addresses: `https://api.example.com` to `http://127.0.0.1:9000`.
    package var endpoints: [String: String] = [:]

    /// Where the host of an address is; nil: there.
    func endpoint(for origin: String) -> String? { endpoints[origin] ?? endpoints[origin + "/"] }

    /// The tables that the project makes, whether resolvers work on them or not.
    package var projectTables: [TableResource] = []

    /// The tables of the project's own that are made here. What is set of one goes over what the project says of it.
    var tables: [TableResource] {
        let set = sources.sorted { $0.key < $1.key }.compactMap { $0.value.ownTable }
        return set
            + projectTables.filter { table in
                table.partition != nil && !set.contains { $0.name.utf8.elementsEqual(table.name.utf8) }
            }
    }
}

extension DataSourceSetting {
    /// The table that it is, where its key is known.
    fileprivate var ownTable: TableResource? {
        guard let table, let partitionKey else { return nil }
        var made = TableResource(table)
        made.partition = Self.part(partitionKey)
        made.sort = sortKey.map(Self.part)
        made.indexes = indexes.sorted { $0.key < $1.key }.compactMap { name, key in
            let parts = key.parts(separatedBy: ",").map(Self.part)
            return parts.first.map { TableResource.Index(name, partition: $0, sort: parts.count > 1 ? parts[1] : nil) }
        }
        return made
    }

    /// `at:N` is a number, `at` a text.
    private static func part(_ text: String) -> TableResource.Part {
        let parts = text.parts(separatedBy: ":").map { $0.trimmingBlanks }
        let type = parts.count > 1 && ["S", "N", "B"].contains(parts[1]) ? parts[1] : "S"
        return TableResource.Part(name: parts.first ?? "", type: type)
    }
}
