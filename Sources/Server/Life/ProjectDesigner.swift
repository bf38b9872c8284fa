import Blueprint
import Engine
import GraphQL
import JSON

/// Reads a project's schema and makes its API, at a start and whenever it has changed. What is to be said of it is said.
struct ProjectDesigner: Sendable {
    let resolution: ConfigurationResolver.Resolution
    let log: Log
    /// The callers of language models; nil where nothing is served.
    var assistants: LanguageAssistants?
    /// The data sources of the app's own resolvers; nil where nothing is served.
    var resolvers: ResolverBackend?
    /// The warnings of the project that the log has already.
    var told = ToldNotices()

    func reading() throws(StartError) -> ProjectReading {
        do throws(UnreadableSchema) { return try ProjectReading(resolution) } catch {
            throw StartError(error.code, error.description)
        }
    }

    /// Makes the schema's API. What is wrong with the schema stands in the output as `homeport check` prints it.
    ///
    /// - Parameter isStart: leaves for later what only Homeport itself can have done wrong.
    func design(
        of reading: ProjectReading, _ output: CommandOutput, isStart: Bool = false
    ) throws(StartError) -> EngineDesign {
        let schema = ProjectSchema(reading)
        if let blueprint = schema.blueprint { try checkKeys(of: blueprint) }
        let report = StartReport(output, log)
        report.tell(told.new(schema.diagnostics))
        var settings = resolution.configuration.engine
        settings.givenFunctionNames = reading.givenNames
        settings.report = { [log] in log.warning($0) }
        settings.trace = log.trace
        settings.assistants = assistants
        if let resolvers, let blueprint = schema.blueprint {
            settings.resolvers = ProjectResolvers(resolution.configuration.resolvers, blueprint, resolvers)
        }
        settings.tellOfHandlers = { [log] in log.info($0) }
        do throws(SchemaErrors) {
            if let design = try schema.design(settings, isStart: isStart) {
                report.tell(told.new(ProjectNotices.all(of: schema, resolution, now: Timestamp.now.seconds)))
                return design
            }
        } catch {
            report.tell([ProjectSchema.refusal(error)])
        }
        throw StartError(.failure, "the schema has errors")
    }

    private func checkKeys(of blueprint: Blueprint) throws(StartError) {
        let settings = blueprint.settings
        let modes =
            (blueprint.hasAPI ? settings.modes : [])
            + resolution.configuration.eventAPI.modes(default: settings.defaultMode)
        guard let problem = resolution.keyProblem(of: modes, now: Timestamp.now.seconds) else { return }
        throw StartError(.configuration, problem.description)
    }
}
