import Blueprint
import GraphQL
import Project

/// The document of Amplify's SDL that a `defineData` stands for, and what else it says.
struct DataDocument {
    var definitions: [Definition] = []
    /// A schema that is written in SDL itself.
    var text: String?
    var functions: [String: FunctionReference] = [:]
    /// What functions may do, by the names that Amplify gives them; who is not there is not spoken of.
    var functionGrants: [String: DataOperations] = [:]
    var handlers: [CustomHandler] = []
    /// The files that SQL statements lie in.
    var statementFiles: [PlacedText] = []
    /// What the definitions do not say themselves.
    var notes = DocumentNotes(isOfTypeScript: true)

    init(_ options: DataOptions, limits: TypeScriptLimits) throws(TypeScriptError) {
        switch options.schema {
        case .several(let schemas, let place)?:
            try write(try Self.schemas(schemas), areCombined: false, at: place, limits: limits)
        case .one(let schema)?: try write(schema, limits: limits)
        case nil: break
        }
    }

    private mutating func write(_ schema: PlacedGiven, limits: TypeScriptLimits) throws(TypeScriptError) {
        if case .text(let text) = schema.value {
            self.text = text
        } else if let combined = schema.value.builder as? CombinedBuilder {
            let schemas = try Self.schemas(combined.schemas)
            try Self.checkNames(of: schemas, at: combined.schemas.first?.position ?? schema.position)
            try write(schemas, areCombined: true, at: schema.position, limits: limits)
        } else {
            try write(try Self.schemas([schema]), areCombined: true, at: schema.position, limits: limits)
        }
    }

    private static func schemas(_ given: [PlacedGiven]) throws(TypeScriptError) -> [SchemaBuilder] {
        var schemas: [SchemaBuilder] = []
        for given in given { schemas.append(try given.builder("a schema of a.schema(...)")) }
        return schemas
    }

    private static func checkNames(of schemas: [SchemaBuilder], at place: Position) throws(TypeScriptError) {
        var names: Set<String> = []
        var twice: [String] = []
        for entry in schemas.flatMap(\.entries) where !names.insert(entry.part.name).inserted {
            twice.append(entry.part.name)
        }
        guard twice.isEmpty else {
            throw TypeScriptError(
                "The schemas you are attempting to combine have a name collision. Please remove or rename \(twice.joined(separator: ", ")).",
                at: place)
        }
    }

    /// - Parameter areCombined: whether the schemas know each other's entries.
    private mutating func write(
        _ schemas: [SchemaBuilder], areCombined: Bool, at place: Position, limits: TypeScriptLimits
    ) throws(TypeScriptError) {
        guard !schemas.isEmpty else {
            throw TypeScriptError("The definitions of amplify GraphQL cannot be empty.", at: place)
        }
        let all = SchemaEntries(schemas)
        var roots: [String: ObjectTypeDefinition] = [:]
        var hasConversations = false
        var names: Set<String> = []
        for schema in schemas {
            let entries = areCombined ? all : SchemaEntries([schema])
            for rule in schema.rules where rule.strategy == .resource {
                guard let name = rule.function?.givenName else { continue }
                functionGrants[name, default: []].formUnion(DataOperations(rule.operations))
            }
            var writer = SchemaWriter(schema, at: place, entries: entries, limits: limits)
            try writer.write()
            functions.merge(writer.functions) { first, _ in first }
            handlers += writer.handlers
            statementFiles += writer.statementFiles
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
