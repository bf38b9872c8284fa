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

/// `@key` and `@versioned`.
extension SDLReading {
    mutating func readLegacyKeys() {
        var names: [String: Set<String>] = [:]
        for use in schema.uses["key"] ?? [] {
            let type = use.typeName
            let step = DiagnosticLog.Step.visit(.primaryKey)
            guard models[type] != nil else {
                log.error("Types annotated with @key must also be annotated with @model.", at: use.position, step: step)
                continue
            }
            let name = use.directive.text("name")
            guard names[type, default: []].insert(name ?? "").inserted else {
                log.error(
                    name.map { "You may only supply one @key with the name '\($0)' on type '\(type)'." }
                        ?? "You may only supply one primary @key on type '\(type)'.", at: use.position, step: step)
                continue
            }
            if let message = legacyKeyRefusal(use, name: name) {
                log.error(message, at: use.position, step: step)
                continue
            }
            addLegacyKey(use, name: name)
        }
        for use in schema.uses["versioned"] ?? [] { readVersioning(use) }
    }

    private func legacyKeyRefusal(_ use: DirectiveUse, name: String?) -> String? {
        let type = use.typeName
        if name == nil, use.directive.text("queryField") != nil {
            return "You cannot pass 'queryField' to the primary @key on type '\(type)'."
        }
        for fieldName in use.directive.texts("fields") ?? [] {
            guard let field = use.owner.fields.first(where: { $0.name.text == fieldName }) else {
                return "You cannot specify a nonexistent field '\(fieldName)' in @key '\(name ?? "primary")' on type "
                    + "'\(type)'."
            }
            guard schema.isScalarOrEnum(field.type), !field.isList else {
                return "A @key on type '\(type)' cannot reference non-scalar field \(fieldName)."
            }
            guard name != nil || field.isRequired else {
                return "The primary @key on type '\(type)' must reference non-null fields."
            }
        }
        return nil
    }

    private mutating func addLegacyKey(_ use: DirectiveUse, name: String?) {
        let type = use.typeName
        let parts = (use.directive.texts("fields") ?? []).compactMap { models[type]?.keyPart($0) }
        guard let partition = parts.first else { return }
        let sort = Array(parts.dropFirst())
        let sortNames = sort.map { "\"\($0.field)\"" }.joined(separator: ", ")
        let sortText = sort.isEmpty ? "" : "sortKeyFields: [\(sortNames)]"
        guard let name else {
            models[type]?.key = ModelKey(partition: partition, sort: sort, isCustom: true)
            models[type]?.keyPosition = use.position
            log.note(
                "@key on \(type) is read as \(partition.field) @primaryKey\(sort.isEmpty ? "" : "(\(sortText))")",
                at: use.position, step: .visit(.primaryKey))
            return
        }
        let query = use.directive.text("queryField")
        addIndex(ModelIndex(name: name, partition: partition, sort: sort, query: query), to: type, at: use.position)
        let arguments = ["name: \"\(name)\"", sortText, "queryField: \(query.map { "\"\($0)\"" } ?? "null")"]
        log.note(
            "@key \"\(name)\" on \(type) is read as \(partition.field) @index("
                + arguments.filter { !$0.isEmpty }.joined(separator: ", ") + ")",
            at: use.position, step: .visit(.index))
    }

    private mutating func readVersioning(_ use: DirectiveUse) {
        let versioning = Versioning(
            field: use.directive.text("versionField") ?? "version",
            input: use.directive.text("versionInput") ?? "expectedVersion")
        guard models[use.typeName] != nil else {
            log.error(
                "Types annotated with @versioned must also be annotated with @model.", at: use.position,
                step: .visit(.model))
            return
        }
        let declared = use.owner.fields.first { $0.name.text == versioning.field }
        if let declared, !["Int", "BigInt"].contains(declared.typeName) {
            log.error(
                "The versionField \"\(versioning.field)\" is required to be of type \"Int\" or \"BigInt\".",
                at: use.position, step: .visit(.model))
            return
        }
        models[use.typeName]?.versioning = versioning
        log.note(
            "@versioned on \(use.typeName) gives it \(versioning.field), which updates must name as \(versioning.input)",
            at: use.position, step: .visit(.model))
    }
}
