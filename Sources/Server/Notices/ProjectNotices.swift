import Blueprint

/// The notes of a check and a start on a project whose schema is right: operations that will not answer as their author expects.
///
///     OpenOperationNotices   what version 1 opens to everybody of the default mode
///     HandlerNotices         fields that nothing computes, functions without an address
///     ResolverNotices        resolvers of the project's own: what does not run, and what AppSync would refuse
///     CredentialNotices      modes in which nobody can prove who they are
///     NameNotices            settings that name what is not there
///     TypeNameNotices        types that AppSync refuses when they are deployed
enum ProjectNotices {
    static func all(
        of schema: ProjectSchema, _ resolution: ConfigurationResolver.Resolution, now: Int64
    ) -> [Diagnostic] {
        guard let blueprint = schema.blueprint, blueprint.hasAPI else { return [] }
        let resolvers = ResolverNotices(schema, blueprint, resolution.configuration)
        let handlers = HandlerNotices(schema, blueprint, resolution.configuration, called: resolvers.functions)
        return OpenOperationNotices(blueprint).diagnostics
            + schema.reading.missingFiles.map { Diagnostic(asWarning: $0) } + handlers.diagnostics
            + TypeNameNotices(blueprint, in: schema).diagnostics + resolvers.warnings
            + CredentialNotices(blueprint, resolution, now: now).diagnostics
            + NameNotices(blueprint, resolution, functions: handlers.functionNames).diagnostics(
                unused: handlers.unusedFunctions)
    }
}
