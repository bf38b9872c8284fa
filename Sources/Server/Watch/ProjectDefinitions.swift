import Blueprint
import JSON
import Project

/// What a project says beside its schema, and the configuration that it gives: read at the start, and again when it has changed.
struct ProjectDefinitions: Sendable, Equatable {
    let resolution: ConfigurationResolver.Resolution
    /// Nil: the project cannot be read.
    @Boxed private(set) var resources: Project?

    /// The keys by which a server stays what it was until it is started again, and why.
    ///
    /// All other keys that a project says hold at once (`ServedDefinitions`).
    static let lasting: [(path: String, reason: String)] = [
        ("auth.pool.region", "addresses and names hold it that clients have"),
        ("auth.pool.signIn", "users are kept by these names"),
        ("auth.pool.aliases", "users are kept by these names"),
        ("auth.pool.caseSensitive", "users are kept by these names"),
        ("auth.providers", "sign-ins by way of them may be on their way"),
    ]

    /// Returns whether both say the same, as far as it is served.
    static func == (left: ProjectDefinitions, right: ProjectDefinitions) -> Bool {
        let (one, other) = (left.resolution.configuration, right.resolution.configuration)
        return left.resolution.settings.elementsEqual(right.resolution.settings) { $0.isSet(as: $1) }
            && one.functions == other.functions && one.queues == other.queues && one.eventRules == other.eventRules
            && one.stateMachines == other.stateMachines && one.eventAPI == other.eventAPI
            && one.resolvers == other.resolvers && one.signIn.app == other.signIn.app
            && left.resources?.storage == right.resources?.storage
            && left.resources?.topics ?? [] == right.resources?.topics ?? []
            && left.resources?.identityGrants ?? IdentityRoleGrants()
                == right.resources?.identityGrants ?? IdentityRoleGrants()
    }

    /// Reads a project anew.
    ///
    /// - Parameters:
    ///   - own: the configuration without what any project says.
    ///   - former: what holds until now, of which the keys of `lasting` stay.
    ///   - report: is told what is wrong or odd, and which changes hold from the next start on.
    static func read(
        over own: ConfigurationResolver.Resolution, after former: ProjectDefinitions, report: (String) -> Void
    ) throws(StartError) -> ProjectDefinitions {
        let (project, resources): (FoundProject, Project)
        do throws(UnreadableSchema) {
            project = try own.findProject()
            resources = try project.value.get()
        } catch {
            throw StartError(error.code, error.description)
        }
        let errors = resources.diagnostics.filter(\.isError)
        guard errors.isEmpty else {
            throw StartError(.failure, errors.map(\.description).joined(separator: "\n"))
        }
        var resolution = own.taking(project)
        for (path, reason) in lasting {
            guard let file = resolution.keep(path, of: former.resolution) else { continue }
            // What users have to have follows from it.
            if path == "auth.pool.signIn" {
                for other in ["auth.pool.verify", "auth.pool.provedFirst", "auth.pool.requiredAttributes"] {
                    _ = resolution.keep(other, of: former.resolution)
                }
            }
            report("\(path): what \(file) says holds from the next start on, since \(reason)")
        }
        let told = Set(texts: former.resolution.warnings)
        for warning in resolution.warnings where !told.contains(ByteText(warning)) { report(warning) }
        let problems = resolution.functionProblems
        guard problems.isEmpty else {
            throw StartError(.configuration, ConfigurationError(problems: problems).description)
        }
        _ = try Deliveries.queues(
            of: resolution.configuration, region: resolution.configuration.region(nil))
        if resolution.configuration.auth.userPools.issuer == nil,
            let fault = BuiltInPool.faultOfTriggers(resolution.configuration)
        {
            throw StartError(.configuration, fault)
        }
        return ProjectDefinitions(resolution: resolution, resources: resources)
    }
}
