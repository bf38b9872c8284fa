import GraphQL

/// A schema read and its API made: all that can be said of it, and, unless it is refused, what it stands for.
///
///     let check = SchemaCheck(of: sources, settings: settings)
///     for diagnostic in check.diagnostics { print(diagnostic) }
///     if let api = check.api { print(api.printed(authDirectives: false)) }
package struct SchemaCheck: Sendable {
    /// Nil when the schema is refused.
    package let blueprint: Blueprint?
    /// Nil when the schema is refused.
    package let api: APISchema?
    /// Errors, warnings and notes, in the order in which Amplify would come to them.
    package let diagnostics: [Diagnostic]

    package init(of sources: [Source], settings: Settings = Settings()) {
        self.init(of: SDLReader.read(sources, settings: settings), in: sources)
    }

    /// Makes the API of a schema that has been read, in whatever language.
    package init(of reading: Reading, in sources: [Source]) {
        guard let blueprint = reading.blueprint else {
            self.init(blueprint: nil, api: nil, diagnostics: reading.diagnostics)
            return
        }
        let made = APISchema.generate(from: blueprint, sources: sources)
        let diagnostics = reading.diagnostics + made.diagnostics
        let isRefused = diagnostics.contains(where: \.isError)
        self.init(
            blueprint: isRefused ? nil : blueprint, api: isRefused ? nil : made.schema, diagnostics: diagnostics)
    }

    private init(blueprint: Blueprint?, api: APISchema?, diagnostics: [Diagnostic]) {
        self.blueprint = blueprint
        self.api = api
        self.diagnostics = diagnostics
    }

    package var errors: [Diagnostic] { diagnostics.filter(\.isError) }
}
