import Blueprint
import Project

/// `a.model({...})`
final class ModelBuilder: Builder {
    @Late var fields: [NamedPart] = []
    @Late var identifier: [PlacedText]?
    @Late var indexes: [IndexBuilder] = []
    @Late var disabled: [String] = []
    @Late var rules: [RuleBuilder] = []

    init(_ arguments: BuilderArguments) {
        super.init()
        $fields.keep { () throws(TypeScriptError) in try arguments.parts(0) }
        shown = ["fields": arguments.value(0)]
    }

    override var label: String { "a.model(...)" }
    override var surface: BuilderSurface { Self.surface }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $fields.read()
        try $identifier.read()
        try $indexes.read()
        try $disabled.read()
        try $rules.read()
        return fields.compactMap(\.builder) + indexes + rules
    }

    static let surface = BuilderSurface(
        [
            .modifier("identifier") { (model: ModelBuilder, arguments) throws(TypeScriptError) in
                model.$identifier.keep { () throws(TypeScriptError) in try arguments.texts(0) }
            },
            .modifier("secondaryIndexes") { (model: ModelBuilder, arguments) throws(TypeScriptError) in
                model.$indexes.keep(try arguments.callback("an index", .index))
            },
            .modifier("disableOperations") { (model: ModelBuilder, arguments) throws(TypeScriptError) in
                model.$disabled.keep { () throws(TypeScriptError) in try disabled(arguments) }
            },
            .authorization(\ModelBuilder.$rules, .model),
            .modifier("relationships") { (model: ModelBuilder, arguments) throws(TypeScriptError) in
                // Amplify makes a new object of both here, so later changes of either are lost.
                var fields = try model.$fields.current()
                for part in try arguments.parts(0) {
                    if let number = fields.firstIndex(where: { $0.name == part.name }) {
                        fields[number] = part
                    } else {
                        fields.append(part)
                    }
                }
                model.fields = fields
            },
        ], properties: ["fields"], isOpen: true)

    private static func disabled(_ arguments: BuilderArguments) throws(TypeScriptError) -> [String] {
        let names = try arguments.texts(0)
        for name in names where !operations.contains(name.text) {
            throw arguments.error("there is no operation \"\(name.text)\" to disable", at: name.position)
        }
        return names.map(\.text)
    }

    private static let operations: Set = [
        "queries", "mutations", "subscriptions", "list", "get", "create", "update", "delete", "onCreate", "onUpdate",
        "onDelete",
    ]

    /// The names of the primary key.
    var keyNames: [String] { identifier?.map(\.text) ?? ["id"] }
}
