import Blueprint
import JSON
import Project
import UserPool

/// The words of a start and of `homeport check` about the functions and state machines that a project defines: variables and secrets without a value,
/// addresses of AWS that are written out, packages that are not installed, definitions that cannot be served.
struct DefinitionNotices {
    /// The configuration with the values that its functions and state machines have where the server is.
    @Boxed private(set) var configuration: Configuration
    /// The part that is known at once.
    private(set) var warnings: [String]

    /// - Parameter isPut: whether somebody has put a parameter of that name into the server.
    init(_ configuration: Configuration, _ values: ProjectValues, isPut: (String) -> Bool = { _ in false }) {
        let variables = FunctionVariables(configuration, values, isPut: isPut)
        var running = variables.configuration
        warnings = variables.warnings
        for (name, setting) in running.stateMachines.sorted(by: { $0.key < $1.key }) {
            let (resolved, unknown) = setting.resolved(values)
            running.stateMachines[name] = resolved
            for origin in unknown {
                warnings.append(
                    "the state machine \(name) has \(origin) in its definition, which is known only when the app is deployed"
                )
            }
        }
        self.configuration = running
    }

    // MARK: A check

    /// All of it for a project that nobody serves, as far as its files say it.
    ///
    /// - Parameter environment: the variables that secrets may be in.
    static func ofCheck(
        _ configuration: Configuration, _ resources: Project, environment: [String: String]
    ) -> [Diagnostic] {
        // Any names will do: only whether there is one is asked for.
        let pool =
            configuration.auth.userPools.issuer == nil ? PoolIdentifiers(seed: Array(configuration.data.utf8)) : nil
        let storage = configuration.files.buckets.isEmpty ? resources.storage : .none
        let values = ProjectValues(
            configuration, resources, pool, try? FilesSettings(configuration, storage, pool),
            endpoint: "http://127.0.0.1:\(configuration.port)", environment: environment)
        let notices = DefinitionNotices(configuration, values)
        let functions = notices.configuration.functionsHere
        let handlers = CloudAddressNotices.handlers(of: functions)
        let warnings =
            notices.warnings + RunningWorkflows.machines(of: notices.configuration).warnings
            + [CloudAddressNotices(of: handlers).warning].compactMap { $0 }
            + MissingPackageNotices.warnings(of: functions, sdk: RunningFunctions.sdkFolder(configuration.data))
        return warnings.map { Diagnostic(severity: .warning, message: $0) } + resources.added(values).warnings
    }
}
