import Blueprint
import JSON

/// An Amplify project without its data model: this is the room's front page.
///
///     amplify/backend.ts, …/resource.ts ─ room Programs ──────────────────────────────┬─► Project
///     amplify/backend/… (Gen 1) ─ Version1Auth, Version1Function, Version1Storage, … ─┘
///
/// `SignIn/` has the pool and its users' rights, `Storage/` the places for files and the rights there, and `Functions/` the functions with
/// their queues, rules, tables and paths. `Reading/` is the border to the room Programs: `ProgramReader`, the files that programs may read,
/// and a schema that was written in TypeScript. `Version1/` reads the JSON files and templates of a Gen 1 project.
///
/// The room Server lays its configuration over these values. Nothing here opens a file or runs a program. A file that cannot be read
/// is refused with its place; it never counts as one that says nothing.
package struct Project: Sendable {
    package var generation = Generation.none
    /// Its folder: `amplify`, or `amplify/backend` of Gen 1.
    package var folder = ""
    /// True if there is a schema.
    package var hasSchema = false
    package var signIn = ProjectSignIn.none
    /// The file that says how people sign in.
    package var signInFile: String?
    /// The region where the project is deployed, and the file that says so: the names of its pools begin with it.
    package var region: (name: String, file: String)?
    package var storage = ProjectStorage.none
    /// The names of the places for files, by their keys in `defineBackend`.
    package var storageKeys: [String: String] = [:]
    /// True if the project has an API; nil when it does not say.
    package var hasData: Bool?
    /// The name that the project gives to its API.
    package var dataName: String?
    /// The schema in TypeScript, where it was asked for.
    @Boxed package var schema: TypeScriptSchema? = nil
    /// True if the API tells nobody its schema.
    package var hidesSchema = false
    /// The function that authorizes calls of the API.
    package var authorizer: DataAuthorizer?
    /// The fields of models that say when a record is to go.
    package var expiries: [ModelExpiry] = []
    /// The functions that the project defines, in the order of its programs.
    package var functions: [FunctionResource] = []
    /// The rights of its roles for identities, as far as the program gives them.
    package var identityGrants = IdentityRoleGrants()
    package var queues: [QueueResource] = []
    /// Its buses of events, and the rules by which events are passed on.
    package var eventBuses: [String] = []
    package var rules: [RuleResource] = []
    package var topics: [TopicResource] = []
    package var stateMachines: [StateMachineResource] = []
    /// The API of channels; nil: the project makes none.
    package var eventAPI: EventAPIResource?
    /// The data sources of the project's own resolvers, and the tables beside those of its models.
    package var dataSources: [DataSourceResource] = []
    package var tables: [TableResource] = []
    /// The variables of `ctx.env` in resolvers.
    package var environment: [FunctionVariable] = []
    /// The parts that `backend.addOutput` adds to the file that clients load, and those values among them that only a deployment knows.
    package var writtenOutputs = OutputParts()
    package var deployedOutputs: [DeployedOutput] = []
    package var diagnostics: [Diagnostic] = []
    /// True if `amplify/backend.ts` has come to its end, so that all is known which it gives functions.
    package var isWhole = false

    /// The generation of Amplify's tools that a project is made for.
    package indirect enum Generation: Sendable {
        /// A schema that lies in no project.
        case none
        case version1(Version1Project)
        case version2
    }

    package init() {}

    /// Its part that is of Gen 1 alone; nil: it is of another generation.
    package var version1: Version1Project? { if case .version1(let own) = generation { own } else { nil } }
    package var isVersion2: Bool { if case .version2 = generation { true } else { false } }

    /// True if clients are told of an API: there is a schema, and the project does not leave it out.
    package var hasAPI: Bool { hasSchema && hasData ?? true }

    /// The places for files of a project of Gen 2, in the order of `defineBackend`.
    package var storages: [StorageResource] { if case .version2(let storages) = storage { storages } else { [] } }

    /// The sign-in; nil when the project has none, or when it is refused.
    package var auth: AuthResource? { if case .declared(let auth) = signIn { auth } else { nil } }

    package var isRefused: Bool { diagnostics.contains(where: \.isError) }

    // MARK: Outputs

    /// The parts that `backend.addOutput` adds to the file that clients load, without the values that only a deployment knows.
    package var added: OutputParts { added { _ in nil }.parts }

    /// The same with texts for these values, and a warning for each that has none.
    package func added(
        _ text: (FunctionVariable.Value) -> String?
    ) -> (parts: OutputParts, warnings: [Diagnostic]) {
        guard !deployedOutputs.isEmpty else { return (writtenOutputs, []) }
        let texts = deployedOutputs.map { text($0.value) }
        let value = DeployedOutput.resolved(writtenOutputs.value) { texts.indices.contains($0) ? texts[$0] : nil }
        let unknown = zip(deployedOutputs, texts).filter { $1 == nil && !isOfChannels($0.name) }
        return (OutputParts(value), unknown.map(\.0.warning))
    }

    /// Returns whether a part of the file is of the project's channels: the server writes those itself.
    private func isOfChannels(_ name: String) -> Bool {
        eventAPI != nil
            && ["url", "aws_region", "default_authorization_type", "api_key"].contains { name == "custom.events.\($0)" }
    }

    // MARK: Files

    private static let endings = [".ts", ".mts", ".js", ".mjs"]

    /// The file by which a folder is one of a project of Gen 2, apart from its schema; nil: it is none.
    package static func projectFile(in folder: String, _ surroundings: ProgramSurroundings) -> String? {
        ["backend", "auth/resource", "storage/resource"].lazy.compactMap { program($0, in: folder, surroundings) }.first
    }

    /// The program of a project that puts its resources together; nil: there is none.
    package static func backendFile(in folder: String, _ surroundings: ProgramSurroundings) -> String? {
        program("backend", in: folder, surroundings)
    }

    /// The program of a name without its ending, such as `auth/resource`; nil: there is none.
    package static func program(_ name: String, in folder: String, _ surroundings: ProgramSurroundings) -> String? {
        endings.map { "\(folder)/\(name)\($0)" }.first(where: surroundings.exists)
    }
}
