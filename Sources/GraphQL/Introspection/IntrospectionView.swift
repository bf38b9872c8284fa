/// What introspection shows of a schema: the types that its roots lead to, and the directives that are listed.
struct IntrospectionView: Sendable {
    let schema: Schema
    var types: [TypeID] { schema.visibleTypes }
    let directives: [SchemaDirective]

    init(_ schema: Schema) {
        self.schema = schema
        directives = schema.directives.filter { !SchemaPrelude.unlistedDirectives.contains($0.name) }
    }

    /// Every type is found by its name, also one that no root leads to and that no list shows, as on AppSync.
    func type(named name: String) -> TypeID? { schema.id(named: name) }
}

/// Finds the types that a schema's roots lead to, in the order of a walk that goes down before it goes on: from the
/// query type, then from the others, and last those of introspection.
///
/// Without recursion: a chain of types can be as long as a schema.
struct ReachableTypes {
    private(set) var order: [TypeID] = []
    private var seen: Set<TypeID> = []

    init(from roots: [TypeID], types: [NamedType], possible: PossibleTypes) {
        for root in roots {
            var open = [root]
            while let id = open.popLast() {
                guard seen.insert(id).inserted else { continue }
                order.append(id)
                open += Self.next(types[id.index], possible).reversed()
            }
        }
    }

    private static func next(_ type: NamedType, _ possible: PossibleTypes) -> [TypeID] {
        switch type {
        case .scalar, .enum: []
        case .object(let object): fields(object.fields) + object.interfaces
        case .interface(let interface):
            fields(interface.fields) + interface.interfaces + possible.types(of: interface.id)
        case .union(let union): union.members
        case .inputObject(let input): input.fields.values.map(\.type.named)
        }
    }

    private static func fields(_ table: FieldTable) -> [TypeID] {
        table.fields.flatMap { [$0.type.named] + $0.arguments.values.map(\.type.named) }
    }
}
