import GraphQL

/// The directives of Amplify's first transformer. Projects that say `transformerVersion: 1` may use them.
enum LegacyDirectives {
    static let names: Set<String> = ["connection", "key", "versioned"]

    /// Where a schema uses directives of some names.
    static func used(_ names: Set<String>, in definitions: [Definition]) -> [Directive] {
        var found: [Directive] = []
        for definition in definitions {
            guard case .type(let type) = definition else { continue }
            found += type.directives
            if case .object(let object) = type { found += object.fields.flatMap(\.directives) }
            if case .interface(let interface) = type { found += interface.fields.flatMap(\.directives) }
        }
        return found.filter { names.contains($0.name.text) }
    }

    /// Says that a schema uses them though its project does not say so.
    ///
    /// - Parameter isAlone: whether nothing else is wrong with the language of the schema.
    static func refuse(_ definitions: [Definition], isAlone: Bool, log: inout DiagnosticLog) {
        let used = used(names, in: definitions)
        guard let first = used.first else { return }
        var names: [String] = []
        for directive in used where !names.contains(directive.name.text) { names.append(directive.name.text) }
        let list = names.map { "\"@\($0)\"" }.joined(separator: ", ")
        log.error(
            "Your GraphQL Schema is using \(list) \(names.count > 1 ? "directives" : "directive") from an older version "
                + "of the GraphQL Transformer. Visit https://docs.amplify.aws/cli/migration/transformer-migration/ to "
                + "learn how to migrate your GraphQL schema."
                + (isAlone ? "" : " There are additional validation errors listed below"), at: first.position,
            step: .language,
            hint: "To serve the schema as it is, set \"transformerVersion\": 1 under \"features\" in the configuration."
        )
    }
}
