import Blueprint

/// `a.schema({...})`
final class SchemaBuilder: Builder {
    enum Engine: String {
        case dynamodb, mysql, postgresql
    }

    struct Entry {
        var part: NamedPart
        /// The name that a model of an SQL database has there.
        var storedName: String?
    }

    let engine: Engine
    var entries: [Entry]
    var rules: [RuleBuilder] = []

    init(engine: Engine, entries: [Entry]) {
        self.engine = engine
        self.entries = entries
    }

    var isSQL: Bool { engine != .dynamodb }

    override var label: String { "a.schema(...)" }
    override var surface: BuilderSurface { isSQL ? Self.all : Self.ofDynamo }

    private static let ofDynamo = all.only("authorization")

    private static let all = BuilderSurface(
        [
            .authorization(\SchemaBuilder.rules, .schema),
            .modifier("addToSchema") { (schema: SchemaBuilder, arguments) throws(TypeScriptError) in
                try schema.add(arguments)
            },
            .modifier("addQueries") { (schema: SchemaBuilder, arguments) throws(TypeScriptError) in
                try schema.add(arguments)
            },
            .modifier("addMutations") { (schema: SchemaBuilder, arguments) throws(TypeScriptError) in
                try schema.add(arguments)
            },
            .modifier("addSubscriptions") { (schema: SchemaBuilder, arguments) throws(TypeScriptError) in
                try schema.add(arguments)
            },
            .modifier("setAuthorization") { (schema: SchemaBuilder, arguments) throws(TypeScriptError) in
                _ = try arguments.callback(.models(schema), .schema(schema))
            },
            .modifier("setRelationships") { (schema: SchemaBuilder, arguments) throws(TypeScriptError) in
                _ = try arguments.callback(.models(schema), .schema(schema))
            },
            .modifier("renameModels") { (schema: SchemaBuilder, arguments) throws(TypeScriptError) in
                try schema.renameModels(arguments)
            },
        ], properties: ["models"])

    // MARK: Modifiers of a schema of SQL

    private func add(_ arguments: BuilderArguments) throws(TypeScriptError) {
        for part in try arguments.parts(0) {
            guard !(part.builder is ModelBuilder) else {
                throw arguments.error(
                    "Invalid value specified for \(part.name) in \(arguments.function)(). Models cannot be manually added to a SQL schema.",
                    at: part.position)
            }
            // What is there already keeps its place.
            if let number = entries.firstIndex(where: { $0.part.name == part.name }) {
                entries[number].part = part
            } else {
                entries.append(Entry(part: part))
            }
        }
    }

    private func renameModels(_ arguments: BuilderArguments) throws(TypeScriptError) {
        for (old, new) in try arguments.pairs() {
            guard case .text(let name) = old.value,
                let number = entries.firstIndex(where: { $0.part.name == name })
            else {
                throw arguments.error(
                    "Invalid renameModels call. \(old.value.name) is not defined in the schema", at: old.position)
            }
            guard case .text(let newName) = new.value, !newName.isEmpty else {
                throw arguments.error(
                    "Invalid renameModels call. New name must be a non-empty string. Received: \"\(new.value.name)\"",
                    at: new.position)
            }
            // A name that stays is no other name.
            guard newName != name else { continue }
            var entry = entries.remove(at: number)
            entry.storedName = entry.storedName ?? name
            entry.part = NamedPart(name: newName, position: new.position, value: entry.part.value)
            entries.append(entry)
        }
    }
}

extension Given {
    /// The text that it is, or how messages call it.
    fileprivate var name: String { if case .text(let text) = self { text } else { description } }
}
