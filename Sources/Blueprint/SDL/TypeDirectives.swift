import GraphQL

/// `@mapsTo`, `@refersTo` and `@searchable`: where a model's data is stored, and whether it can be searched.
extension SDLReading {
    mutating func readStoredNames() {
        for (directive, transformer) in [("mapsTo", DiagnosticLog.Transformer.mapsTo), ("refersTo", .refersTo)] {
            for use in uses(of: directive, step: .visit(transformer)) {
                guard let name = use.directive.text("name") else { continue }
                if let message = storedNameRefusal(name, use) {
                    log.error(
                        message, at: use.position, step: .visit(transformer),
                        hint: directive == "refersTo"
                            ? "Use @mapsTo: Homeport keeps models as DynamoDB models are kept." : nil)
                } else if use.field == nil {
                    models[use.typeName]?.storedName = name
                }
            }
        }
    }

    private func storedNameRefusal(_ name: String, _ use: DirectiveUse) -> String? {
        let directive = use.directive.name.text
        let type = use.typeName
        guard use.owner.isModel else {
            return "@\(directive) is not supported on type \(type). It can only be used on a @model type."
        }
        guard directive == "mapsTo" || notes.sqlModels.contains(type) else {
            return "@refersTo is only supported on SQL models. \(type) is not a SQL model."
        }
        let start = "Cannot apply @\(directive) with name \"\(name)\" on type \"\(type)\" because "
        if schema.isModel(name) { return start + "\"\(name)\" model already exists in the schema." }
        let twin = schema.models.first { model in
            model.name.text != type && model.directives.first(named: directive)?.text("name") == name
        }
        return twin.map { start + "\"\($0.name)\" model already has the same name mapping." }
    }

    mutating func readSearches() {
        for use in uses(of: "searchable", step: .visit(.searchable)) {
            guard use.owner.isModel else {
                log.error(
                    "Types annotated with @searchable must also be annotated with @model.", at: use.position,
                    step: .visit(.searchable))
                continue
            }
            if !settings.allowGen1Patterns {
                log.warning("@searchable is deprecated.", at: use.position, step: .visit(.model))
            }
            if let queries = use.directive.object("queries") {
                guard let name = queries.value("search")?.text, !name.isEmpty else { continue }
                models[use.typeName]?.search = SearchQuery(name: name)
            } else {
                models[use.typeName]?.search = SearchQuery(
                    name: Names.search(use.typeName, plural: settings.plural(of:)))
            }
        }
    }
}
