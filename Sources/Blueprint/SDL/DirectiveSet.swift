import GraphQL

/// The directives that a schema for one version of the transformer may use.
struct DirectiveSet: Sendable {
    /// Their definitions, with the types of their arguments.
    let document: Document
    let definitions: [String: DirectiveDefinition]
    /// Those of the other version. That a schema uses them is said once for all of them.
    let othersNames: Set<String>

    /// Directives that mean something when they are applied in a schema.
    let applied: Set<String>

    private init(_ document: Document, othersNames: Set<String>) {
        self.document = document
        self.othersNames = othersNames
        definitions = AmplifyDirectives.definitions(document)
        applied = AmplifyDirectives.kept.union(definitions.keys)
    }

    static let version1 = DirectiveSet(Version1Directives.document, othersNames: Version1Directives.successors)
    static let version2 = DirectiveSet(AmplifyDirectives.amplify, othersNames: LegacyDirectives.names)

    static func version(_ number: Int) -> DirectiveSet { number == 1 ? version1 : version2 }
}
