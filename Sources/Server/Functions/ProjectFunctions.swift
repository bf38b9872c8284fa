import Blueprint
import Functions
import Glibc
import JSON
import Network
import Project
import Schedules

/// The functions that a project defines, as the key `functions` of the configuration would say them: whatever is set there goes
/// over it.
///
///     amplify/backend.ts          `defineFunction`, and what is added to it
///     amplify/backend/function/   a folder for each, of a project of Gen 1
struct ProjectFunctions {
    struct Function {
        let name: String
        /// By which it is called too, and may be set.
        var otherNames: [String] = []
        /// The value of the key.
        var setting = JSONObject()
        /// Its variables, some of which are known only when the server runs.
        var variables: [FunctionVariable] = []
    }

    private(set) var functions: [Function] = []
    /// Its queues, as the key `queues` would say them.
    private(set) var queues = JSONObject()
    /// Its rules of events, as the key `events.rules` would say them.
    private(set) var rules = JSONObject()
    /// Its state machines, as the key `stateMachines` would say them.
    private(set) var stateMachines = JSONObject()
    private(set) var machines: [StateMachineResource] = []
    /// Its namespaces of channels, as the key `eventApi.namespaces` would say them; nil: it has no API of channels.
    private(set) var channels: JSONObject?
    /// The data sources of its resolvers, in the form of the key `resolvers.dataSources`, and their variables.
    private(set) var dataSources = JSONObject()
    private(set) var environment = JSONObject()
    /// What the project gives the roles of its data sources, by their names.
    private(set) var sourceGrants: [(source: String, grants: FunctionGrants)] = []
    /// The tables that it makes beside those of its models.
    private(set) var tables: [TableResource] = []
    /// The fields of its models that say when a record is to go.
    private(set) var expiries: [ModelExpiry] = []
    /// The project's values for other keys.
    private(set) var values: [(path: String, value: JSONValue, file: String)] = []
    /// The parts that are left out, and why.
    private(set) var warnings: [String] = []
    /// The file or folder that says it.
    let file: String

    init(_ resources: ProjectResources) {
        switch resources.kind {
        case .none: file = ""
        case .version2(let reading, let folder):
            file = ProjectFunctions.backendFile(in: folder)
            for function in reading.functions { add(function) }
            if !reading.eventBuses.isEmpty {
                values.append(("events.buses", .array(reading.eventBuses.map(JSONValue.string)), file))
            }
            for rule in reading.rules { rules.set(rule.name, to: ProjectRule.configured(rule)) }
            machines = reading.stateMachines
            for machine in machines { stateMachines.set(machine.name, to: ProjectStateMachine.configured(machine)) }
            for source in reading.dataSources {
                add(source, isWhole: reading.isWhole)
            }
            if let api = reading.eventAPI { take(api) }
            if reading.hidesSchema { hideSchema(file) }
            expiries = reading.expiries
            tables = reading.tables
            for variable in reading.environment {
                if case .text(let text) = variable.value { environment.set(variable.name, to: .string(text)) }
            }
            for queue in reading.queues { queues.set(queue.name, to: ProjectQueue.configured(queue)) }
            if let authorizer = reading.authorizer, let name = authorizer.function.givenName {
                setAuthorizer(name, seconds: authorizer.cacheSeconds)
            }
        case .version1(let project):
            file = "\(ProjectLayout.shortened(project.folder))/\(Version1Project.functionFolder)"
            for function in project.functions { add(function, of: project) }
            tables = project.tables.map { $0.made(in: project.environment) }
            if project.hidesSchema { hideSchema(ProjectLayout.shortened("\(project.folder)/api")) }
            if let api = project.api {
                let stacks = ProjectHandlers.stacks(
                    of: "\(project.folder)/api/\(api)", environment: project.environment)
                for source in stacks.dataSources { add(source) }
            }
            for api in project.restAPIs {
                for (path, function) in api.paths { setPath(path, of: function) }
            }
            if let authorizer = project.authorizer { setAuthorizer(authorizer.name, seconds: authorizer.cacheSeconds) }
        }
    }

    private mutating func add(_ source: DataSourceResource, isWhole: Bool = true) {
        dataSources.set(source.name, to: ProjectDataSource.configured(source))
        var grants = source.grants
        if !isWhole { grants.add(unread: "\(file), which is not there or cannot be run to its end") }
        sourceGrants.append((source.name, grants))
    }

    private mutating func hideSchema(_ file: String) { values.append(("introspection", .bool(false), file)) }

    private mutating func take(_ api: EventAPIResource) {
        for (name, modes) in [("connect", api.connect), ("publish", api.publish), ("subscribe", api.subscribe)] {
            guard let modes else { continue }
            values.append(("eventApi.\(name)", .array(modes.map(JSONValue.string)), file))
        }
        channels = JSONObject(
            api.namespaces.map { ($0.name, ProjectNamespace.configured($0, functions: sourceFunctions)) })
    }

    /// The functions that data sources stand for, by the names of these.
    private var sourceFunctions: [ByteText: String] {
        Dictionary(
            texts: dataSources.members.compactMap { source in
                source.value["function"]?.string.map { (source.key, $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func backendFile(in folder: String) -> String {
        let file = "\(folder)/backend.ts"
        return access(file, F_OK) == 0 ? file : folder
    }

    private mutating func setAuthorizer(_ name: String, seconds: Int?) {
        guard functions.contains(where: { $0.name == name || $0.otherNames.contains(name) }) else { return }
        values.append(("auth.lambda.url", .string(name), file))
        if let seconds { values.append(("auth.lambda.ttl", .integer(Int64(seconds)), file)) }
    }

    /// Takes one in, unless there is another of its name.
    private mutating func add(_ function: Function, from place: String) {
        guard !functions.contains(where: { $0.name == function.name }) else {
            warnings.append(
                "two functions of the project are called \(function.name), and the one of \(place) is left out: give each a name"
            )
            return
        }
        functions.append(function)
    }

    private mutating func setPath(_ path: RestPath, of name: String) {
        guard let place = functions.firstIndex(where: { $0.name == name || $0.otherNames.contains(name) }) else {
            warnings.append("nobody answers at \(path.path) of the API \(path.api): there is no function \(name)")
            return
        }
        functions[place].setting["rest"] = .array(
            (functions[place].setting["rest"]?.array ?? []) + [path.configured])
    }

    // MARK: Gen 2

    private mutating func add(_ resource: FunctionResource) {
        guard let name = resource.reference.givenName ?? resource.key else { return }
        var function = Function(name: name)
        if let key = resource.key, key != name { function.otherNames.append(key) }
        setTables(resource.tables, of: &function)
        if !resource.queues.isEmpty {
            function.setting["queues"] = .array(resource.queues.map(ProjectQueue.configured))
        }
        if let isOpen = resource.hasOpenURL {
            let access: FunctionSetting.URLAccess = isOpen ? .open : .administrators
            function.setting["httpURL"] = .string(access.rawValue)
        }
        if !resource.paths.isEmpty {
            function.setting["rest"] = .array(resource.paths.map { RestPath($0).configured })
        }
        setLimits(resource.timeoutSeconds, resource.memoryMegabytes, resource.schedules, of: &function)
        function.variables = resource.environment
        switch resource.code {
        case nil:
            warnings.append(
                "where the code of the function \(name) is is not known before it is deployed, so it is left out")
        case .file(let path):
            let file = Self.there(path)
            function.setting["handler"] = .string(file)
            add(function, from: file)
        case .folder(let folder, let handler, let runtime):
            guard setProgram(of: &function, folder, handler: handler, runtime: runtime) else { return }
            add(function, from: folder)
        }
    }

    private static let endings = [".ts", ".js", ".mts", ".mjs", ".tsx"]

    /// The file that a path means: as for a bundler it may be without its ending, or that of the compiled one.
    private static func there(_ path: String) -> String {
        guard !FileStatus.isFile(path) else { return path }
        let bare = endings.first(where: path.hasSuffix).map { String(path.dropLast($0.utf8.count)) }
        let starts = [path, bare].compactMap(\.self)
        return starts.flatMap { start in endings.map { start + $0 } }.first(where: FileStatus.isFile) ?? path
    }

    // MARK: Gen 1

    private mutating func add(_ declared: Version1Function, of project: Version1Project) {
        let folder = "\(project.folder)/\(Version1Project.functionFolder)"
        let own = "\(folder)/\(declared.name)"
        var function = Function(name: declared.deployedName)
        function.otherNames = [declared.name, "\(declared.deployedName)-\(project.environment)"].filter {
            $0 != declared.deployedName
        }
        setLimits(declared.timeoutSeconds, declared.memoryMegabytes, declared.schedules, of: &function)
        function.variables = declared.environment
        setTables(
            declared.tables.compactMap { events in
                guard events.isOwn else { return events }
                var events = events
                guard let table = project.tables.first(where: { $0.resource == events.model }) else {
                    warnings.append(
                        "the function \(declared.name) gets no changes: the project makes no table \(events.model)"
                    )
                    return nil
                }
                events.model = table.deployedName(in: project.environment)
                return events
            }, of: &function)
        for (variable, inner) in [("NODE_PATH", "nodejs/node_modules"), ("PYTHONPATH", "python")] {
            let places = declared.layers.flatMap { layer in
                ["lib", "opt"].map { "\(folder)/\(layer)/\($0)/\(inner)" }
            }
            let layers = places.filter { access($0, F_OK) == 0 }.map(FunctionSetting.absolute)
            if !layers.isEmpty {
                function.variables.append(
                    FunctionVariable(name: variable, value: .text(layers.joined(separator: ":"))))
            }
        }
        // What a person keeps for this machine goes over all.
        for (name, value) in VariableFile.read("\(own)/.env") {
            function.variables.removeAll { $0.name == name }
            function.variables.append(FunctionVariable(name: name, value: .text(value)))
        }
        // What is in `lib` is built into `src`, unless nobody has.
        let places = ["src", "lib"].map { "\(own)/\($0)" }
        let place = places.first { (try? HandlerPlace("\($0)/\(declared.handler)", isFile: FileStatus.isFile)) != nil }
        guard
            setProgram(of: &function, place ?? places[0], handler: declared.handler, runtime: declared.runtime)
        else {
            return
        }
        add(function, from: own)
    }

    // MARK: Both

    private static let bootstrap = "bootstrap"
    /// Where the compiled program of a function may be, from its sources.
    private static let bootstrapFolders = [".", "bin", "dist", "../bin", "../dist", "build", "../build"]

    /// Sets the program that runs a function, by its runtime. False: none does, which is a warning.
    private mutating func setProgram(
        of function: inout Function, _ folder: String, handler: String, runtime: String
    ) -> Bool {
        let kind = runtime.lowercased()
        if kind.hasPrefix("nodejs") || kind.isEmpty {
            function.setting["handler"] = .string("\(folder)/\(handler)")
            function.setting["cwd"] = .string(folder)
            return true
        }
        if kind.hasPrefix("python") {
            // The last dot divides, and the others are those of packages.
            let parts = handler.split(separator: ".").map(String.init)
            let module = parts.dropLast().joined(separator: "/")
            function.setting["handler"] = .string("\(folder)/\(module).py:\(parts.last ?? "")")
            function.setting["cwd"] = .string(folder)
            return true
        }
        guard ["provided", "go"].contains(where: kind.hasPrefix) else {
            warnings.append(
                "the function \(function.name) is left out, since \(runtime) does not run here by itself: say what runs it in "
                    + "functions.\(function.name).command")
            return false
        }
        let places = Self.bootstrapFolders.map { inner in
            inner == "." ? "\(folder)/\(Self.bootstrap)" : "\(folder)/\(inner)/\(Self.bootstrap)"
        }.map(ProjectLayout.shortened)
        guard let program = places.first(where: { access($0, X_OK) == 0 }) else {
            warnings.append(
                "the function \(function.name) is left out, since it is not built: there is no program \(places[0]), nor in bin; "
                    + "build it there, or say what runs it in functions.\(function.name).command")
            return false
        }
        function.setting["command"] = .array([.string(FunctionSetting.absolute(program))])
        function.setting["handler"] = .string(handler)
        // Lambda runs it where it lies.
        function.setting["cwd"] = .string(String(program.dropLast(Self.bootstrap.count + 1)))
        return true
    }

    private mutating func setTables(_ tables: [TableEvents], of function: inout Function) {
        guard !tables.isEmpty else { return }
        function.setting["tables"] = .array(tables.map { source($0, function.name) })
    }

    private mutating func source(_ events: TableEvents, _ function: String) -> JSONValue {
        func within(_ value: Int, _ range: ClosedRange<Int>) -> JSONValue {
            .integer(Int64(min(max(value, range.lowerBound), range.upperBound)))
        }
        var source = JSONObject([(events.isOwn ? "table" : "model", .string(events.model))])
        source["batch"] = events.batchSize.map { within($0, RuntimeLimits.streamBatch) }
        source["retryAttempts"] = events.retryAttempts.map { within($0, RuntimeLimits.streamRetries) }
        source["bisectBatchOnError"] = events.bisects.map { .bool($0) }
        if events.beginsWithOldest { source["startingPosition"] = .string(TableSource.Start.oldest.rawValue) }
        if events.reportsItemFailures { source["reportBatchItemFailures"] = true }
        let faulty = events.filters.lazy.compactMap { filter in
            ChangeFilter.fault(filter).map { "the filter \(filter) is refused: \($0)" }
        }.first
        if faulty != nil || events.hasUnreadFilters || events.filters.count > ChangeFilter.countMax {
            warnings.append(
                "the function \(function) is told of all changes of \(events.model): "
                    + (faulty ?? "its filters cannot be read here")
            )
        } else if !events.filters.isEmpty {
            source["filters"] = .array(events.filters.map { .string($0) })
        }
        return source.count == 1 && !events.isOwn ? .string(events.model) : .object(source)
    }

    private mutating func setLimits(
        _ seconds: Int, _ megabytes: Int, _ schedules: [FunctionSchedule], of function: inout Function
    ) {
        func within(_ value: Int, _ range: ClosedRange<Int>) -> JSONValue {
            .integer(Int64(min(max(value, range.lowerBound), range.upperBound)))
        }
        function.setting["timeout"] = within(seconds, RuntimeLimits.timeoutSeconds)
        function.setting["memory"] = within(megabytes, RuntimeLimits.memoryMegabytes)
        var times: [JSONValue] = []
        for schedule in schedules {
            do throws(Schedule.Fault) {
                _ = try Schedule(schedule.text, zone: schedule.zone)
                times.append(ScheduleSetting.configured(schedule))
            } catch {
                warnings.append(
                    "the function \(function.name) is not called by the clock: schedule \"\(schedule.text)\": \(error.message)"
                )
            }
        }
        if !times.isEmpty { function.setting["schedule"] = .array(times) }
    }
}

extension ProjectFunctions.Function {
    /// The names by which a configuration may set it.
    private var names: [String] { [name] + otherNames }

    /// The configuration of it, and the name that it is under.
    func set(in configured: JSONObject) -> (name: String, value: JSONObject)? {
        names.lazy.compactMap { name in configured[name]?.object.map { (name, $0) } }.first
    }

    /// The same with what a configuration says over it. Who says where it is called, or what runs it, says all of that.
    func under(_ configured: JSONObject) -> JSONObject {
        guard configured["url"] == nil else { return configured }
        var result = setting
        if configured["command"] != nil || configured["handler"] != nil {
            for name in ["command", "handler", "cwd"] { result[name] = nil }
        }
        for member in configured.members { result[member.key] = member.value }
        return result
    }
}
