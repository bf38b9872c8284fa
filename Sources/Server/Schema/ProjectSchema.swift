import Blueprint
import Engine
import GraphQL

/// A project's schema with its API: the blueprint and the API, unless it is refused, and all that is to be said of it.
package struct ProjectSchema: Sendable {
    let reading: ProjectReading
    /// Errors, warnings and notes, in the order in which the transformer would come to them.
    package let diagnostics: [Diagnostic]
    /// Nil when there are errors.
    package let api: APISchema?
    package let blueprint: Blueprint?

    /// Makes the API of what was read.
    init(_ reading: ProjectReading) {
        self.reading = reading
        let check = SchemaCheck(of: reading.reading, in: reading.sources)
        (diagnostics, api, blueprint) = (reading.notes + check.diagnostics, check.api, check.blueprint)
    }

    /// Finds the schema of a configuration, reads it, and makes its API.
    package static func read(
        _ resolution: ConfigurationResolver.Resolution
    ) throws(UnreadableSchema) -> ProjectSchema {
        ProjectSchema(try ProjectReading(resolution))
    }

    /// The demands of the schema on an engine; nil when it has errors. Throws what is wrong with it where Amplify's
    /// transformer lets pass what AppSync refuses.
    ///
    /// - Parameter isStart: leaves for later what only Homeport itself can have done wrong.
    func design(_ settings: EngineSettings, isStart: Bool = false) throws(SchemaErrors) -> EngineDesign? {
        guard let api, let blueprint else { return nil }
        return try EngineDesign(api, of: blueprint, settings, isStart: isStart)
    }

    /// The message about a schema whose API AppSync would refuse: the same at a start as in a check.
    static func refusal(_ errors: SchemaErrors) -> Diagnostic {
        Diagnostic(severity: .error, message: "AppSync would refuse the API of this schema: \(errors)")
    }
}
