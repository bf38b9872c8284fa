import Access
import Blueprint
import Functions
import Glibc
import JSON
import Network
import Project
import Schedules

/// The functions that a project defines:
///
///     amplify/backend.ts          `defineFunction`, and what is added to it
///     amplify/backend/function/   a folder for each, of a project of Gen 1
extension ProjectConfiguration {
    // MARK: Gen 2

    mutating func add(_ resource: FunctionResource, of project: Project) {
        guard let name = resource.reference.givenName ?? resource.key else { return }
        var function = FunctionSetting()
        let otherNames = [resource.key].compactMap(\.self).filter { $0 != name }
        function.ofProject = FunctionSetting.OfProject(
            otherNames: otherNames, variables: resource.environment,
            grants: Self.grants(of: resource, [name] + otherNames, in: project))
        function.tables = sources(resource.tables, name)
        function.queues = resource.queues.map(QueueSource.init)
        function.httpURL = resource.hasOpenURL.map { $0 ? .open : .administrators }
        function.rest = resource.paths.map { RestPath($0) }
        setLimits(resource.timeoutSeconds, resource.memoryMegabytes, resource.schedules, of: &function, name)
        switch resource.code {
        case nil:
            warnings.append(
                "where the code of the function \(name) is is not known before it is deployed, so it is left out")
        case .file(let path):
            let file = Self.there(path)
            function.handler = file
            add(name, function, from: file)
        case .folder(let folder, let handler, let runtime):
            guard setProgram(of: &function, name, folder, handler: handler, runtime: runtime) else { return }
            add(name, function, from: folder)
        }
    }

    /// The rights of its role: from the program, from its sources of events, and from `defineAuth`.
    private static func grants(
        of resource: FunctionResource, _ names: [String], in project: Project
    ) -> FunctionGrants {
        var grants = resource.grants
        for statement in sources(resource.queues, resource.tables) { grants.add(statement) }
        for grant in project.auth?.access ?? [] where names.contains(where: { $0 == grant.function.givenName }) {
            grants.add(grant.grants)
        }
        if !project.isWhole {
            grants.add(unread: "\(project.folder)/backend.ts, which is not there or cannot be run to its end")
        }
        return grants
    }

    /// Whoever is told of messages and of changes may read them itself, too.
    private static func sources(
        _ queues: [QueueSubscription], _ tables: [TableEvents]
    ) -> [FunctionGrants.Statement] {
        queues.map { subscription in
            FunctionGrants.Statement(
                [
                    "sqs:ReceiveMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueUrl", "sqs:DeleteMessage",
                    "sqs:GetQueueAttributes",
                ], on: [.text(ARN.anywhere("sqs", subscription.queue).description)])
        }
            + tables.map { events in
                let table = events.isOwn ? events.model : TableName.of(events.model)
                return FunctionGrants.Statement(
                    ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
                    on: [.text(ARN.anywhere("dynamodb", "table/\(table)/stream/*").description)])
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

    mutating func add(_ declared: Version1Function, of project: Version1Project, in parent: String) {
        let folder = "\(parent)/\(Version1Project.functionFolder)"
        let own = "\(folder)/\(declared.name)"
        let name = declared.deployedName
        var function = FunctionSetting()
        setLimits(declared.timeoutSeconds, declared.memoryMegabytes, declared.schedules, of: &function, name)
        let tables = declared.tables.compactMap { events -> TableEvents? in
            guard events.isOwn else { return events }
            var events = events
            guard let table = project.tables.first(where: { $0.resource == events.model }) else {
                warnings.append(
                    "the function \(declared.name) gets no changes: the project makes no table \(events.model)")
                return nil
            }
            events.model = table.deployedName(in: project.environment)
            return events
        }
        function.tables = sources(tables, name)
        function.ofProject = FunctionSetting.OfProject(
            otherNames: [declared.name, "\(name)-\(project.environment)"].filter { $0 != name },
            variables: Self.variables(of: declared, folder), grants: declared.grants)
        // What is in `lib` is built into `src`, unless nobody has.
        let places = ["src", "lib"].map { "\(own)/\($0)" }
        let place = places.first {
            (try? HandlerPlace("\($0)/\(declared.handler)", isFile: FileStatus.isFile)) != nil
        }
        guard
            setProgram(
                of: &function, name, place ?? places[0], handler: declared.handler, runtime: declared.runtime)
        else { return }
        add(name, function, from: own)
    }

    /// Its variables, with the places of its layers, and those that a person keeps for this machine in the place of others.
    private static func variables(of declared: Version1Function, _ folder: String) -> [FunctionVariable] {
        var variables = declared.environment
        for (variable, inner) in [("NODE_PATH", "nodejs/node_modules"), ("PYTHONPATH", "python")] {
            let places = declared.layers.flatMap { layer in
                ["lib", "opt"].map { "\(folder)/\(layer)/\($0)/\(inner)" }
            }
            let layers = places.filter { access($0, F_OK) == 0 }.map(FunctionSetting.absolute)
            if !layers.isEmpty {
                variables.append(FunctionVariable(name: variable, value: .text(layers.joined(separator: ":"))))
            }
        }
        for (name, value) in VariableFile.read("\(folder)/\(declared.name)/.env") {
            variables.removeAll { $0.name == name }
            variables.append(FunctionVariable(name: name, value: .text(value)))
        }
        return variables
    }

    // MARK: Both

    private static let bootstrap = "bootstrap"
    /// Where the compiled program of a function may be, from its sources.
    private static let bootstrapFolders = [".", "bin", "dist", "../bin", "../dist", "build", "../build"]

    /// Sets the program that runs a function, by its runtime. False: none does, which is a warning.
    private mutating func setProgram(
        of function: inout FunctionSetting, _ name: String, _ folder: String, handler: String, runtime: String
    ) -> Bool {
        let kind = runtime.lowercased()
        if kind.hasPrefix("nodejs") || kind.isEmpty {
            (function.handler, function.folder) = ("\(folder)/\(handler)", folder)
            return true
        }
        if kind.hasPrefix("python") {
            // The last dot divides, and the others are those of packages.
            let parts = handler.split(separator: ".").map(String.init)
            let module = parts.dropLast().joined(separator: "/")
            (function.handler, function.folder) = ("\(folder)/\(module).py:\(parts.last ?? "")", folder)
            return true
        }
        guard ["provided", "go"].contains(where: kind.hasPrefix) else {
            warnings.append(
                "the function \(name) is left out, since \(runtime) does not run here by itself: say what runs it in "
                    + "functions.\(name).command")
            return false
        }
        let places = Self.bootstrapFolders.map { inner in
            inner == "." ? "\(folder)/\(Self.bootstrap)" : "\(folder)/\(inner)/\(Self.bootstrap)"
        }.map(ProjectLayout.shortened)
        guard let program = places.first(where: { access($0, X_OK) == 0 }) else {
            warnings.append(
                "the function \(name) is left out, since it is not built: there is no program \(places[0]), nor in bin; "
                    + "build it there, or say what runs it in functions.\(name).command")
            return false
        }
        function.command = .words([FunctionSetting.absolute(program)])
        function.handler = handler
        // Lambda runs it where it lies.
        function.folder = String(program.dropLast(Self.bootstrap.count + 1))
        return true
    }

    private mutating func sources(_ tables: [TableEvents], _ function: String) -> [TableSource] {
        tables.map { events in
            var source = TableSource(events)
            let faulty = events.filters.lazy.compactMap { filter in
                ChangeFilter.fault(filter).map { "the filter \(filter) is refused: \($0)" }
            }.first
            if faulty != nil || events.hasUnreadFilters || events.filters.count > ChangeFilter.countMax {
                warnings.append(
                    "the function \(function) is told of all changes of \(events.model): "
                        + (faulty ?? "its filters cannot be read here")
                )
            } else {
                source.filters = events.filters.compactMap { try? ChangeFilter.read($0) }
            }
            return source
        }
    }

    private mutating func setLimits(
        _ seconds: Int, _ megabytes: Int, _ schedules: [FunctionSchedule], of function: inout FunctionSetting,
        _ name: String
    ) {
        function.timeoutSeconds = RuntimeLimits.timeoutSeconds.nearest(to: seconds)
        function.memoryMegabytes = RuntimeLimits.memoryMegabytes.nearest(to: megabytes)
        for schedule in schedules {
            do throws(Schedule.Fault) {
                _ = try Schedule(schedule.text, zone: schedule.zone)
                function.schedules.append(ScheduleSetting(schedule))
            } catch {
                warnings.append(
                    "the function \(name) is not called by the clock: schedule \"\(schedule.text)\": \(error.message)"
                )
            }
        }
    }
}

extension TableSource {
    /// A table of whose changes a project's function is told, all of them. Numbers are brought into their range.
    fileprivate init(_ events: TableEvents) {
        self.init(events.model, tellsFailures: events.reportsItemFailures)
        isOwn = events.isOwn
        if let count = events.batchSize { batch = RuntimeLimits.streamBatch.nearest(to: count) }
        retries = events.retryAttempts.map { RuntimeLimits.streamRetries.nearest(to: $0) }
        if let wanted = events.bisects { halves = wanted }
        if events.beginsWithOldest { start = .oldest }
    }
}

extension ClosedRange<Int> {
    /// The number of the range that is the nearest to another one.
    func nearest(to number: Int) -> Int { Swift.min(Swift.max(number, lowerBound), upperBound) }
}
