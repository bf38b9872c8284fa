import Blueprint
import Project

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
    @Late var entries: [Entry] = []
    @Late var rules: [RuleBuilder] = []

    init(engine: Engine, _ arguments: BuilderArguments) throws(TypeScriptError) {
        self.engine = engine
        super.init()
        $entries.keep { () throws(TypeScriptError) in try arguments.parts(0).map { Entry(part: $0) } }
        shown = ["models": .object(try arguments.models())]
    }

    var isSQL: Bool { engine != .dynamodb }

    override var label: String { "a.schema(...)" }
    override var surface: BuilderSurface { isSQL ? Self.all : Self.ofDynamo }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $entries.read()
        try $rules.read()
        return entries.compactMap(\.part.builder) + rules
    }

    private static let ofDynamo = all.only("authorization")

    private static let all = BuilderSurface(
        [
            .authorization(\SchemaBuilder.$rules, .schema),
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
                try arguments.run(.models(schema), .schema(schema))
            },
            .modifier("setRelationships") { (schema: SchemaBuilder, arguments) throws(TypeScriptError) in
                try arguments.run(.models(schema), .schema(schema))
            },
            .modifier("renameModels") { (schema: SchemaBuilder, arguments) throws(TypeScriptError) in
                try schema.renameModels(arguments)
            },
        ], properties: ["models"])

    // MARK: Modifiers of a schema of SQL

    /// Amplify makes a new object of both here, so later changes of either are lost.
    private func add(_ arguments: BuilderArguments) throws(TypeScriptError) {
        var entries = try $entries.current()
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
        self.entries = entries
    }

    private func renameModels(_ arguments: BuilderArguments) throws(TypeScriptError) {
        let pairs = try arguments.pairs()
        let given = $entries
        let before = try given.current()
        var entries = before
        for (old, new) in pairs {
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
            if case .object(let models)? = shown["models"] { arguments.rename(name, to: newName, in: models) }
        }
        $entries.keep { () throws(TypeScriptError) in
            guard try given.current().map(\.part.name) == before.map(\.part.name) else {
                throw arguments.error("models are added to the schema, or taken from it, after `renameModels`")
            }
            return entries
        }
    }
}

extension Given {
    /// The text that it is, or how messages call it.
    fileprivate var name: String { if case .text(let text) = self { text } else { description } }
}
