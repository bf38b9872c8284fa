import Blueprint
import Console
import JSON

/// Brings together what options, environment, file and defaults say: options over environment over file over default.
///
/// Every problem is found and told, not only the first.
package struct ConfigurationResolver {
    /// The value of one key, and where it came from.
    package struct Setting: Sendable {
        package let key: ConfigurationKey
        private var said = Said.nothing
        package fileprivate(set) var origin = ConfigurationOrigin.standard

        fileprivate init(_ key: ConfigurationKey) { self.key = key }

        private indirect enum Said: Sendable {
            case nothing
            case set(JSONValue)
            /// What is set, and puts what a project says beside it, for people.
            case project(JSONValue, @Sendable (JSONObject) -> JSONObject)
        }

        /// What is set: the default where nobody has set it, and without what a project says beside it.
        fileprivate var set: JSONValue {
            switch said {
            case .nothing: key.defaultValue
            case .set(let value), .project(let value, _): value
            }
        }

        package fileprivate(set) var value: JSONValue {
            get {
                guard case .project(let value, let completed) = said else { return set }
                return .object(completed(value.object ?? JSONObject()))
            }
            set { said = .set(newValue) }
        }

        /// Returns whether the same is set.
        func isSet(as other: Setting) -> Bool { set == other.set }

        /// Notes what a project says beside what is set.
        fileprivate mutating func complete(
            from file: String, _ completed: @escaping @Sendable (JSONObject) -> JSONObject
        ) {
            said = .project(set, completed)
            origin = origin.over(file)
        }
    }

    /// A configuration that is good, with what led to it.
    package struct Resolution: Sendable {
        @Boxed package fileprivate(set) var configuration: Configuration
        /// One for each key, in the order of the table.
        package fileprivate(set) var settings: [Setting]
        /// Warnings for the log.
        package fileprivate(set) var warnings: [String]
        /// The file that was named, and the options, as they were given.
        @Boxed fileprivate(set) var given: (file: String?, options: [String: [String]]) = (nil, [:])
        /// The project that was read for it; nil: none was.
        private(set) var project: FoundProject?

        /// Takes what was set over the settings of a project; defaults do not count, so that the project's own do.
        func apply(over project: inout Settings) throws(SettingsError) {
            for setting in settings where setting.origin != .standard && !setting.key.saysModes {
                setting.key.writeOver?(setting.value, &project)
            }
            try project.checkOwners()
        }

        /// The same with a project, and with what that says where it can be read.
        func taking(_ project: FoundProject) -> Resolution {
            ((try? project.resources.get()).map(taking) ?? self).holding(project)
        }

        /// The same with another folder for what the server keeps.
        func keeping(in data: String) -> Resolution {
            var result = self
            result.configuration.data = data
            return result
        }

        /// The same with a project of which nothing is taken.
        func holding(_ project: FoundProject) -> Resolution {
            var result = self
            result.project = project
            return result
        }

        /// The same with what a project says where nothing was set. What the keys do not take is left out, and told.
        func taking(_ resources: ProjectResources) -> Resolution {
            var result = self
            result.take(ProjectConfiguration(resources))
            // Triggers are called only where there are functions.
            let pool = ProjectPool(resources, result.configuration)
            result.warnings += pool.warnings
            result.take(pool.values)
            result.configuration.signIn.app = pool.app
            result.configuration.signIn.hasNativeClient = pool.hasNativeClient
            return result
        }

        private mutating func take(_ values: [(path: String, value: JSONValue, file: String)]) {
            for said in values {
                guard let place = settings.firstIndex(where: { $0.key.path == said.path }),
                    settings[place].origin == .standard
                else { continue }
                let key = settings[place].key
                var check = ConfigurationCheck(.project(said.file))
                let path = JSONPath(key.path.split(separator: ".").map { .key(String($0)) })
                guard let value = check.check(said.value, key.kind, at: path) else {
                    warnings += check.problems.map { "\($0), and is left out" }
                    continue
                }
                settings[place].value = value
                settings[place].origin = .project(said.file)
                key.write(value, &configuration)
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

        /// Leaves a key as it is in another resolution; the answer is the file that says something else, where one does.
        mutating func keep(_ path: String, of former: Resolution) -> String? {
            guard let place = settings.firstIndex(where: { $0.key.path == path }),
                let known = former.settings.first(where: { $0.key.path == path }),
                settings[place].value != known.value
            else { return nil }
            let origin = settings[place].origin == .standard ? known.origin : settings[place].origin
            settings[place].value = known.value
            settings[place].origin = known.origin
            known.key.write(known.value, &configuration)
            return "\(origin)"
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

        /// The faults of functions, once the project is read.
        var functionProblems: [ConfigurationProblem] {
            configuration.functionFaults().map { problem($0.key, $0.message) }
        }

        /// What is wrong with the keys of an API with these modes. Whom others can reach, or who is called by a name of theirs, needs a
        /// key that only its clients know.
        func keyProblem(of modes: [AuthMode], now: Int64) -> ConfigurationProblem? {
            let places =
                configuration.listeners.filter { !$0.isLoopback }.map(\.description)
                + configuration.allowedHosts.filter { !HostCheck.isLoopback($0) }.map { "\($0) (allowedHosts)" }
            guard !places.isEmpty, modes.contains(.apiKey) else { return nil }
            let own = configuration.auth.apiKeys.filter { !$0.isForThisMachine }
            guard !own.contains(where: { $0.isCurrent(now: now) }) else { return nil }
            let expected =
                own.isEmpty
                ? "expected a key of your own, in HOMEPORT_AUTH_API_KEYS=da2-... or in the file,"
                : "expected a key of your own that has not expired,"
            return problem("auth.apiKeys", "\(expected) since others can reach \(places.joined(separator: ", "))")
        }

        private func problem(_ key: String, _ message: String) -> ConfigurationProblem {
            let origin = settings.first { $0.key.path == key }?.origin ?? .standard
            return ConfigurationProblem(
                place: origin == .standard ? "configuration" : origin.description, key: key, message: message)
        }

        /// The same with a log that tells less or more, where nobody has said how much.
        func telling(_ level: LogLevel) -> Resolution {
            var result = self
            if !isSet("log.level") { result.configuration.log.level = level }
            return result
        }

        /// Returns whether somebody set a key.
        func isSet(_ path: String) -> Bool {
            settings.contains { $0.key.path == path && $0.origin.strength > ConfigurationOrigin.project("").strength }
        }

        /// True if it was set which modes the API has.
        var setsModes: Bool { settings.contains { $0.key.saysModes && $0.origin != .standard } }
    }

    private init(wanted: Set<String>?) { self.wanted = wanted }

    /// The values that are set, by the keys' paths.
    private var settings: [String: Setting] = [:]
    private var problems: [ConfigurationProblem] = []
    private var warnings: [String] = []
    /// The keys that somebody wants; nil: all. What the others say, and whether it is right, is not looked at.
    private let wanted: Set<String>?

    private func isWanted(_ key: ConfigurationKey) -> Bool { wanted?.contains(key.path) ?? true }

    /// Resolves a configuration.
    ///
    /// - Parameters:
    ///   - file: the path of the configuration file; nil: that of `HOMEPORT_CONFIG`, or none.
    ///   - options: the values given on the command line, by the options' names without dashes.
    ///   - environment: the variables of the process.
    ///   - wanted: the keys that count; the others keep their defaults, and nothing is wrong with them. Nil: all.
    package static func resolve(
        file: String? = nil, options: [String: [String]] = [:], environment: [String: String] = [:],
        wanted: Set<String>? = nil
    ) throws(ConfigurationError) -> Resolution {
        var resolver = ConfigurationResolver(wanted: wanted)
        let named = environment[ConfigurationKey.fileEnvironmentName] ?? ""
        if let name = file ?? (named.isEmpty ? nil : named) { resolver.read(try ConfigurationFile(name)) }
        resolver.read(environment: environment)
        resolver.read(options: options)
        guard resolver.problems.isEmpty else { throw ConfigurationError(problems: resolver.problems) }
        let configuration = resolver.configuration
        if let dropped = resolver.droppedList { resolver.warnings.append(dropped) }
        if wanted == nil { resolver.checkTogether(configuration) }
        guard resolver.problems.isEmpty else { throw ConfigurationError(problems: resolver.problems) }
        return Resolution(
            configuration: configuration,
            settings: ConfigurationKey.all.map { resolver.settings[$0.path] ?? Setting($0) },
            warnings: resolver.warnings, given: (file, options))
    }
}

extension ConfigurationKey {
    /// True if it says who is admitted. The default mode and the additional ones are one whole.
    fileprivate var saysModes: Bool { path == "auth.default" || path == "auth.additional" }
}

extension ConfigurationResolver {
    /// The configuration that the settings make together.
    private var configuration: Configuration {
        var configuration = Configuration.standard
        for key in settings.isEmpty ? [] : ConfigurationKey.all {
            if let setting = settings[key.path] { key.write(setting.value, &configuration) }
        }
        if isListDropped { configuration.listen = [] }
        // A schema with rules for owners or groups works without any configuration: the built-in user pool is there.
        if origin("auth.default") == .standard, origin("auth.additional") == .standard {
            configuration.project.additionalModes = [.userPools]
        }
        configuration.nameFunctions()
        return configuration
    }

    /// True where an option with one address takes precedence over a list of addresses.
    private var isListDropped: Bool {
        origin("listen").strength < max(origin("host").strength, origin("port").strength)
    }

    /// Says that a list of addresses counts for nothing; nil: it counts, or there is none.
    fileprivate var droppedList: String? {
        guard isListDropped, origin("listen") != .standard else { return nil }
        let stronger = ["host", "port"].map(origin).max { $0.strength < $1.strength } ?? .standard
        return
            "\(origin("listen")) lists addresses, but \(stronger) takes precedence: the server listens on that one alone"
    }

    private func origin(_ key: String) -> ConfigurationOrigin { settings[key]?.origin ?? .standard }
}

// MARK: - File

extension ConfigurationResolver {
    private mutating func read(_ file: ConfigurationFile) {
        var check = ConfigurationCheck(.file(file))
        read(file.root, at: JSONPath(), file, &check)
        problems += file.repetitions + check.problems
    }

    /// Goes down the sections of the file to the keys. The table is no deeper than a few levels, and nothing below a
    /// key is gone into.
    private mutating func read(
        _ section: JSONObject, at path: JSONPath, _ file: ConfigurationFile, _ check: inout ConfigurationCheck
    ) {
        for member in section.members {
            let place = path.appending(member.key)
            let name = place.description
            if let wanted, !wanted.contains(where: { $0 == name || $0.hasPrefix(name + ".") }) { continue }
            if member.key.isEmpty || member.key.contains(".") {
                // A path in one piece looks like a key of the table, and is none.
                check.noteUnknown(place, among: [])
            } else if let key = ConfigurationKey.named(name) {
                let given = taking(keysIn: member.value, at: place, file, &check)
                if given.isNull, key.defaultValue.isNull {
                    set(key, .null, .file(file.located(place)))
                } else if let value = check.check(given, key.kind, at: place) {
                    set(key, value, .file(file.located(place)))
                }
            } else if ConfigurationKey.isSection(name) {
                guard case .object(let inner) = member.value else {
                    if !member.value.isNull { check.note(place, "expected an object, found \(member.value.kind)") }
                    continue
                }
                read(inner, at: place, file, &check)
            } else {
                check.noteUnknown(place, among: Self.names(under: path.description))
            }
        }
    }

    /// Takes the keys out that stand among names of the user's own, such as `functions.strict` among functions. What has the form of
    /// those stays one of them.
    private mutating func taking(
        keysIn value: JSONValue, at place: JSONPath, _ file: ConfigurationFile, _ check: inout ConfigurationCheck
    ) -> JSONValue {
        guard case .object(var object) = value else { return value }
        let section = place.description + "."
        for key in ConfigurationKey.all where key.path.hasPrefix(section) {
            let name = String(key.path.dropFirst(section.count))
            guard let value = object[name], value.object == nil else { continue }
            object[name] = nil
            guard !value.isNull, wanted?.contains(key.path) ?? true else { continue }
            if let value = check.check(value, key.kind, at: place.appending(name)) {
                set(key, value, .file(file.located(place.appending(name))))
            }
        }
        return .object(object)
    }

    /// The keys and sections that may stand in a section.
    private static func names(under section: String) -> [String] {
        let prefix = section.isEmpty ? "" : section + "."
        return ConfigurationKey.all.filter { $0.path.hasPrefix(prefix) }.map {
            String($0.path.dropFirst(prefix.count).prefix { $0 != "." })
        }
    }

    private mutating func set(_ key: ConfigurationKey, _ value: JSONValue, _ origin: ConfigurationOrigin) {
        settings[key.path, default: Setting(key)].value = value
        settings[key.path]?.origin = origin
    }
}

// MARK: - Environment and options

extension ConfigurationResolver {
    private static let environmentPrefix = "HOMEPORT_"

    private mutating func read(environment: [String: String]) {
        guard environment.keys.contains(where: { $0.hasPrefix(Self.environmentPrefix) }) else { return }
        for key in ConfigurationKey.all where isWanted(key) {
            let name = key.environmentName
            // An empty variable is how a container's description leaves one out.
            guard let text = environment[name], !text.isEmpty else { continue }
            if text.hasPrefix("tcp://"), case .integer = key.kind {
                warnings.append("\(name) is ignored: it is what Kubernetes sets for a service called homeport")
                continue
            }
            read([text], key, .environment(name), ConfigurationCheck(.variable(name)))
        }
        let known = Set(
            ConfigurationKey.all.map(\.environmentName) + [ConfigurationKey.fileEnvironmentName]
                + [ProgramVariables.variable] + ExecCommand.variables + Console.developmentVariables)
        for name in environment.keys.sorted() where name.hasPrefix(Self.environmentPrefix) && !known.contains(name) {
            // Kubernetes sets these for a service called homeport.
            guard !name.hasPrefix("\(Self.environmentPrefix)SERVICE_") else { continue }
            guard let nearest = NearestName.of(name, in: known.sorted()) else { continue }
            warnings.append("\(name) is no setting; did you mean \(nearest)?")
        }
    }

    private mutating func read(options: [String: [String]]) {
        for key in ConfigurationKey.all where isWanted(key) {
            guard let option = key.option, let texts = options[option], !texts.isEmpty else { continue }
            read(texts, key, .option(option), ConfigurationCheck(.option(option)))
        }
    }

    private mutating func read(
        _ texts: [String], _ key: ConfigurationKey, _ origin: ConfigurationOrigin, _ check: ConfigurationCheck
    ) {
        var check = check
        let path = JSONPath(key.path.split(separator: ".").map { .key(String($0)) })
        if let value = check.check(Self.value(of: texts, key.kind), key.kind, at: path) { set(key, value, origin) }
        problems += check.problems
    }

    /// What a text stands for where this kind of value is expected. Lists are separated by commas, or JSON; objects
    /// are JSON. A text that is neither stays a string, which the check then refuses.
    private static func value(of texts: [String], _ kind: ConfigurationKind) -> JSONValue {
        let text = texts.last ?? ""
        let isJSON = text.hasPrefix("[") || text.hasPrefix("{")
        switch kind {
        case .boolean: return text == "true" ? true : text == "false" ? false : .string(text)
        case .integer: return Int64(text).map(JSONValue.integer) ?? .string(text)
        case .list(let element):
            if texts.count == 1, isJSON, let value = try? JSONReader.value(of: text) { return value }
            let parts = texts.flatMap { $0.split(separator: ",") }
            return .array(parts.map { value(of: [String($0)], element) })
        case .object(let fields):
            // A text alone is the member that such an object needs: a key is `da2-…`, without more.
            if !isJSON, let field = ConfigurationField.alone(in: fields) {
                return .object(JSONObject([(field.name, .string(text))]))
            }
            return isJSON ? (try? JSONReader.value(of: text)) ?? .string(text) : .string(text)
        case .map, .either:
            return isJSON ? (try? JSONReader.value(of: text)) ?? .string(text) : .string(text)
        default: return .string(text)
        }
    }
}

// MARK: - Keys that depend on each other

extension ConfigurationResolver {
    private mutating func checkTogether(_ configuration: Configuration) {
        let certificate = settings["tls.certificate"]?.value.isNull == false
        let key = settings["tls.key"]?.value.isNull == false
        if certificate != key {
            problem(certificate ? "tls.certificate" : "tls.key", "expected tls.certificate and tls.key together")
        }
        let modes = configuration.project.modes
        if Set(modes).count != modes.count {
            problem("auth.additional", "expected each mode once, the default one not again")
        }
        for (section, needed) in [("auth.userPools", "jwks"), ("auth.userPools", "clientIds"), ("auth.oidc", "jwks")] {
            let isGiven = origin("\(section).\(needed)") != .standard
            if isGiven, settings["\(section).issuer"]?.value.isNull != false {
                problem("\(section).\(needed)", "expected \(section).issuer beside it")
            }
        }
        if configuration.mail.smtp != nil, configuration.mail.from == nil {
            problem("mail.smtp", "expected mail.from beside it: whom mails are from")
        }
        for fault in configuration.functionFaults(hasProject: false) { problem(fault.key, fault.message) }
    }

    private mutating func problem(_ key: String, _ message: String) {
        let origin = origin(key)
        let place = origin == .standard ? "configuration" : origin.description
        problems.append(ConfigurationProblem(place: place, key: key, message: message))
    }
}
