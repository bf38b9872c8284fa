/// The definitions of a schema, put together: those of the document with their extensions merged in, and behind them
/// those of a prelude, which stand for what the service adds by itself. Specification: section 3.4.3.
package struct SchemaDocument: Sendable {
    /// What was written, extensions apart.
    let definitions: [Definition]
    /// The types that were written, with what their extensions add, in their order.
    package private(set) var types: [TypeDefinition] = []
    /// The directives that were written.
    package private(set) var directives: [DirectiveDefinition] = []
    /// The types of the prelude that were not written.
    private(set) var preludeTypes: [TypeDefinition] = []
    private(set) var preludeDirectives: [DirectiveDefinition] = []
    /// Which types operations start at: as the schema definition says, else by their usual names.
    package private(set) var rootTypes: [OperationType: Name] = [:]
    package private(set) var description: StringValue?

    /// The names of the types, then those of the prelude: what the numbers of a schema's types go by.
    private(set) var typeNumbers = NameTable()
    /// By the number of the type.
    private var purposes: [TypePurpose] = []
    private var directiveNumbers = NameTable()

    package init(_ document: Document, prelude: Document = Document()) {
        definitions = document.definitions
        mergeTypes()
        for definition in definitions {
            if case .directive(let directive) = definition { directives.append(directive) }
        }
        directiveNumbers = NameTable(directives.map(\.name.text))
        add(prelude)
        // Whatever the prelude, there is no schema without the built-in scalars: introspection is made of them.
        add(SchemaPrelude.standard)
        findRootTypes()
    }

    /// What the type of that name may be used for. Cheaper than the type itself, and asked for each field and argument.
    func purpose(ofTypeNamed name: String) -> TypePurpose? { typeNumbers[name].map { purposes[$0] } }

    package func type(named name: String) -> TypeDefinition? {
        guard let number = typeNumbers[name] else { return nil }
        return number < types.count ? types[number] : preludeTypes[number - types.count]
    }

    func hasType(named name: String) -> Bool { typeNumbers.contains(name) }

    package func directive(named name: String) -> DirectiveDefinition? {
        guard let number = directiveNumbers[name] else { return nil }
        return number < directives.count ? directives[number] : preludeDirectives[number - directives.count]
    }

    /// The names of all types, for suggestions.
    var typeNames: [String] { (types + preludeTypes).map(\.name.text) }

    private mutating func mergeTypes() {
        var extensions: [String: [TypeDefinition]] = [:]
        for case .typeExtension(let type) in definitions { extensions[type.name.text, default: []].append(type) }
        types.reserveCapacity(definitions.count)
        purposes.reserveCapacity(definitions.count)
        typeNumbers = NameTable(capacity: definitions.count)
        for case .type(var type) in definitions where typeNumbers.insert(type.name.text).isNew {
            if !extensions.isEmpty {
                for addition in extensions[type.name.text] ?? [] { type.merge(addition) }
            }
            purposes.append(TypePurpose(type))
            types.append(type)
        }
    }

    private mutating func add(_ prelude: Document) {
        for definition in prelude.definitions {
            switch definition {
            case .type(let type) where typeNumbers.insert(type.name.text).isNew:
                purposes.append(TypePurpose(type))
                preludeTypes.append(type)
            case .directive(let directive) where directiveNumbers.insert(directive.name.text).isNew:
                preludeDirectives.append(directive)
            default: break
            }
        }
    }

    private mutating func findRootTypes() {
        var isDefined = false
        for definition in definitions {
            switch definition {
            case .schema(let schema):
                isDefined = true
                description = description ?? schema.description
                for root in schema.operationTypes where rootTypes[root.operation] == nil {
                    rootTypes[root.operation] = root.type
                }
            case .schemaExtension(let schema):
                for root in schema.operationTypes where rootTypes[root.operation] == nil {
                    rootTypes[root.operation] = root.type
                }
            default: break
            }
        }
        guard !isDefined else { return }
        for (operation, name) in [
            (OperationType.query, "Query"), (.mutation, "Mutation"), (.subscription, "Subscription"),
        ]
        where rootTypes[operation] == nil {
            if case .object(let object)? = type(named: name) { rootTypes[operation] = object.name }
        }
    }
}

extension TypeDefinition {
    /// Adds what an extension says. One of another kind is left out; a rule reports it.
    fileprivate mutating func merge(_ addition: TypeDefinition) {
        switch (self, addition) {
        case (.scalar(var type), .scalar(let more)):
            type.directives += more.directives
            self = .scalar(type)
        case (.object(var type), .object(let more)):
            type.interfaces += more.interfaces
            type.directives += more.directives
            type.fields += more.fields
            self = .object(type)
        case (.interface(var type), .interface(let more)):
            type.interfaces += more.interfaces
            type.directives += more.directives
            type.fields += more.fields
            self = .interface(type)
        case (.union(var type), .union(let more)):
            type.directives += more.directives
            type.members += more.members
            self = .union(type)
        case (.enum(var type), .enum(let more)):
            type.directives += more.directives
            type.values += more.values
            self = .enum(type)
        case (.inputObject(var type), .inputObject(let more)):
            type.directives += more.directives
            type.fields += more.fields
            self = .inputObject(type)
        default: break
        }
    }

    /// What kind of type it is, as messages say it.
    var kindName: String {
        switch self {
        case .scalar: "scalar"
        case .object: "object"
        case .interface: "interface"
        case .union: "union"
        case .enum: "enum"
        case .inputObject: "input object"
        }
    }

    /// Where directives on it stand.
    var directiveLocation: DirectiveLocation {
        switch self {
        case .scalar: .scalar
        case .object: .object
        case .interface: .interface
        case .union: .union
        case .enum: .enum
        case .inputObject: .inputObject
        }
    }

    /// The fields of an object type or interface.
    package var fields: [FieldDefinition] {
        switch self {
        case .object(let type): type.fields
        case .interface(let type): type.fields
        default: []
        }
    }

    /// The interfaces that an object type or interface names.
    package var interfaces: [Name] {
        switch self {
        case .object(let type): type.interfaces
        case .interface(let type): type.interfaces
        default: []
        }
    }
}

/// What may be of a type.
struct TypePurpose: Sendable {
    /// Arguments and fields of input objects.
    let isInput: Bool
    /// Fields of object types and interfaces.
    let isOutput: Bool

    init(_ type: TypeDefinition) {
        switch type {
        case .scalar, .enum: (isInput, isOutput) = (true, true)
        case .inputObject: (isInput, isOutput) = (true, false)
        case .object, .interface, .union: (isInput, isOutput) = (false, true)
        }
    }
}
