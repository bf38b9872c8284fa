import Blueprint
import GraphQL
import Project

/// `a.hasMany(...)`, `a.hasOne(...)`, `a.belongsTo(...)`
final class RelationBuilder: Builder {
    enum Kind: String {
        case hasMany, hasOne, belongsTo
    }

    let kind: Kind
    let target: String
    let position: Position
    @Late var references: [String] = []
    var isRequired = false
    @Late var rules: [RuleBuilder] = []

    init(kind: Kind, _ arguments: BuilderArguments) throws(TypeScriptError) {
        let name = try arguments.text(0)
        self.kind = kind
        target = name.text
        position = name.position
        super.init()
        $references.keep { () throws(TypeScriptError) in try arguments.texts(1, orOne: true).map(\.text) }
    }

    override var label: String { "a.\(kind.rawValue)(...)" }
    override var surface: BuilderSurface { Self.surfaces[kind] ?? .none }

    override func read() throws(TypeScriptError) -> [Builder] {
        try $references.read()
        try $rules.read()
        return rules
    }

    private static let surfaces: [Kind: BuilderSurface] = [
        .hasMany: all.without("required"), .hasOne: all.without("valueRequired"), .belongsTo: all.only("authorization"),
    ]

    private static let all = BuilderSurface(
        [
            .flag("valueRequired", \RelationBuilder.isRequired),
            .flag("required", \RelationBuilder.isRequired),
            .authorization(\RelationBuilder.$rules, .field),
        ], isOpen: true)
}
