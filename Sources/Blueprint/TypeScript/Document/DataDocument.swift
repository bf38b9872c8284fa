import GraphQL

/// The document of Amplify's SDL that a `defineData` stands for, and what else it says.
struct DataDocument {
    var definitions: [Definition] = []
    /// A schema that is written in SDL itself.
    var text: PlacedValue?
    var functions: [String: FunctionReference] = [:]
    var handlers: [CustomHandler] = []
    /// What the definitions do not say themselves.
    var notes = DocumentNotes(isLenient: true)

    init(_ schema: PlacedValue, limits: TypeScriptLimits) throws(TypeScriptError) {
        switch schema.value {
        case .string: text = schema
        case .opaque(let opaque): throw opaque.error
        case .builder(let builder):
            if let error = builder.spoiledBy { throw error }
            if let one = builder as? SchemaBuilder {
                try write([one], limits: limits)
            } else if let combined = builder as? CombinedBuilder {
                try write(try Self.schemas(of: combined), limits: limits)
            } else {
                throw Self.noSchema(schema)
            }
        default: throw Self.noSchema(schema)
        }
    }

    private static func noSchema(_ found: PlacedValue) -> TypeScriptError {
        TypeScriptError("expected a schema of a.schema(...), found \(found.value.description)", at: found.position)
    }

    private static func schemas(of combined: CombinedBuilder) throws(TypeScriptError) -> [SchemaBuilder] {
        var schemas: [SchemaBuilder] = []
        var names: Set<String> = []
        var twice: [String] = []
        for placed in combined.schemas {
            if case .opaque(let opaque) = placed.value { throw opaque.error }
            guard case .builder(let builder) = placed.value, let schema = builder as? SchemaBuilder else {
                throw TypeScriptError("expected a schema, found \(placed.value.description)", at: placed.position)
            }
            if let error = schema.spoiledBy { throw error }
            schemas.append(schema)
            for entry in schema.entries where !names.insert(entry.part.name).inserted { twice.append(entry.part.name) }
        }
        guard twice.isEmpty else {
            let place = combined.schemas.first?.position ?? .none
            throw TypeScriptError(
                "The schemas you are attempting to combine have a name collision. Please remove or rename \(twice.joined(separator: ", ")).",
                at: place)
        }
        return schemas
    }

    private mutating func write(_ schemas: [SchemaBuilder], limits: TypeScriptLimits) throws(TypeScriptError) {
        let entries = SchemaEntries(schemas)
        var roots: [String: ObjectTypeDefinition] = [:]
        var hasConversations = false
        var names: Set<String> = []
        for schema in schemas {
            var writer = SchemaWriter(schema, entries: entries, limits: limits)
            try writer.write()
            functions.merge(writer.functions) { first, _ in first }
            handlers += writer.handlers
            if schema.isSQL { note(schema) }
            hasConversations = hasConversations || writer.hasConversations
            for definition in writer.definitions {
                guard case .type(let type) = definition else { continue }
                if schemas.count > 1, case .object(let root) = type, Self.rootNames.contains(root.name.text) {
                    try merge(root, into: &roots)
                } else if names.insert(type.name.text).inserted {
                    definitions.append(definition)
                } else if type.name.text != SchemaWriter.eventType {
                    throw TypeScriptError(
                        "There can be only one type named \"\(type.name.text)\".", at: type.position)
                }
            }
        }
        for name in Self.rootNames {
            guard let root = roots[name] else { continue }
            definitions.append(.type(.object(root)))
        }
        if hasConversations { definitions += ConversationTypes.definitions }
    }

    /// Takes note of what is to come from an SQL database.
    private mutating func note(_ schema: SchemaBuilder) {
        for entry in schema.entries {
            switch entry.part.builder {
            case is ModelBuilder: notes.sqlModels.insert(entry.part.name)
            case let operation as OperationBuilder:
                notes.sqlFields.insert(FieldPath(type: operation.kind.rawValue, field: entry.part.name))
            default: break
            }
        }
    }

    private static let rootNames = ["Mutation", "Query", "Subscription"]

    private func merge(
        _ root: ObjectTypeDefinition, into roots: inout [String: ObjectTypeDefinition]
    ) throws(TypeScriptError) {
        guard var known = roots[root.name.text] else {
            roots[root.name.text] = root
            return
        }
        for field in root.fields {
            guard !known.fields.contains(where: { $0.name.text == field.name.text }) else {
                throw TypeScriptError(
                    "The custom \(root.name.text) field '\(field.name.text)' was found in multiple definitions, but a field name cannot be shared between definitions.",
                    at: field.position)
            }
            known.fields.append(field)
        }
        roots[root.name.text] = known
    }
}
