/// The definitions of a schema, put together: those of the document with their extensions merged in, and behind them
/// those of a prelude, which stand for what the service adds by itself. Specification: section 3.4.3.
package struct SchemaDocument: Sendable {
    /// What was written, extensions apart.
    package let definitions: [Definition]
    /// False where what was generated, which has no place in a text, is known to use no name that it does not define: rules about
    /// directives and about the names of types look at the rest then.
    package var checksGenerated = true
    /// The types that are written in several pieces, extensions among them: where each piece stands.
    private var pieces: [String: [Int]] = [:]
    /// The types that were written, with what their extensions add, in their order.
    package private(set) var types: [TypeDefinition] = []
    /// The directives that were written.
    package private(set) var directives: [DirectiveDefinition] = []
    /// The types of the prelude that were not written.
    private(set) var preludeTypes: [TypeDefinition] = []
    private(set) var preludeDirectives: [DirectiveDefinition] = []
    /// What was written although the prelude has it.
    package private(set) var replacedTypes: Set<String> = []
    package private(set) var replacedDirectives: Set<String> = []
    /// Which types operations start at: as the schema definition says, else by their usual names.
    package private(set) var rootTypes: [OperationType: Name] = [:]
    package private(set) var description: StringValue?

    /// The names of the types, then those of the prelude: what the numbers of a schema's types go by.
    private(set) var typeNumbers = NameTable()
    /// By the number of the type.
    private var purposes: [TypePurpose] = []
    private var directiveNumbers = NameTable()

    /// `language` is what every document of it has, whatever the prelude: there is no schema without the built-in scalars,
    /// since introspection is made of them.
    package init(
        _ document: Document, prelude: Document = Document(), language: Document = SchemaPrelude.standard
    ) {
        definitions = document.definitions
        mergeTypes()
        for definition in definitions {
            if case .directive(let directive) = definition { directives.append(directive) }
        }
        directiveNumbers = NameTable(directives.map(\.name.text))
        add(prelude)
        noteReplaced(prelude)
        add(language)
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

    /// The names of all directives.
    package var directiveNames: [String] { directiveNumbers.names }

    /// The names of all types, for suggestions.
    var typeNames: [String] { (types + preludeTypes).map(\.name.text) }

    /// Returns whether a type is written in one piece.
    func isWhole(_ type: String) -> Bool { pieces.isEmpty || pieces[type] == nil }

    /// The pieces of the others, in the order of the document.
    var piecesOfTypes: [[TypeDefinition]] {
        pieces.values.map { $0.sorted() }.sorted { ($0.first ?? 0) < ($1.first ?? 0) }.map { numbers in
            numbers.compactMap { definitions[$0].type }
        }
    }

    private mutating func mergeTypes() {
        var extensions: [String: [TypeDefinition]] = [:]
        for case (let place, .typeExtension(let type)) in definitions.enumerated() {
            extensions[type.name.text, default: []].append(type)
            pieces[type.name.text, default: []].append(place)
        }
        types.reserveCapacity(definitions.count)
        purposes.reserveCapacity(definitions.count)
        typeNumbers = NameTable(capacity: definitions.count)
        // Where each type stands first.
        var places: [Int] = []
        for case (let place, .type(var type)) in definitions.enumerated() {
            let (isNew, number) = typeNumbers.insert(type.name.text)
            guard isNew else {
                pieces[type.name.text, default: [places[number]]].append(place)
                continue
            }
            places.append(place)
            if let additions = extensions.isEmpty ? nil : extensions[type.name.text] {
                for addition in additions { type.merge(addition) }
                pieces[type.name.text, default: []].append(place)
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

    private mutating func noteReplaced(_ prelude: Document) {
        for definition in prelude.definitions {
            switch definition {
            case .type(let type):
                if let number = typeNumbers[type.name.text], number < types.count {
                    replacedTypes.insert(type.name.text)
                }
            case .directive(let directive):
                if let number = directiveNumbers[directive.name.text], number < directives.count {
                    replacedDirectives.insert(directive.name.text)
                }
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

extension Definition {
    /// The type that it defines or extends.
    var type: TypeDefinition? {
        switch self {
        case .type(let type), .typeExtension(let type): type
        default: nil
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
    package var kindName: String {
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
