import Blueprint
import GraphQL
import JSON

/// What a Gen 2 project says of sign-in and of files: `amplify/backend.ts` is run, or where there is none, or it does not come to
/// its end, `amplify/auth/resource.ts` and `amplify/storage/resource.ts` alone.
package struct AuthReading: Sendable {
    /// What the project says of sign-in.
    package private(set) var signIn: ProjectSignIn
    /// Nil when the project has no sign-in, or when it is refused.
    package var auth: AuthResource? { if case .declared(let auth) = signIn { auth } else { nil } }
    /// The places for files, in the order of `defineBackend`.
    package private(set) var storages: [StorageResource]
    /// True if the project has an API; nil when it does not say.
    package let hasData: Bool?
    /// What `backend.addOutput` adds to the file that clients load, with what is known only when the app is deployed.
    private let written: OutputParts
    private let deployedParts: [DeployedOutput]
    /// The functions that the project defines, in the order of its programs.
    package let functions: [FunctionResource]
    /// The function that says who may call the API.
    package let authorizer: DataAuthorizer?
    /// The name that the project gives to its API.
    package let dataName: String?
    /// What `defineBackend` calls the places for files, and their names.
    package let storageKeys: [String: String]
    /// What its roles for identities may do, of what the program says of them.
    package let identityGrants: IdentityRoleGrants
    /// The queues that the project has.
    package let queues: [QueueResource]
    /// Its buses of events, and the rules by which events are passed on.
    package let eventBuses: [String]
    package let rules: [RuleResource]
    package let topics: [TopicResource]
    /// Its state machines.
    package let stateMachines: [StateMachineResource]
    /// The API of channels; nil: the project makes none.
    package let eventAPI: EventAPIResource?
    /// What resolvers of the project's own work on, and the tables that it has beside those of its models.
    package let dataSources: [DataSourceResource]
    /// True if the API tells nobody its schema.
    package let hidesSchema: Bool
    package let tables: [TableResource]
    /// The fields of models that say when a record is to go.
    package let expiries: [ModelExpiry]
    /// What resolvers find in `ctx.env`.
    package let environment: [FunctionVariable]
    package private(set) var diagnostics: [Diagnostic]
    /// The schema in TypeScript, where it was asked for.
    @Boxed package private(set) var schema: TypeScriptSchema? = nil
    /// True if `amplify/backend.ts` has come to its end, so that all is known which it gives functions.
    package let isWhole: Bool

    /// What `backend.addOutput` adds to the file that clients load, apart from what is known only when the app is deployed.
    package var added: OutputParts { added { _ in nil }.parts }

    /// What it adds with texts for what is known only when the app is deployed, and what is said of those that have none.
    package func added(
        _ text: (FunctionVariable.Value) -> String?
    ) -> (parts: OutputParts, warnings: [Diagnostic]) {
        guard !deployedParts.isEmpty else { return (written, []) }
        let texts = deployedParts.map { text($0.value) }
        let value = DeployedOutput.resolved(written.value) { texts.indices.contains($0) ? texts[$0] : nil }
        let unknown = zip(deployedParts, texts).filter { $1 == nil && !isOfChannels($0.name) }
        return (OutputParts(value), unknown.map(\.0.warning))
    }

    /// Returns whether a part of the file is of the project's channels: the server writes those itself.
    private func isOfChannels(_ name: String) -> Bool {
        eventAPI != nil
            && ["url", "aws_region", "default_authorization_type", "api_key"].contains { name == "custom.events.\($0)" }
    }

    package var isRefused: Bool { diagnostics.contains(where: \.isError) }

    private static let endings = [".ts", ".mts", ".js", ".mjs"]

    /// The file by which a folder is one of a project of Gen 2, apart from its schema; nil: it is none.
    package static func projectFile(in folder: String, _ surroundings: ProgramSurroundings) -> String? {
        ["backend", "auth/resource", "storage/resource"].lazy.compactMap { file($0, in: folder, surroundings) }.first
    }

    /// The program of a project that puts its resources together; nil: there is none.
    package static func backendFile(in folder: String, _ surroundings: ProgramSurroundings) -> String? {
        file("backend", in: folder, surroundings)
    }

    private static func file(_ name: String, in folder: String, _ surroundings: ProgramSurroundings) -> String? {
        endings.map { "\(folder)/\(name)\($0)" }.first(where: surroundings.exists)
    }

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
    ) -> AuthReading {
        let programs = Programs(
            schema: schema?.file, backend: file("backend", in: folder, surroundings), surroundings, limits)
        var reading = read(folder, programs)
        if let schema {
            reading.schema =
                programs.found
                ?? TypeScriptSchema.read(
                    schema.file, schema.bytes, backend: programs.backend, in: surroundings, limits: limits,
                    console: programs.console)
        }
        return reading
    }

    private static func read(_ folder: String, _ programs: Programs) -> AuthReading {
        let surroundings = programs.surroundings
        let resources = ["auth/resource", "storage/resource", "data/resource"].map {
            file($0, in: folder, surroundings)
        }
        func alone(_ notes: [Diagnostic], _ known: [FunctionResource] = []) -> AuthReading {
            let parts = resources.map { name in
                name.map { AuthReading(Run($0, programs), isWhole: false) }
            }
            return AuthReading(
                signIn: parts[0]?.signIn ?? .none, hasData: nil,
                // What is wrong with the schema is said where it is read.
                diagnostics: notes + parts.prefix(2).flatMap { $0?.diagnostics ?? [] },
                storages: parts[1]?.storages ?? [],
                functions: ([known] + parts.map { $0?.functions ?? [] }).reduce(into: []) { all, more in
                    all += more.filter { function in !all.contains { $0.isSame(as: function) } }
                }, authorizer: parts[2]?.authorizer, dataName: parts[2]?.dataName)
        }
        guard let backend = programs.backend else { return alone([]) }
        let run = Run(backend, programs)
        guard let failure = run.failure, run.signIn.errors.all.isEmpty else {
            // It may be saved in part, or by mistake; what its resources say of rights would hold for nothing.
            if run.failure == nil, run.signIn.backend == nil, let resource = resources.lazy.compactMap({ $0 }).first {
                return AuthReading(run, isWhole: false, refused: Self.withoutBackend(backend, resource))
            }
            let reading = AuthReading(run, isWhole: run.signIn.backend != nil)
            guard case .none = reading.signIn, run.signIn.auth == nil, let auth = resources[0] else { return reading }
            // What nothing leads to is still what the project says of sign-in.
            return AuthReading(reading, leavingOut: AuthReading(Run(auth, programs), isWhole: false))
        }
        // What is not known may be what restricts somebody.
        if let reason = run.reasonForRefusal {
            return AuthReading(run, isWhole: run.signIn.backend != nil, refused: reason)
        }
        // What fails may be anything that a deployment does; how people sign in is said elsewhere.
        let warning = Diagnostic(
            asWarning: failure,
            after:
                "\(backend) cannot be run to its end, so what it says after this is not known, be it of sign-in, files, functions "
                + "and their rights, paths, queues, rules of events, state machines, tables, data sources or outputs"
                + "\(LostStatement.list(run.lost)): ")
        if run.signIn.auth != nil || run.signIn.backend != nil {
            return AuthReading(run, isWhole: run.signIn.backend != nil, notes: [warning])
        }
        return alone([warning], run.signIn.functions.functions)
    }

    private init(
        signIn: ProjectSignIn, hasData: Bool?, diagnostics: [Diagnostic], added: OutputParts = OutputParts(),
        deployedParts: [DeployedOutput] = [], storages: [StorageResource] = [], functions: [FunctionResource] = [],
        authorizer: DataAuthorizer? = nil,
        dataName: String? = nil, storageKeys: [String: String] = [:], messaging: MessagingRun? = nil,
        workflows: WorkflowRun? = nil, sources: DataSourceRun? = nil, eventAPI: EventAPIResource? = nil,
        identityGrants: IdentityRoleGrants = IdentityRoleGrants(), isWhole: Bool = false
    ) {
        self.identityGrants = identityGrants
        self.isWhole = isWhole
        dataSources = sources?.sources ?? []
        tables = sources?.tables.tables ?? []
        hidesSchema = sources?.hidesSchema ?? false
        expiries = sources?.expiries ?? []
        environment = sources?.environment ?? []
        queues = messaging?.queues ?? []
        eventBuses = messaging?.buses ?? []
        rules = messaging?.rules ?? []
        topics = messaging?.topics ?? []
        stateMachines = workflows?.machines ?? []
        self.eventAPI = eventAPI
        let isRefused = diagnostics.contains(where: \.isError)
        self.signIn = isRefused ? .refused : signIn
        self.storages = isRefused ? [] : storages
        self.hasData = hasData
        written = added
        self.deployedParts = deployedParts
        self.functions = functions
        self.authorizer = authorizer
        self.dataName = dataName
        self.storageKeys = storageKeys
        self.diagnostics = diagnostics
    }

    /// - Parameters:
    ///   - isWhole: whether the program said what the project consists of.
    ///   - refusal: why the project is refused, although nothing that was read is wrong.
    private init(_ run: Run, isWhole: Bool, notes: [Diagnostic] = [], refused refusal: Diagnostic? = nil) {
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
        let isRefused = diagnostics.contains(where: \.isError)
        self.init(
            signIn: signIn.auth.map { hasAuth ? .declared($0) : .leftOut($0) } ?? .none,
            hasData: isWhole ? signIn.backend?.hasData : nil,
            diagnostics: notes + diagnostics, added: signIn.added, deployedParts: deployedParts,
            storages: signIn.storage.storages,
            functions: signIn.functions.functions, authorizer: run.data.authorizer,
            dataName: run.data.name, storageKeys: signIn.storage.keys,
            messaging: signIn.messaging, workflows: signIn.workflows, sources: signIn.dataSources,
            eventAPI: signIn.channels.api,
            identityGrants: isRefused ? IdentityRoleGrants() : signIn.identityGrants,
            isWhole: isWhole && run.failure == nil && !isRefused && signIn.unknowns.isEmpty)
    }

    /// The same project with the sign-in of a file that its program does not lead to.
    private init(_ reading: AuthReading, leavingOut alone: AuthReading) {
        self = reading
        diagnostics += alone.diagnostics
        switch alone.signIn {
        case .none: break
        case .refused:
            signIn = .refused
            storages = []
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
