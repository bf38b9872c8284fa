import Blueprint
import GraphQL
import Project
import Script

/// The data sources of an API that a run of a project's programs finds:
///
///     backend.data.addHttpDataSource('name', 'https://…', { authorizationConfig: {…} })
///     backend.data.resources.graphqlApi.addDynamoDbDataSource('name', table)
///     new CfnDataSource(scope, 'id', { name: 'name', type: 'HTTP', … })
///     backend.data.resources.cfnResources.cfnGraphqlApi.environmentVariables = {…}
final class DataSourceRun {
    private var added: [DataSourceResource] = []
    /// The tables that it makes, whether resolvers work on them or not.
    let tables = OwnTableRun()
    /// What handlers find in `ctx.env`.
    private(set) var environment: [FunctionVariable] = []
    /// True if the API tells nobody its schema.
    private(set) var hidesSchema = false
    /// The value of `introspectionConfig` then.
    static let hidden = "DISABLED"
    /// The part of the API whose `environmentVariables` are set.
    private var resource: OpaqueObject?
    /// The names of models that have tables.
    private var models: [String] = []
    /// The tables that it refers to by their names.
    private var referred: [(name: String, position: Position)] = []
    /// The tables of models, whose `timeToLiveAttribute` may be set.
    private var modelTables: [(model: String, table: OpaqueObject)] = []
    /// The fields of models that say when a record is to go.
    private(set) var expiries: [ModelExpiry] = []
    private static let countMax = 1_000
    private static let variables = "environmentVariables"
    private static let deployedParts = [
        "cfnResolvers", "cfnFunctionConfigurations", "cfnFunctions", "cfnDataSources", "cfnRoles",
        "additionalCfnResources",
    ]

    /// What resolvers work on. A table is what it has come to be when the program has ended.
    var sources: [DataSourceResource] {
        added.map { source in
            guard case .table(let table) = source.kind, let made = tables.tables.first(where: { $0.name == table.name })
            else {
                return source
            }
            return DataSourceResource(source.name, .table(made), grants: source.grants)
        }
    }

    func forgetObjects() {
        tables.forgetObjects()
        resource = nil
        modelTables = []
    }

    /// What programs see of the API.
    func data(_ key: String, _ made: DataBuilder, _ realm: Realm) -> ProgramValue {
        let data = OpaqueObject(realm, origin: "backend.\(key)")
        let resources = OpaqueObject(realm, origin: "backend.\(key).resources")
        let api = OpaqueObject(realm, origin: "backend.\(key).resources.graphqlApi")
        let parts = OpaqueObject(realm, origin: "backend.\(key).resources.cfnResources")
        let resource = OpaqueObject(realm, origin: "backend.\(key).resources.cfnResources.cfnGraphqlApi")
        data.put("resources", .object(resources))
        resources.put("graphqlApi", .object(api))
        resources.put("cfnResources", .object(parts))
        parts.put("cfnGraphqlApi", .object(resource))
        self.resource = resource
        models = made.options.modelNames
        let tables = [
            resources.putMember("tables"), parts.putMember("amplifyDynamoDbTables"), parts.putMember("cfnTables"),
        ]
        for table in tables {
            for model in models { table.putMember(model) }
            table.isListed = !models.isEmpty
        }
        // What a deployment makes of the API beside tables: nothing here stands for it, so that a program that goes through all of it finds none.
        for part in [resources.putMember("functions"), resources.putMember("nestedStacks")] { part.isListed = true }
        for name in Self.deployedParts { parts.putMember(name).isListed = true }
        modelTables = models.compactMap { model in
            guard case .object(let table)? = try? tables[1].get(model) else { return nil }
            return (table as? OpaqueObject).map { (model, $0) }
        }
        for object in [data, api] {
            for method in Method.allCases {
                let origin = "\(object.origin).\(method.rawValue)()"
                object.put(
                    method.rawValue,
                    .object(
                        realm.function(method.rawValue, length: 2) { call throws(Thrown) in
                            let run = try ProgramRun.of(call.realm)
                            let made = OpaqueObject(call.realm, origin: origin)
                            if let signIn = run.signIn {
                                signIn.dataSources.add(method, call.arguments, as: made, signIn)
                            }
                            return .object(made)
                        }))
            }
        }
        return .object(data)
    }

    /// Reads what was set at last.
    func settle(_ run: ProgramRun) {
        for (name, position) in referred where !self.tables.tables.contains(where: { $0.name == name }) {
            self.tables.note(
                "the project makes no table \(name), so what works on it fails with ResourceNotFoundException until there is one",
                at: position)
        }
        for (model, table) in modelTables {
            // `{ attributeName: 'expiresAt', enabled: true }`
            guard let written = table.plain("timeToLiveAttribute"),
                let field = Self.text(written, "attributeName"), case .boolean(true)? = try? written.get("enabled")
            else { continue }
            expiries.append(ModelExpiry(model: model, field: field))
        }
        guard let resource else { return }
        hidesSchema = Self.text(resource, "introspectionConfig") == Self.hidden
        guard let object = resource.plain(Self.variables) else { return }
        for name in (try? object.enumerableKeys()) ?? [] {
            guard environment.count < Self.countMax, let value = try? object.get(name) else { return }
            environment.append(
                FunctionVariable(name: resource.realm.describe(name), value: run.environmentValue(value)))
        }
    }

    private enum Method: String, CaseIterable {
        case table = "addDynamoDbDataSource"
        case http = "addHttpDataSource"
        case function = "addLambdaDataSource"
        case events = "addEventBridgeDataSource"
        case search = "addOpenSearchDataSource"
        case elasticsearch = "addElasticsearchDataSource"
        case database = "addRdsDataSource"
        case serverless = "addRdsDataSourceV2"
        case none = "addNoneDataSource"
    }

    /// The name of a data source that a call of that method makes; nil: it makes none.
    func add(
        _ method: String, _ given: [ProgramValue], as object: OpaqueObject, _ signIn: SignInRun
    ) -> String? {
        guard let method = Method(rawValue: method), case .text(let name)? = given.first else { return nil }
        add(method, given, as: object, signIn)
        return name.string
    }

    /// - Parameter object: stands for it in the program.
    private func add(
        _ method: Method, _ given: [ProgramValue], as object: OpaqueObject, _ signIn: SignInRun
    ) {
        guard case .text(let name)? = given.first else { return }
        signIn.grants.knows(object, asSource: name.string)
        let value = given.count > 1 ? given[1] : .undefined
        let options = given.count > 2 ? given[2].plain : nil
        let kind: DataSourceResource.Kind? =
            switch method {
            case .table: table(value)
            case .http:
                Self.text(value).map { endpoint in
                    .http(
                        endpoint: endpoint,
                        signing: Self.signing(options.flatMap { $0.plain("authorizationConfig") }))
                }
            case .function: signIn.functions.name(ofFunction: value).map { .function($0) }
            case .events: .events(bus: signIn.messaging.bus(value) ?? Self.usualBus)
            case .search, .elasticsearch: .search(endpoint: nil)
            case .database, .serverless: .database
            case .none: DataSourceResource.Kind.none
            }
        if let kind { add(DataSourceResource(name.string, kind)) }
    }

    private static let usualBus = "default"

    /// Takes what the roles of data sources are given.
    func take(_ grants: [(source: String, grants: FunctionGrants)]) {
        for (name, given) in grants {
            guard let place = added.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { continue }
            added[place].grants.add(given)
        }
    }

    private func add(_ source: DataSourceResource) {
        guard added.count < Self.countMax else { return }
        added.removeAll { $0.name == source.name }
        added.append(source)
    }

    // MARK: What programs make

    /// Returns whether `new X(...)` makes a data source, or a table.
    func takes(_ construct: NewConstruct, _ signIn: SignInRun) -> Bool {
        let (name, made) = (construct.name, construct.made)
        guard let options = construct.options else { return false }
        if construct.module.hasSuffix("aws-dynamodb") {
            switch name {
            case "Table", "TableV2": return tables.take(table: construct, options)
            case "CfnTable", "CfnGlobalTable": return tables.take(plainTable: construct, options)
            default: break
            }
        }
        guard construct.module.hasSuffix("aws-appsync") else { return false }
        if name == "CfnDataSource" { return take(part: options, as: made, signIn) }
        guard name.hasSuffix("DataSource"),
            let given = Self.text(options, "name") ?? Self.text(construct.arguments[1])
        else { return false }
        func value(_ name: String) -> ProgramValue { (try? options.get(name)) ?? .undefined }
        let source: DataSourceResource.Kind? =
            switch name {
            case "HttpDataSource":
                Self.text(options, "endpoint").map {
                    .http(endpoint: $0, signing: Self.signing(options.plain("authorizationConfig")))
                }
            case "DynamoDbDataSource": table(value("table"))
            case "LambdaDataSource": signIn.functions.name(ofFunction: value("lambdaFunction")).map { .function($0) }
            case "EventBridgeDataSource": .events(bus: signIn.messaging.bus(value("eventBus")) ?? Self.usualBus)
            case "NoneDataSource": DataSourceResource.Kind.none
            default: nil
            }
        guard let source else { return false }
        signIn.grants.knows(made, asSource: given, inRole: value("serviceRole"))
        add(DataSourceResource(given, source))
        return true
    }

    /// `new CfnDataSource(scope, id, { name, type, … })`
    private func take(part options: ScriptObject, as made: OpaqueObject, _ signIn: SignInRun) -> Bool {
        guard let name = Self.text(options, "name"), let type = Self.text(options, "type") else { return false }
        func part(_ name: String) -> ScriptObject? { options.plain(name) }
        func value(_ object: ScriptObject?, _ name: String) -> ProgramValue {
            object.flatMap { try? $0.get(name) } ?? .undefined
        }
        let kind: DataSourceResource.Kind? =
            switch type {
            case "HTTP":
                part("httpConfig").flatMap { http in
                    Self.text(http, "endpoint").map {
                        .http(endpoint: $0, signing: Self.signing(http.plain("authorizationConfig")))
                    }
                }
            case "AMAZON_DYNAMODB": table(value(part("dynamoDbConfig"), "tableName"))
            case "AWS_LAMBDA":
                signIn.functions.name(ofFunction: value(part("lambdaConfig"), "lambdaFunctionArn")).map {
                    .function($0)
                }
            case "AMAZON_EVENTBRIDGE":
                .events(
                    bus: signIn.messaging.bus(value(part("eventBridgeConfig"), "eventBusArn")) ?? Self.usualBus)
            case "AMAZON_OPENSEARCH_SERVICE", "AMAZON_ELASTICSEARCH": .search(endpoint: nil)
            case "RELATIONAL_DATABASE": .database
            case "AMAZON_BEDROCK_RUNTIME": .models
            case "NONE": DataSourceResource.Kind.none
            default: nil
            }
        guard let kind else { return false }
        signIn.grants.knows(made, asSource: name, inRole: value(options, "serviceRoleArn"))
        add(DataSourceResource(name, kind))
        return true
    }

    /// A table that is made here, that of a model, or one that is there already: `Table.fromTableName(scope, id, 'name')`.
    private func table(_ value: ProgramValue) -> DataSourceResource.Kind? {
        if case .text(let name) = value { return named(name.string, at: .none) }
        guard case .object(let object) = value else { return nil }
        if let name = tables.name(of: object) { return .table(TableResource(name)) }
        if let model = FunctionRun.model(ofTable: object) { return .model(model) }
        guard let opaque = object as? OpaqueObject, case .call(let given) = opaque.making,
            opaque.origin.contains(bytesOf: ".fromTable"), let name = given.last.flatMap(Self.text)
        else { return nil }
        return named(name.split(separator: "/").last.map(String.init) ?? name, at: OwnTableRun.position(opaque))
    }

    /// A table by its name: that of a model, or another.
    private func named(_ name: String, at position: Position) -> DataSourceResource.Kind {
        if let model = model(ofDeployedTable: name) { return .model(model) }
        if referred.count < Self.countMax { referred.append((name, position)) }
        return .table(TableResource(name))
    }

    /// The model of a table that has the name of a deployment, `Todo-abcdefghijklmnopqrstuvwxyz-NONE`: the model, the id of the API, and the
    /// name of the environment, which a sandbox has none of.
    func model(ofDeployedTable name: String) -> String? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == "NONE", parts[1].utf8.count == Self.apiLetters,
            parts[1].utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
        else { return nil }
        return models.first { $0 == String(parts[0]) }
    }

    private static let apiLetters = 26

    // MARK: Parts of values

    private static func signing(_ options: ScriptObject?) -> DataSourceResource.Signing? {
        guard let options else { return nil }
        let parts = options.plain("awsIamConfig") ?? options
        guard let service = text(parts, "signingServiceName") else { return nil }
        return DataSourceResource.Signing(service: service, region: text(parts, "signingRegion") ?? "us-east-1")
    }

    static func text(_ value: ProgramValue) -> String? {
        switch value {
        case .text(let text): text.string
        case .object(let object):
            // `https://bedrock-runtime.${stack.region}.amazonaws.com`
            if let opaque = object as? OpaqueObject, case .template(let texts, let values) = opaque.making {
                template(texts, values)
            } else {
                nil
            }
        default: nil
        }
    }

    /// A text with what is known only when the app is deployed: the region, which stands in the addresses of services.
    private static func template(_ texts: [String], _ values: [ProgramValue]) -> String? {
        var written = ""
        for (number, text) in texts.enumerated() {
            written += text
            guard number < values.count else { continue }
            switch values[number] {
            case .text(let value): written += value.string
            case .object(let value as OpaqueObject) where value.origin.hasSuffix(".region"): written += "us-east-1"
            default: return nil
            }
        }
        return written
    }

    static func text(_ object: ScriptObject, _ name: String) -> String? {
        (try? object.get(name)).flatMap(text)
    }
}
