import JSON
import Project

/// The settings of a project, under those that are set.
extension ConfigurationResolver.Resolution {
    /// The same with a project, and with what that says where it can be read.
    func taking(_ project: FoundProject) -> Self {
        ((try? project.value.get()).map(taking) ?? self).holding(project)
    }

    /// The same with what a project says where nothing was set. What the keys do not take is left out, and told.
    func taking(_ resources: Project) -> Self {
        var result = self
        // A start without a project looks nothing up for it.
        switch resources.generation {
        case .none: break
        case .version1, .version2: result.take(ProjectConfiguration(resources))
        }
        // Triggers are called only where there are functions.
        let pool = ProjectPool(resources, result.configuration)
        result.warnings += pool.warnings
        result.take(pool.values)
        result.configuration.signIn.app = pool.app
        result.configuration.signIn.hasNativeClient = pool.hasNativeClient
        return result
    }

    private mutating func take(_ values: [ProjectValue]) {
        for said in values {
            guard let place = settings.firstIndex(where: { $0.key.path == said.path }),
                settings[place].origin == .standard
            else { continue }
            let key = settings[place].key
            var check = ConfigurationCheck(.project(said.file))
            let path = JSONPath(key.path.split(separator: ".").map { .key(String($0)) })
            guard let value = check.check(said.shown, key.kind, at: path) else {
                warnings += check.problems.map { "\($0), and is left out" }
                continue
            }
            settings[place].value = value
            settings[place].origin = .project(said.file)
            said.write(&configuration)
        }
    }

    /// What a project has under names. What is set under one of them is as it is set.
    private mutating func take<Value: ConfigurationValue>(
        _ said: ProjectConfiguration.Named<Value>, of key: String, from file: String,
        _ field: WritableKeyPath<Configuration, [String: Value]>
    ) {
        guard !said.isEmpty, let place = settings.firstIndex(where: { $0.key.path == key }) else { return }
        let own = Dictionary(said.map { ($0.name, $0.setting) }, uniquingKeysWith: { $1 })
        configuration[keyPath: field].merge(own) { set, _ in set }
        settings[place].complete(from: file) { set in
            var all = JSONObject()
            for (name, setting) in said { all.set(name, to: setting.configured) }
            for member in set.members { all.set(member.key, to: member.value) }
            return all
        }
    }

    /// All that a project says, under what is set.
    private mutating func take(_ project: ProjectConfiguration) {
        warnings += project.warnings
        configuration.expiries = project.expiries
        configuration.resolvers.projectTables = project.tables
        take(project.queues, of: "queues", from: project.file, \.queues)
        take(project.rules, of: "events.rules", from: project.file, \.eventRules)
        take(project.stateMachines, of: "stateMachines", from: project.file, \.stateMachines)
        for (name, machine) in project.stateMachines where configuration.stateMachines[name]?.isOfProject == true {
            configuration.stateMachines[name]?.resource = machine.resource
        }
        if let channels = project.channels {
            configuration.eventAPI.isOfProject = true
            take(channels, of: "eventApi.namespaces", from: project.file, \.eventAPI.namespaces)
        }
        take(project.dataSources, of: "resolvers.dataSources", from: project.file, \.resolvers.sources)
        for (name, source) in project.dataSources { configuration.resolvers.sources[name]?.grants = source.grants }
        take(project.environment, of: "resolvers.environment", from: project.file, \.resolvers.environment)
        take(project.functions, from: project.file)
        take(project.values)
        if !project.functions.isEmpty { configuration.nameFunctions() }
    }

    /// The functions of a project, each with what is set of it.
    private mutating func take(_ functions: ProjectConfiguration.Named<FunctionSetting>, from file: String) {
        guard !functions.isEmpty, let place = settings.firstIndex(where: { $0.key.path == "functions" }) else {
            return
        }
        let set = settings[place].set.object ?? JSONObject()
        var taken: [(name: String, setName: String?, setting: FunctionSetting)] = []
        for (name, own) in functions {
            let setName = ([name] + own.otherNames).first { set[$0]?.object != nil }
            let setting = own.under(setName.flatMap { set[$0]?.object } ?? JSONObject())
            do throws(FunctionSetting.Fault) { _ = try setting.settings(named: name) } catch {
                // What is wrong with one that is set refuses the start.
                guard setName != nil else {
                    warnings.append("the function \(name) of the project is left out: \(error.message)")
                    continue
                }
            }
            if let setName, setName != name { configuration.functions[setName] = nil }
            configuration.functions[name] = setting
            taken.append((name, setName, setting))
        }
        settings[place].complete(from: file) { [taken] set in
            var all = set
            for (name, setName, setting) in taken {
                if let setName, setName != name { all[setName] = nil }
                // Who is called elsewhere has nothing of the project.
                let given = setting.url == nil ? nil : setName.flatMap { set[$0] }
                all[name] = given ?? setting.configured
            }
            return all
        }
        configuration.nameFunctions()
    }
}
