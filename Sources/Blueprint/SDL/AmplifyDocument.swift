import GraphQL

/// The definitions of a schema's files, as one schema, with what readers of directives ask of it.
struct AmplifyDocument {
    /// In the order of the files and of the definitions in each.
    let definitions: [Definition]
    let roots: RootTypes
    /// The definitions of objects by name; of two with one name, the first.
    let objects: [String: ObjectTypeDefinition]
    /// The fields that `extend type` adds to each object, in their order.
    let extensionFields: [String: [FieldDefinition]]
    /// The interfaces and directives that `extend type` adds to each object, in their order.
    let extensionHeads: [String: ExtensionHead]
    /// The names of enums, with their values.
    let enums: [String: Set<String>]
    /// Where each directive is applied to an object, an interface or a field of one, in the order of the schema.
    let uses: [String: [DirectiveUse]]

    init(_ definitions: [Definition]) {
        self.definitions = definitions
        var objects: [String: ObjectTypeDefinition] = [:]
        var extensionFields: [String: [FieldDefinition]] = [:]
        var extensionHeads: [String: ExtensionHead] = [:]
        var enums: [String: Set<String>] = [:]
        var roots = RootTypes()
        for definition in definitions {
            switch definition {
            case .type(.object(let object)):
                if objects[object.name.text] == nil { objects[object.name.text] = object }
            case .typeExtension(.object(let object)):
                extensionFields[object.name.text, default: []] += object.fields
                if !object.interfaces.isEmpty || !object.directives.isEmpty {
                    extensionHeads[object.name.text, default: ExtensionHead()].add(object)
                }
            case .type(.enum(let type)), .typeExtension(.enum(let type)):
                enums[type.name.text, default: []].formUnion(type.values.map(\.name.text))
            case .schema(let schema): roots = RootTypes(schema)
            default: break
            }
        }
        self.objects = objects
        self.extensionFields = extensionFields
        self.extensionHeads = extensionHeads
        self.enums = enums
        self.roots = roots
        uses = Self.collectUses(in: definitions)
    }

    private static func collectUses(in definitions: [Definition]) -> [String: [DirectiveUse]] {
        var uses: [String: [DirectiveUse]] = [:]
        func collect(_ owner: DirectiveUse.Owner, _ directives: [Directive], _ fields: [FieldDefinition]) {
            for directive in directives {
                uses[directive.name.text, default: []].append(DirectiveUse(owner: owner, directive: directive))
            }
            for field in fields {
                for directive in field.directives {
                    uses[directive.name.text, default: []].append(
                        DirectiveUse(owner: owner, field: field, directive: directive))
                }
            }
        }
        for definition in definitions {
            switch definition {
            case .type(.object(let object)):
                collect(.object(object, isExtension: false), object.directives, object.fields)
            case .typeExtension(.object(let object)):
                collect(.object(object, isExtension: true), object.directives, object.fields)
            case .type(.interface(let interface)):
                collect(.interface(interface.name.text, isExtension: false), interface.directives, interface.fields)
            case .typeExtension(.interface(let interface)):
                collect(.interface(interface.name.text, isExtension: true), interface.directives, interface.fields)
            default: break
            }
        }
        return uses
    }

    /// Returns whether that name is a model's: an object with `@model`.
    func isModel(_ name: String) -> Bool {
        objects[name]?.directives.contains(named: "model") ?? false
    }

    func isEnum(_ name: String) -> Bool { enums[name] != nil }

    /// Returns whether values of that type, or lists of them, are scalars or enums.
    func isScalarOrEnum(_ type: TypeReference) -> Bool {
        ScalarKind.isScalar(type.name.text) || isEnum(type.name.text)
    }

    /// The models in their order.
    var models: [ObjectTypeDefinition] {
        var seen: Set<String> = []
        return definitions.compactMap { definition in
            guard case .type(.object(let object)) = definition, object.directives.contains(named: "model"),
                seen.insert(object.name.text).inserted
            else { return nil }
            return object
        }
    }
}

/// What extensions of an object say beside its fields.
struct ExtensionHead {
    private(set) var interfaces: [Name] = []
    private(set) var directives: [Directive] = []

    fileprivate mutating func add(_ object: ObjectTypeDefinition) {
        interfaces += object.interfaces
        directives.add(object.directives)
    }
}

/// A directive where it is applied.
struct DirectiveUse {
    /// The type that it is applied to, or whose field it is applied to.
    enum Owner {
        case object(ObjectTypeDefinition, isExtension: Bool)
        case interface(String, isExtension: Bool)

        var name: String {
            switch self {
            case .object(let object, _): object.name.text
            case .interface(let name, _): name
            }
        }

        var isExtension: Bool {
            switch self {
            case .object(_, let isExtension), .interface(_, let isExtension): isExtension
            }
        }

        /// True if the directive `@model` stands on this very definition.
        var isModel: Bool {
            switch self {
            case .object(let object, _): object.directives.contains(named: "model")
            case .interface: false
            }
        }

        /// The fields of this very definition.
        var fields: [FieldDefinition] {
            switch self {
            case .object(let object, _): object.fields
            case .interface: []
            }
        }

        var directives: [Directive] {
            switch self {
            case .object(let object, _): object.directives
            case .interface: []
            }
        }
    }

    let owner: Owner
    /// The field; nil when the directive is applied to the type itself.
    var field: FieldDefinition?
    let directive: Directive

    var position: Position { directive.position }
    var typeName: String { owner.name }
}

extension RootTypes {
    /// Those of a `schema` block; the usual names for operations that it leaves out.
    fileprivate init(_ schema: SchemaDefinition) {
        func name(_ operation: OperationType, _ usual: String) -> String {
            schema.operationTypes.first { $0.operation == operation }?.type.text ?? usual
        }
        self.init(
            query: name(.query, "Query"), mutation: name(.mutation, "Mutation"),
            subscription: name(.subscription, "Subscription"))
    }
}

extension FieldDefinition {
    var typeName: String { type.name.text }
    var isList: Bool { type.wrapping.isList }
    var isRequired: Bool { type.wrapping.isNonNull }
}
