import Blueprint
import GraphQL
import JSON
import Project

/// Reads a Gen 2 project: `amplify/backend.ts` is run, or where there is none, or it does not come to
/// its end, `amplify/auth/resource.ts` and `amplify/storage/resource.ts` alone.
extension Project {
    /// Runs the project's programs, each once, for all that they say.
    ///
    /// A schema of which that run cannot tell is read by a run of its own, whose words are those of a schema. So are projects whose
    /// program fails before `defineBackend`; nothing of it is served unless both agree.
    ///
    /// - Parameters:
    ///   - folder: the one that is called `amplify`.
    ///   - schema: the file of the schema, where that is in TypeScript, and its text.
    package static func read(
        _ folder: String, schema: (file: String, bytes: [UInt8])? = nil, in surroundings: ProgramSurroundings,
        limits: TypeScriptLimits = .standard
    ) -> Project {
        let programs = ProjectPrograms(
            schema: schema?.file, backend: program("backend", in: folder, surroundings), surroundings, limits)
        var reading = read(folder, programs)
        (reading.generation, reading.folder) = (.version2, folder)
        reading.signInFile = "\(folder)/auth/resource.ts"
        reading.region = reading.added.value["geo"]?["aws_region"]?.string.map { ($0, "\(folder)/backend.ts") }
        // A place for files that nothing leads to is nobody's.
        if case .none = reading.storage, program("storage/resource", in: folder, surroundings) != nil {
            reading.storage = .version2([])
        }
        if let schema {
            reading.schema =
                programs.found
                ?? TypeScriptSchema.read(
                    schema.file, schema.bytes, backend: programs.backend, in: surroundings, limits: limits,
                    console: programs.console)
        }
        return reading
    }

    private static func read(_ folder: String, _ programs: ProjectPrograms) -> Project {
        let surroundings = programs.surroundings
        let resources = ["auth/resource", "storage/resource", "data/resource"].map {
            program($0, in: folder, surroundings)
        }
        func alone(_ notes: [Diagnostic], _ known: [FunctionResource] = []) -> Project {
            let parts = resources.map { name in
                name.map { Project(ProjectRun($0, programs), isWhole: false) }
            }
            var project = Project()
            project.signIn = parts[0]?.signIn ?? .none
            // What is wrong with the schema is said where it is read.
            project.diagnostics = notes + parts.prefix(2).flatMap { $0?.diagnostics ?? [] }
            project.storage = parts[1]?.storage ?? .none
            project.functions = ([known] + parts.map { $0?.functions ?? [] }).reduce(into: []) { all, more in
                all += more.filter { function in !all.contains { $0.isSame(as: function) } }
            }
            (project.authorizer, project.dataName) = (parts[2]?.authorizer, parts[2]?.dataName)
            project.closeIfRefused()
            return project
        }
        guard let backend = programs.backend else { return alone([]) }
        let run = ProjectRun(backend, programs)
        guard let failure = run.failure, run.signIn.errors.all.isEmpty else {
            // It may be saved in part, or by mistake; what its resources say of rights would hold for nothing.
            if run.failure == nil, run.signIn.backend == nil, let resource = resources.lazy.compactMap({ $0 }).first {
                return Project(run, isWhole: false, refused: Self.withoutBackend(backend, resource))
            }
            let reading = Project(run, isWhole: run.signIn.backend != nil)
            guard case .none = reading.signIn, run.signIn.auth == nil, let auth = resources[0] else { return reading }
            // What nothing leads to is still what the project says of sign-in.
            return Project(reading, leavingOut: Project(ProjectRun(auth, programs), isWhole: false))
        }
        // What is not known may be what restricts somebody.
        if let reason = run.reasonForRefusal {
            return Project(run, isWhole: run.signIn.backend != nil, refused: reason)
        }
        // What fails may be anything that a deployment does; how people sign in is said elsewhere.
        let warning = Diagnostic(
            asWarning: failure,
            after:
                "\(backend) cannot be run to its end, so what it says after this is not known, be it of sign-in, files, functions "
                + "and their rights, paths, queues, rules of events, state machines, tables, data sources or outputs"
                + "\(LostStatement.list(run.lost)): ")
        if run.signIn.auth != nil || run.signIn.backend != nil {
            return Project(run, isWhole: run.signIn.backend != nil, notes: [warning])
        }
        return alone([warning], run.signIn.functions.functions)
    }

    /// - Parameters:
    ///   - isWhole: whether the program said what the project consists of.
    ///   - refusal: why the project is refused, although nothing that was read is wrong.
    private init(_ run: ProjectRun, isWhole: Bool, notes: [Diagnostic] = [], refused refusal: Diagnostic? = nil) {
        let signIn = run.signIn
        var diagnostics = signIn.errors.all.map { Diagnostic($0, in: run.sources) }
        if let refusal {
            diagnostics.append(refusal)
        } else if diagnostics.isEmpty, let failure = run.failure, notes.isEmpty {
            diagnostics.append(failure)
        }
        if signIn.isReference {
            diagnostics.append(
                Diagnostic(
                    severity: .note,
                    message:
                        "the project refers to a user pool elsewhere: clients are told of the local one, where people sign in by "
                        + "email"))
        }
        let deployedParts = signIn.deployedParts.map { part in
            DeployedOutput(
                name: part.name, value: part.value,
                warning: .warning(
                    "`\(part.name)` of addOutput is known only when the app is deployed: it is not in the file",
                    at: part.position, in: run.sources))
        }
        diagnostics += signIn.unknowns.map { unknown in
            let consequence =
                switch unknown.use {
                case .list:
                    "so what is done here with each part of it is left out, be it rights, variables, rules or outputs; what "
                        + "stands behind it is read"
                case .condition(let taken):
                    "and is taken for \(taken) here, so what it decides may be otherwise in the cloud"
                case .comparison:
                    "so this comparison is taken for false, and what it decides may be otherwise in the cloud"
                case .kind(let taken):
                    "and `typeof` is taken for \(taken) here, so what it decides may be otherwise in the cloud"
                }
            return .warning(
                "\(unknown.origin) is known only when the app is deployed, \(consequence)", at: unknown.position,
                in: run.sources)
        }
        diagnostics += signIn.warnings(in: run.sources)
        diagnostics += signIn.dataSources.tables.notes.map { .warning($0.message, at: $0.position, in: run.sources) }
        if let first = signIn.made.first {
            let names = signIn.made.map { made in
                let place = run.place(of: made.position).map { " (\($0))" } ?? ""
                return made.name + place
            }
            diagnostics.append(
                .warning(
                    "the project makes what is not served here, and goes on without it: \(names.joined(separator: ", "))",
                    at: first.position, in: run.sources))
        }
        let hasAuth = isWhole ? signIn.backend?.hasAuth ?? false : true
        if !hasAuth, signIn.auth != nil { diagnostics.append(Self.leftOut) }
        self.init()
        self.signIn = signIn.auth.map { hasAuth ? .declared($0) : .leftOut($0) } ?? .none
        self.diagnostics = notes + diagnostics
        hasData = isWhole ? signIn.backend?.hasData : nil
        (writtenOutputs, deployedOutputs) = (signIn.added, deployedParts)
        let places = signIn.storage.storages
        (storage, storageKeys) = (places.isEmpty ? .none : .version2(places), signIn.storage.keys)
        functions = signIn.functions.functions
        (authorizer, dataName) = (run.data.authorizer, run.data.name)
        let (messaging, sources) = (signIn.messaging, signIn.dataSources)
        (queues, eventBuses) = (messaging.queues, messaging.buses)
        (rules, topics) = (messaging.rules, messaging.topics)
        stateMachines = signIn.workflows.machines
        eventAPI = signIn.channels.api
        (dataSources, tables) = (sources.sources, sources.tables.tables)
        (hidesSchema, expiries, environment) = (sources.hidesSchema, sources.expiries, sources.environment)
        identityGrants = signIn.identityGrants
        self.isWhole = isWhole && run.failure == nil && signIn.unknowns.isEmpty
        closeIfRefused()
    }

    /// Of a refused project nobody gets rights.
    private mutating func closeIfRefused() {
        guard isRefused else { return }
        (signIn, storage, identityGrants, isWhole) = (.refused, .refused, IdentityRoleGrants(), false)
    }

    /// The same project with the sign-in of a file that its program does not lead to.
    private init(_ project: Project, leavingOut alone: Project) {
        self = project
        diagnostics += alone.diagnostics
        switch alone.signIn {
        case .none: break
        case .refused:
            signIn = .refused
            storage = .refused
        case .declared(let auth), .leftOut(let auth):
            signIn = .leftOut(auth)
            diagnostics.append(Self.leftOut)
        }
    }

    private static func withoutBackend(_ file: String, _ resource: String) -> Diagnostic {
        Diagnostic(
            severity: .error,
            message: "\(file) does not call defineBackend, so nothing of the project is deployed, \(resource) included",
            hint: "Write defineBackend({ ... }) there, or remove the file.", file: file)
    }

    private static let leftOut = Diagnostic(
        severity: .warning,
        message:
            "defineBackend is not given what defineAuth makes, so clients are not told of sign-in; what defineAuth says of the "
            + "user pool holds all the same", hint: "Write defineBackend({ auth, ... }).")
}
