import GraphQL

/// What a builder function of `a` gives: an object that its modifiers change.
///
/// A modifier changes the object itself and gives it back, so `const r = s.required()` changes `s` too.
class Builder {
    /// Where it was made.
    var madeAt = Position.none
    /// How messages call it, such as `a.enum(...)`.
    var label: String { "a builder" }
    /// The names of its modifiers.
    var modifiers: [String] { [] }
    /// Modifiers that may be called once in a chain.
    var onceOnly: Set<String> { Set(modifiers) }
    /// The names of what can be read from it.
    var properties: [String] { [] }
}

/// A scalar field: `a.string()` and its like.
final class FieldBuilder: Builder {
    enum Standard {
        case text(String)
        /// The database makes the value.
        case generated
        /// No value that a default can have; the first field of an identifier has none anyway.
        case refused(TypeScriptError)
    }

    struct Validation {
        let rule: String
        let value: String
        let message: String?
        let position: Position
    }

    let kind: String
    let typeName: String
    var isElementRequired = false
    var isList = false
    var isListRequired = false
    var standard: (value: Standard, position: Position)?
    var rules: [RuleBuilder] = []
    var validations: [Validation] = []
    var lastCall = ""

    init(kind: String, typeName: String) {
        self.kind = kind
        self.typeName = typeName
    }

    override var label: String { "a.\(kind)()" }
    override var modifiers: [String] { ["required", "array", "default", "authorization", "validate"] }
    override var onceOnly: Set<String> { ["array", "default", "authorization", "validate"] }

    static let typeNames: [String: String] = [
        "id": "ID", "string": "String", "integer": "Int", "float": "Float", "boolean": "Boolean", "date": "AWSDate",
        "time": "AWSTime", "datetime": "AWSDateTime", "timestamp": "AWSTimestamp", "email": "AWSEmail",
        "json": "AWSJSON", "phone": "AWSPhone", "url": "AWSURL", "ipAddress": "AWSIPAddress",
    ]
}

/// A reference by name: `a.ref('Name')`.
final class ReferenceBuilder: Builder {
    let target: String
    let position: Position
    var isElementRequired = false
    var isList = false
    var isListRequired = false
    var rules: [RuleBuilder] = []
    var mutations: [String] = []

    init(target: String, position: Position) {
        self.target = target
        self.position = position
    }

    override var label: String { "a.ref(...)" }
    override var modifiers: [String] { ["required", "array", "authorization", "mutations"] }
    override var onceOnly: Set<String> { ["array", "authorization", "mutations"] }
}

/// `a.enum([...])`
final class EnumBuilder: Builder {
    let values: [PlacedText]

    init(values: [PlacedText]) {
        self.values = values
    }

    override var label: String { "a.enum(...)" }
    override var properties: [String] { ["values"] }
}

/// `a.customType({...})`
final class TypeBuilder: Builder {
    let fields: [NamedPart]

    init(fields: [NamedPart]) {
        self.fields = fields
    }

    override var label: String { "a.customType(...)" }
}

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
    override var modifiers: [String] {
        switch kind {
        case .hasMany: ["valueRequired", "authorization"]
        case .hasOne: ["required", "authorization"]
        case .belongsTo: ["authorization"]
        }
    }
}

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
    override var modifiers: [String] {
        ["identifier", "secondaryIndexes", "disableOperations", "authorization", "relationships"]
    }
    override var properties: [String] { ["fields"] }

    /// The names of the primary key.
    var keyNames: [String] { identifier?.map(\.text) ?? ["id"] }
}

/// `index('field')` in a callback of `.secondaryIndexes`
final class IndexBuilder: Builder {
    enum QueryField {
        case standard, none
        case named(String)
    }

    enum Projection {
        case keysOnly
        case include([String])
    }

    let field: PlacedText
    var sortFields: [PlacedText] = []
    var name: String?
    var queryField = QueryField.standard
    var projection: Projection?

    init(field: PlacedText) {
        self.field = field
    }

    override var label: String { "index(...)" }
    override var modifiers: [String] { ["sortKeys", "name", "queryField", "projection"] }
}

/// A rule of `allow`.
final class RuleBuilder: Builder {
    /// Where the `allow` stands that makes a rule: it decides which rules there are.
    enum Place: String {
        case schema, model, field, operation, conversation
    }

    enum Strategy: String {
        case everyone = "public"
        case signedIn = "private"
        case owner, groups, custom, resource
    }

    let call: String
    let place: Place
    let strategy: Strategy
    let provider: String?
    var field: String?
    var isFieldList = false
    var groups: [String]?
    var operations: [String]?
    var claim: String?
    /// What `allow.resource` names.
    var function: FunctionReference?

    init(call: String, place: Place, strategy: Strategy, provider: String?) {
        self.call = call
        self.place = place
        self.strategy = strategy
        self.provider = provider
    }

    override var label: String { "allow.\(call)(...)" }
    override var modifiers: [String] {
        guard place != .operation else { return [] }
        return switch strategy {
        case .owner: ["to", "identityClaim"]
        case .groups: ["to", "withClaimIn"]
        default: ["to"]
        }
    }
}

/// `a.query()`, `a.mutation()`, `a.subscription()` and `a.generation({...})`
final class OperationBuilder: Builder {
    enum Kind: String {
        case query = "Query"
        case mutation = "Mutation"
        case subscription = "Subscription"
        case generation = "Generation"
    }

    let kind: Kind
    /// What `a.generation` was called with; nil when that is no object.
    let input: AssistantInput?
    var arguments: [NamedPart] = []
    var result: PlacedGiven?
    var handlers: [HandlerBuilder] = []
    var rules: [RuleBuilder] = []
    var sources: [ReferenceBuilder] = []

    init(kind: Kind, input: AssistantInput? = nil) {
        self.kind = kind
        self.input = input
    }

    override var label: String { "a.\(kind.rawValue.lowercased())(...)" }
    override var modifiers: [String] {
        switch kind {
        case .generation: ["arguments", "returns", "authorization"]
        case .subscription: ["arguments", "authorization", "handler", "for"]
        default: ["arguments", "returns", "authorization", "handler", "for"]
        }
    }
}

/// A function as a schema names it.
enum FunctionTarget {
    case name(String)
    case function(FunctionReference)
    case other
}

/// `a.handler.…`
final class HandlerBuilder: Builder {
    enum Kind: String {
        case function = "functionHandler"
        case custom = "customHandler"
        case statement = "inlineSql"
        case file = "sqlReference"
    }

    enum Work {
        case function(FunctionTarget)
        /// A module in JavaScript; nil when no text names it.
        case custom(entry: PlacedText?, dataSource: String)
        case statement(String)
        case file(String)
    }

    let work: Work
    /// Where what it is made of is written.
    let position: Position
    var isAsynchronous = false

    init(_ work: Work, at position: Position) {
        self.work = work
        self.position = position
    }

    var kind: Kind {
        switch work {
        case .function: .function
        case .custom: .custom
        case .statement: .statement
        case .file: .file
        }
    }

    override var label: String { kind == .function ? "a.handler.function(...)" : "a handler" }
    override var modifiers: [String] { kind == .function ? ["async"] : [] }
}

/// `a.conversation({...})`
final class ConversationBuilder: Builder {
    let input: AssistantInput
    var rules: [RuleBuilder] = []

    init(input: AssistantInput) {
        self.input = input
    }

    override var label: String { "a.conversation(...)" }
    override var modifiers: [String] { ["authorization"] }
}

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
    override var modifiers: [String] {
        guard isSQL else { return ["authorization"] }
        return [
            "authorization", "addToSchema", "addQueries", "addMutations", "addSubscriptions", "setAuthorization",
            "setRelationships", "renameModels",
        ]
    }
    override var properties: [String] { ["models"] }
}

/// `a.combine([...])`
final class CombinedBuilder: Builder {
    let schemas: [PlacedGiven]

    init(schemas: [PlacedGiven]) {
        self.schemas = schemas
    }

    override var label: String { "a.combine(...)" }
    override var properties: [String] { ["schemas"] }
}

/// `defineData({...})`
final class DataBuilder: Builder {
    let options: DataOptions
    let position: Position

    init(options: DataOptions, position: Position) {
        self.options = options
        self.position = position
    }

    override var label: String { "defineData(...)" }
}
