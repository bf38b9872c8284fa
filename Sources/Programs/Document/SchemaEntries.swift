import Blueprint
import GraphQL
import Project

/// The entries of all schemas of an API, by name.
struct SchemaEntries {
    enum Kind: String {
        case model = "Model"
        case operation = "CustomOperation"
        case type = "CustomType"
        case enumeration = "Enum"
        case other = "Route"
    }

    private var parts: [String: NamedPart] = [:]

    init(_ schemas: [SchemaBuilder]) {
        for part in schemas.flatMap(\.entries).map(\.part) { parts[part.name] = part }
    }

    static func kind(of builder: Builder) -> Kind {
        switch builder {
        case is ModelBuilder: .model
        case let operation as OperationBuilder: operation.kind == .generation ? .other : .operation
        case is TypeBuilder: .type
        case is EnumBuilder: .enumeration
        default: .other
        }
    }

    func builder(_ name: String) -> Builder? { parts[name]?.builder }
    func model(_ name: String) -> ModelBuilder? { builder(name) as? ModelBuilder }
    func type(_ name: String) -> TypeBuilder? { builder(name) as? TypeBuilder }

    /// What a reference leads to.
    func target(
        _ name: String, from referrer: String, at position: Position
    ) throws(TypeScriptError) -> (kind: Kind, builder: Builder) {
        guard let part = parts[name] else {
            throw TypeScriptError(
                "Invalid ref. \(referrer) is referring to \(name) which is not defined in the schema", at: position)
        }
        guard let builder = part.builder, Self.kind(of: builder) != .other else {
            throw TypeScriptError(
                "Invalid ref. \(referrer) is referring to \(name) which is neither a Model, Custom Operation, Custom Type, or Enum",
                at: position)
        }
        return (Self.kind(of: builder), builder)
    }
}
