import Blueprint
import GraphQL

/// `a.hasMany(...)`, `a.hasOne(...)`, `a.belongsTo(...)`
final class RelationBuilder: Builder {
    enum Kind: String {
        case hasMany, hasOne, belongsTo
    }

    let kind: Kind
    let target: String
    let position: Position
    let references: [String]
    var isRequired = false
    var rules: [RuleBuilder] = []

    init(kind: Kind, target: String, position: Position, references: [String]) {
        self.kind = kind
        self.target = target
        self.position = position
        self.references = references
    }

    override var label: String { "a.\(kind.rawValue)(...)" }
    override var surface: BuilderSurface { Self.surfaces[kind] ?? .none }

    private static let surfaces: [Kind: BuilderSurface] = [
        .hasMany: all.without("required"), .hasOne: all.without("valueRequired"), .belongsTo: all.only("authorization"),
    ]

    private static let all = BuilderSurface([
        .flag("valueRequired", \RelationBuilder.isRequired),
        .flag("required", \RelationBuilder.isRequired),
        .authorization(\RelationBuilder.rules, .field),
    ])
}
