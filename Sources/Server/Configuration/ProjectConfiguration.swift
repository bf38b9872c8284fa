import Blueprint
import Glibc
import JSON
import Project

/// The settings that a project gives for keys of the configuration. Settings of the configuration take precedence.
///
///     amplify/backend.ts          what a project of Gen 2 makes: functions, queues, rules, machines, channels, data sources
///     amplify/backend/            the folders of a project of Gen 1
struct ProjectConfiguration {
    typealias Named<Setting> = [(name: String, setting: Setting)]

    private(set) var functions: Named<FunctionSetting> = []
    private(set) var queues: Named<QueueSetting> = []
    private(set) var rules: Named<EventRuleSetting> = []
    private(set) var stateMachines: Named<WorkflowSetting> = []
    /// Its namespaces of channels; nil: it has no API of channels.
    private(set) var channels: Named<NamespaceSetting>?
    /// The data sources of its resolvers, and their variables.
    private(set) var dataSources: Named<DataSourceSetting> = []
    private(set) var environment: Named<String> = []
    /// The tables that it makes beside those of its models.
    private(set) var tables: [TableResource] = []
    /// The fields of its models that say when a record is to go.
    private(set) var expiries: [ModelExpiry] = []
    /// The project's values for other keys.
    private(set) var values: [ProjectValue] = []
    /// The parts that are left out, and why.
    var warnings: [String] = []
    /// The file or folder that says it.
    let file: String

    init(_ project: Project) {
        switch project.generation {
        case .none: file = ""
        case .version2:
            file = Self.backendFile(in: project.folder)
            take(project)
        case .version1(let own):
            file = "\(ProjectLayout.shortened(project.folder))/\(Version1Project.functionFolder)"
            take(own, of: project)
        }
        tables = project.tables
        if let authorizer = project.authorizer, let name = authorizer.function.givenName {
            setAuthorizer(name, seconds: authorizer.cacheSeconds)
        }
    }

    private static func backendFile(in folder: String) -> String {
        let file = "\(folder)/backend.ts"
        return access(file, F_OK) == 0 ? file : folder
    }

    private mutating func take(_ reading: Project) {
        for function in reading.functions { add(function, of: reading) }
        if !reading.eventBuses.isEmpty {
            say("events.buses", \.eventBuses, reading.eventBuses)
        }
        rules = reading.rules.map { ($0.name, EventRuleSetting($0)) }
        stateMachines = reading.stateMachines.map { ($0.name, WorkflowSetting($0)) }
        for source in reading.dataSources { add(source, isWhole: reading.isWhole) }
        if let api = reading.eventAPI { take(api) }
        if reading.hidesSchema { hideSchema(file) }
        expiries = reading.expiries
        for variable in reading.environment {
            if case .text(let text) = variable.value { environment.append((variable.name, text)) }
        }
        queues = reading.queues.map { ($0.name, QueueSetting($0)) }
    }

    private mutating func take(_ own: Version1Project, of project: Project) {
        for function in own.functions { add(function, of: own, in: project.folder) }
        if project.hidesSchema { hideSchema(ProjectLayout.shortened("\(project.folder)/api")) }
        if let api = own.api {
            let stacks = ProjectHandlers.stacks(of: "\(project.folder)/api/\(api)", environment: own.environment)
            for source in stacks.dataSources { add(source) }
        }
        for api in own.restAPIs {
            for (path, function) in api.paths { setPath(path, of: function) }
        }
    }

    private mutating func add(_ source: DataSourceResource, isWhole: Bool = true) {
        var source = source
        if !isWhole { source.grants.add(unread: "\(file), which is not there or cannot be run to its end") }
        dataSources.removeAll { $0.name == source.name }
        dataSources.append((source.name, DataSourceSetting(source)))
    }

    private mutating func say<Value: ConfigurationValue>(
        _ path: String, _ field: any WritableKeyPath<Configuration, Value> & Sendable, _ value: Value
    ) { values.append(ProjectValue(path, field, value, from: file)) }

    private mutating func hideSchema(_ file: String) {
        values.append(ProjectValue("introspection", \.engine.allowsIntrospection, false, from: file))
    }

    private mutating func take(_ api: EventAPIResource) {
        func say(
            _ name: String, _ field: any WritableKeyPath<Configuration, [AuthMode]?> & Sendable, _ modes: [String]?
        ) {
            if let modes { self.say("eventApi.\(name)", field, modes.compactMap(AuthMode.init)) }
        }
        say("connect", \.eventAPI.connect, api.connect)
        say("publish", \.eventAPI.publish, api.publish)
        say("subscribe", \.eventAPI.subscribe, api.subscribe)
        let functions = Dictionary(
            texts: dataSources.compactMap { source in source.setting.function.map { (source.name, $0) } },
            uniquingKeysWith: { $1 })
        channels = api.namespaces.map { ($0.name, NamespaceSetting($0, functions: functions)) }
    }

    // MARK: Functions

    /// Takes one in, unless there is another of its name.
    mutating func add(_ name: String, _ setting: FunctionSetting, from place: String) {
        guard !functions.contains(where: { $0.name == name }) else {
            warnings.append(
                "two functions of the project are called \(name), and the one of \(place) is left out: give each a name"
            )
            return
        }
        functions.append((name, setting))
    }

    /// The place of a function, by any of its names.
    private func place(of name: String) -> Int? {
        functions.firstIndex { $0.name == name || $0.setting.otherNames.contains(name) }
    }

    private mutating func setAuthorizer(_ name: String, seconds: Int?) {
        guard place(of: name) != nil else { return }
        say("auth.lambda.url", \.auth.authorizerURL, name)
        if let seconds { say("auth.lambda.ttl", \.auth.authorizerCacheSeconds, Int64(seconds)) }
    }

    private mutating func setPath(_ path: RestPath, of name: String) {
        guard let place = place(of: name) else {
            warnings.append("nobody answers at \(path.path) of the API \(path.api): there is no function \(name)")
            return
        }
        functions[place].setting.rest.append(path)
    }
}
