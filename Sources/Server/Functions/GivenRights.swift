import Access
import Blueprint
import JSON
import Project

/// The rights of each function and of each data source at the services that are served here, by its project and by the configuration.
///
/// A project's function is held to what could be read of what the project gives it. In development (without `functions.strict`) what could not
/// be read is allowed, each time told once; a function that no project defines may do everything there, unless the configuration says what.
struct GivenRights: Sendable {
    /// Of the functions that run here, by their names; nil: everything.
    let rights: [String: FunctionRights]
    /// Their rights at the API; others have none of their own.
    let operations: [String: DataOperations]
    /// The rights of the data sources whose requests are signed, by their names.
    let sources: [String: FunctionRights]
    /// The rights of the roles of the pool's identities.
    let identities: IdentityRights

    /// Nobody is held to anything.
    init() { (rights, operations, sources, identities) = ([:], [:], [:], IdentityRights()) }

    /// - Parameters:
    ///   - values: what a deployment would make of the project; nil: there is none.
    ///   - operations: what the schema says (`allow.resource(fn)`).
    init(
        _ configuration: Configuration, _ resources: Project?, _ values: ProjectValues?,
        operations: [String: DataOperations], region: String, _ log: Log
    ) {
        var rights: [String: FunctionRights] = [:]
        var all = operations
        let isStrict = configuration.hasStrictFunctions
        for (name, setting) in configuration.functions where setting.url == nil {
            var policy = RolePolicy(setting.policy.map(PolicyStatement.init))
            if let project = setting.ofProject {
                let given = Self.policy(of: project, values, operations[name])
                policy.statements += given.statements
                policy.unread += given.unread
            } else if setting.policy.isEmpty {
                guard isStrict else { continue }
            }
            let given = FunctionRights(name, policy, isStrict: isStrict, region: region) {
                RightsNotice($0, configuration, resources).write(to: log)
            }
            rights[name] = given
            if setting.isOfProject {
                all[name] = (operations[name] ?? []).union(Self.operations(of: policy, isStrict: isStrict))
            }
        }
        self.rights = rights
        self.operations = all
        sources = Self.sources(configuration, resources, values, region: region, log)
        identities = resources.map { IdentityRights($0.identityGrants, values) } ?? IdentityRights()
    }

    // MARK: Data sources

    /// The session in which AppSync acts in the role of a data source.
    private static let session = "APPSYNC_ASSUME_ROLE"

    /// A data source has the rights that its project and the configuration give it, and no others: the app that is deployed has a role for it.
    private static func sources(
        _ configuration: Configuration, _ resources: Project?, _ values: ProjectValues?, region: String,
        _ log: Log
    ) -> [String: FunctionRights] {
        var sources: [String: FunctionRights] = [:]
        let isVersion2 = resources?.isVersion2 ?? false
        for (name, setting) in configuration.resolvers.sources where setting.signingService != nil {
            var policy = RolePolicy(setting.policy.map(PolicyStatement.init))
            if let grants = setting.grants {
                let given = RolePolicy(grants, values)
                policy.statements += given.statements
                policy.unread += given.unread
            }
            sources[name] = FunctionRights(
                name, policy, isStrict: configuration.hasStrictFunctions, region: region, session: session
            ) { RightsNotice($0, ofSource: name, isVersion2: isVersion2 && setting.grants != nil).write(to: log) }
        }
        return sources
    }

    // MARK: The API

    private static let types: [(name: String, operations: DataOperations)] = [
        ("Query", .query), ("Mutation", .mutate), ("Subscription", .listen),
    ]

    /// The rights that a policy gives a function at the API: the types of operations of which it may call at least some.
    private static func operations(of policy: RolePolicy, isStrict: Bool) -> DataOperations {
        types.reduce(into: []) { all, type in
            let place = PolicyResource("appsync", "apis/\(ProjectValues.apiID)/", "types/\(type.name)/")
            switch policy.verdict(on: "appsync:GraphQL", below: place) {
            case .allowed: all.formUnion(type.operations)
            case .unread: if !isStrict { all.formUnion(type.operations) }
            case .denied, .notAllowed: break
            }
        }
    }

    // MARK: Projects

    private static func policy(
        of project: FunctionSetting.OfProject, _ values: ProjectValues?, _ operations: DataOperations?
    ) -> RolePolicy {
        var policy = RolePolicy(project.grants, values)
        policy.statements += secrets(among: project.variables)
        // Whoever may use the API is told what its models are like.
        if operations != nil {
            policy.statements.append(
                PolicyStatement(
                    .allow, actions: [ActionPattern("s3:GetObject")],
                    resources: [ARN.file("\(IntrospectionFile.bucket)/\(IntrospectionFile.key)").description]
                        .compactMap(
                            ResourcePattern.init)))
        }
        return policy
    }

    /// A function may look for the secrets that are among its variables, by the names that Amplify has for them.
    private static func secrets(among variables: [FunctionVariable]) -> [PolicyStatement] {
        var names: [String] = []
        func add(_ value: FunctionVariable.Value) {
            switch value {
            case .secret(let name): names.append(name)
            case .joined(let parts): parts.forEach(add)
            default: return
            }
        }
        variables.forEach { add($0.value) }
        guard !names.isEmpty else { return [] }
        let actions = ["ssm:GetParameter", "ssm:GetParameters"].map { ActionPattern($0) }
        let places = names.flatMap { ["parameter/amplify/*/\($0)", "parameter/\($0)"] }
        return [
            PolicyStatement(
                .allow, actions: actions,
                resources: places.compactMap { ResourcePattern(ARN.anywhere("ssm", $0).description) })
        ]
    }
}

extension RolePolicy {
    /// A project's grants, with the names that are known now. A resource that has none cannot be read.
    init(_ grants: FunctionGrants, _ values: ProjectValues?) {
        self.init(unread: grants.unread)
        for given in grants.statements {
            var statement = PolicyStatement(
                given.isAllowing ? .allow : .deny, actions: given.actions.map { ActionPattern($0) }, resources: [])
            statement.isForOtherActions = given.isForOtherActions
            statement.hasUnreadActions = given.hasUnreadActions
            statement.isForOtherResources = given.isForOtherResources
            statement.hasUnreadResources = given.hasUnreadResources
            statement.isConditional = given.isConditional
            statement.prefixes = given.prefixes?.map { PolicyPattern($0) }
            for resource in given.resources {
                let text: String?
                if case .text(let known) = resource { text = known } else { text = try? values?.text(of: resource) }
                if let text {
                    // A text that is no ARN allows nothing, and denies whatever it may mean.
                    if let pattern = ResourcePattern(text) {
                        statement.resources.append(pattern)
                    } else if !given.isAllowing {
                        statement.hasUnreadResources = true
                    }
                } else {
                    statement.hasUnreadResources = true
                }
            }
            statements.append(statement)
        }
    }
}

extension PolicyStatement {
    /// A statement of the configuration.
    init(_ setting: FunctionSetting.Statement) {
        self.init(
            setting.isAllowing ? .allow : .deny, actions: setting.actions.map { ActionPattern($0) },
            resources: setting.resources.compactMap(ResourcePattern.init))
    }
}
