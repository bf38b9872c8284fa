import GraphQL

/// Something that the language, the known packages or a builder's callback bring along, whose members are known.
struct NativeObject {
    enum Kind {
        case backend, builders, handlers, models
        case allow(RuleBuilder.Place)
        case validator(FieldBuilder)
        case schemaParts(SchemaBuilder)
        case modelFields(ModelBuilder)
        case objects, lists, process, environment, console
        case configured(SchemaBuilder.Engine)
    }

    let kind: Kind
    let name: String
}

/// A function of a value: which one, and where it was named.
struct NativeMethod {
    enum Receiver {
        case native(NativeObject)
        case builder(Builder)
        case list(ScriptList)
        case text(String)
        case number(Double)
        /// A function that belongs to nothing, such as `defineData`, `Number` and `index`.
        case none
    }

    let receiver: Receiver
    let name: String
    let position: Position
    /// The methods that were called before it in the same chain.
    var before: [String] = []
}
