import GraphQL

/// The directives that a schema for one version of the transformer may use.
struct DirectiveSet: Sendable {
    /// Their definitions, with the types of their arguments, and what AppSync adds to them.
    let prelude: Document
    let definitions: [String: DirectiveDefinition]
    /// Those of the other version. That a schema uses them is said once for all of them.
    let othersNames: Set<String>

    /// Directives that mean something when they are applied in a schema.
    let applied: Set<String>

    private init(_ document: Document, othersNames: Set<String>) {
        let scalars = ScalarKind.appSyncScalars.map { Definition.type(.scalar(ScalarTypeDefinition(name: Name($0)))) }
        prelude = Document(
            definitions: document.definitions + scalars + AmplifyDirectives.service.definitions)
        self.othersNames = othersNames
        definitions = AmplifyDirectives.definitions(document)
        applied = AmplifyDirectives.kept.union(definitions.keys)
    }

    /// The scalars of the language itself.
    static let languageScalars = Document(
        definitions: ["String", "Int", "Float", "Boolean", "ID"].map {
            .type(.scalar(ScalarTypeDefinition(name: Name($0))))
        })

    static let serviceNames = Set(AmplifyDirectives.definitions(AmplifyDirectives.service).keys)

    static let version1 = DirectiveSet(Version1Directives.document, othersNames: Version1Directives.successors)
    static let version2 = DirectiveSet(AmplifyDirectives.amplify, othersNames: LegacyDirectives.names)

    static func version(_ number: Int) -> DirectiveSet { number == 1 ? version1 : version2 }
}
