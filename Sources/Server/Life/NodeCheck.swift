import JSON
import Project

/// The settings and parts that work with several servers over one database. Everything else is refused at a start with `nodes`, by its name: a part that nobody
/// has looked at yet is none that works.
enum NodeCheck {
    /// The keys that work, and the groups of keys that do.
    private static let keys: Set<ByteText> = [
        "schema", "data", "database", "databasePasswordFile", "nodes", "nodeAddress", "seed", "outputs",
        "introspection", "eventLoops",
        "host", "port", "listen", "allowedHosts", "proxies", "auth.default", "auth.additional", "auth.apiKeys",
        "auth.providers", "sync.logMinutes", "sync.tombstoneMinutes", "auth.explain", "functions", "functions.strict",
        "queues", "resolvers.dataSources", "resolvers.environment",
        "resolvers.endpoints", "events.buses", "events.rules", "stateMachines", "files.sharedFolder", "files.hosts",
        "files.objectBytes", "files.uploadHours", "eventApi.connect", "eventApi.publish", "eventApi.subscribe",
        "eventApi.namespaces", "console",
    ]
    /// Keys that work where `files.sharedFolder` is set too.
    private static let fileKeys: Set<ByteText> = ["files.buckets", "files.freeBytes"]
    private static let groups = [
        "metrics.", "tls.", "cors.", "log.", "limits.", "features.", "auth.userPools.", "auth.oidc.", "auth.iam.",
        "auth.lambda.", "auth.pool.", "mail.", "sms.", "bedrock.",
    ]
    /// Keys that may be set to false, which is what holds with several nodes.
    private static let switches: Set<ByteText> = ["watch", "testControl"]
    /// The services of AWS that work.
    private static let routes: Set<Route> = [
        .evaluation, .events, .functions, .gateway, .items, .keys, .language, .outbox, .parameters, .queues, .schema,
        .stacks, .workflows,
    ]

    /// Returns whether the calls of a service are answered where there are several nodes.
    static func serves(_ route: Route) -> Bool { routes.contains(route) }

    /// Returns whether a part of the server works where there are several nodes.
    static func serves(_ part: any ServedPart) -> Bool {
        part is RunningFunctions || part is FunctionAddresses || part is SourceRoles || part is OutboxSenders
            || part is ItemPart || part is Deliveries || part is GatewayPart || part is PoolPart
            || part is RunningSchedules || part is ParameterPart || part is RunningWorkflows || part is FilePart
            || part is ChannelPart
    }

    private static func refusal(_ name: String, _ reason: String) -> StartError {
        StartError(
            .configuration,
            "\(name): \(reason), and `nodes` is set. Run one server without `nodes`, or leave this out; docs/scaling.md says what "
                + "works with several")
    }

    private static func admits(_ setting: ConfigurationResolver.Setting) -> Bool {
        let path = setting.key.path
        // A setting that says what holds anyway asks for nothing.
        if setting.value == .null || setting.value == setting.key.defaultValue { return true }
        if switches.contains(ByteText(path)) { return setting.value == .bool(false) }
        if keys.contains(ByteText(path)) { return true }
        return groups.contains { path.utf8.starts(with: $0.utf8) }
    }

    /// Refuses what is set and does not work with several nodes.
    static func check(_ resolution: ConfigurationResolver.Resolution) throws(StartError) {
        let configuration = resolution.configuration
        guard configuration.hasNodes else {
            guard configuration.files.sharedFolder == nil else {
                throw StartError(
                    .configuration,
                    "files.sharedFolder: it is for several servers, and `nodes` is not set. Leave it out: the files of one server are in "
                        + "its data folder")
            }
            return
        }
        guard configuration.database.isOnServer else {
            throw StartError(
                .configuration,
                "nodes: several servers need a database on a server of PostgreSQL's, and the data is in \(configuration.database.shown). "
                    + "Name one with --database")
        }
        let hasFiles = configuration.files.sharedFolder != nil
        for setting in resolution.settings where setting.origin != .standard && !admits(setting) {
            if hasFiles, fileKeys.contains(ByteText(setting.key.path)) { continue }
            throw refusal("\(setting.key.path) (\(setting.origin))", "it does not work with several servers")
        }
    }

    /// Refuses what a project defines and does not work with several nodes.
    static func check(_ configuration: Configuration, _ project: Project) throws(StartError) {
        guard configuration.hasNodes else { return }
        guard project.storage == .none || configuration.files.sharedFolder != nil else {
            throw refusal(
                "the project's storage", "several servers have files only in a folder that files.sharedFolder names")
        }
    }
}
