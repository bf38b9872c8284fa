import Blueprint

/// `a.model({...})`
final class ModelBuilder: Builder {
    var fields: [NamedPart]
    var identifier: [PlacedText]?
    var indexes: [IndexBuilder] = []
    var disabled: [String] = []
    var rules: [RuleBuilder] = []

    init(fields: [NamedPart]) {
        self.fields = fields
    }

    override var label: String { "a.model(...)" }
    override var surface: BuilderSurface { Self.surface }

    static let surface = BuilderSurface(
        [
            .modifier("identifier") { (model: ModelBuilder, arguments) throws(TypeScriptError) in
                model.identifier = try arguments.texts(0)
            },
            .modifier("secondaryIndexes") { (model: ModelBuilder, arguments) throws(TypeScriptError) in
                model.indexes = try arguments.callback("an index", .index)
            },
            .modifier("disableOperations") { (model: ModelBuilder, arguments) throws(TypeScriptError) in
                let names = try arguments.texts(0)
                for name in names where !operations.contains(name.text) {
                    throw arguments.error("there is no operation \"\(name.text)\" to disable", at: name.position)
                }
                model.disabled = names.map(\.text)
            },
            .authorization(\ModelBuilder.rules, .model),
            .modifier("relationships") { (model: ModelBuilder, arguments) throws(TypeScriptError) in
                model.fields += try arguments.parts(0)
            },
        ], properties: ["fields"])

    private static let operations: Set = [
        "queries", "mutations", "subscriptions", "list", "get", "create", "update", "delete", "onCreate", "onUpdate",
        "onDelete",
    ]

    /// The names of the primary key.
    var keyNames: [String] { identifier?.map(\.text) ?? ["id"] }
}
