import GraphQL

/// The rules of the language for a schema in Amplify's dialect. They are GraphQL's own: the directives of the transformer's
/// version, with the types of their arguments, stand behind the schema as its prelude.
struct LanguageRules {
    private let document: SchemaDocument
    private let set: DirectiveSet

    init(_ definitions: [Definition], directives set: DirectiveSet) {
        self.set = set
        document = SchemaDocument(
            Document(definitions: definitions), prelude: Self.prelude(of: set, for: definitions),
            language: DirectiveSet.languageScalars)
    }

    /// A schema without the type that queries start at is checked as if it had one named Query: models make one.
    private static func prelude(of set: DirectiveSet, for definitions: [Definition]) -> Document {
        let usual = RootTypes().query
        var query = usual
        for case .schema(let schema) in definitions {
            query = schema.operationTypes.first { $0.operation == .query }?.type.text ?? query
            break
        }
        let hasQuery = definitions.contains { definition in
            guard case .type(let type) = definition else { return false }
            return type.name.text == query || type.name.text == usual
        }
        guard !hasQuery else { return set.prelude }
        let made = ObjectTypeDefinition(name: Name(usual), fields: [])
        return Document(definitions: set.prelude.definitions + [.type(.object(made))])
    }

    /// What is wrong with names: what is defined is defined once, what is used is defined.
    ///
    /// - Parameters:
    ///   - extensions: what was wrong with extensions, which is not said again.
    ///   - plugIns: the plug-ins of the project's transformer: an unknown directive may be theirs.
    func checkNames(plugIns: [String], after extensions: DiagnosticLog) -> DiagnosticLog {
        var log = DiagnosticLog()
        for finding in SchemaValidation.findings(
            in: document, by: SchemaValidation.nameRules + [AmplifyNames.self])
        {
            let position = finding.error.positions.last ?? .none
            let isOfExtensions = finding.rule == UniqueMemberNames.self || finding.rule == PossibleTypeExtensions.self
            if isOfExtensions, extensions.hasError(at: position) { continue }
            if finding.rule == DefinedDirectives.self, let name = finding.name {
                addUnknown(name, at: position, finding.error, plugIns: plugIns, to: &log)
            } else if finding.rule == UniqueArgumentNames.self, let name = finding.name {
                // Who sees the line needs no type.
                log.error("Argument \"\(name)\" can only be defined once.", at: position, step: .language)
            } else {
                log.error(finding.error.message, at: position, step: .language)
            }
        }
        return log
    }

    private func addUnknown(
        _ name: String, at position: Position, _ error: SchemaError, plugIns: [String], to log: inout DiagnosticLog
    ) {
        guard !set.othersNames.contains(name) else { return }
        guard plugIns.isEmpty else {
            log.warning(
                "@\(name) is left out: it is a directive of a plug-in (\(plugIns.joined(separator: ", "))), and plug-ins do not "
                    + "run here", at: position, step: .language,
                hint: "The plug-ins are those that transform.conf.json names. What they add to the API is not there.")
            return
        }
        let near = Suggestions.list(for: name, among: document.directiveNames).first
        log.error(error.message, at: position, step: .language, hint: near.map { "Did you mean @\($0)?" })
    }

    /// What is wrong with the values of directives' arguments.
    func checkValues(log: inout DiagnosticLog) {
        for finding in SchemaValidation.findings(in: document, by: SchemaValidation.valueRules) {
            log.error(finding.error.message, at: finding.error.positions.last ?? .none, step: .values)
        }
    }
}
