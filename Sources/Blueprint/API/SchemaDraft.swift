import GraphQL

/// The API schema while it grows: types by name, in the order in which they came.
///
/// Objects and inputs are kept apart from the others, since they are changed in place.
struct SchemaDraft {
    private(set) var objects: [String: ObjectTypeDefinition] = [:]
    private(set) var inputs: [String: InputObjectTypeDefinition] = [:]
    private var others: [String: TypeDefinition] = [:]
    private var order: [String] = []
    /// Where each field of a type stands; for types that are asked by field.
    private var fieldNumbers: [String: [String: Int]] = [:]

    func hasType(_ name: String) -> Bool {
        objects[name] != nil || inputs[name] != nil || others[name] != nil
    }

    /// Adds a type unless there is one of that name: what the schema declares itself stays as it is.
    mutating func add(_ type: TypeDefinition) {
        let name = type.name.text
        guard !hasType(name) else { return }
        order.append(name)
        switch type {
        case .object(let object): objects[name] = object
        case .inputObject(let input): inputs[name] = input
        default: others[name] = type
        }
    }

    mutating func addObject(_ name: String, _ fields: [FieldDefinition], interfaces: [Name] = []) {
        add(.object(ObjectTypeDefinition(name: Name(name), interfaces: interfaces, fields: fields)))
    }

    mutating func addInput(_ name: String, _ fields: [InputValueDefinition]) {
        add(.inputObject(InputObjectTypeDefinition(name: Name(name), fields: fields)))
    }

    mutating func addEnum(_ name: String, _ values: [String]) {
        let values = values.map { EnumValueDefinition(name: Name($0)) }
        add(.enum(EnumTypeDefinition(name: Name(name), values: values)))
    }

    /// Adds a field to a root type. Returns false when there is one of that name.
    mutating func addRootField(_ field: FieldDefinition, to type: String) -> Bool {
        if objects[type] == nil { addObject(type, []) }
        guard fieldNumber(field.name.text, of: type) == nil else { return false }
        fieldNumbers[type, default: [:]][field.name.text] = objects[type]?.fields.count ?? 0
        objects[type]?.fields.append(field)
        return true
    }

    private mutating func fieldNumber(_ field: String, of type: String) -> Int? {
        if fieldNumbers[type] == nil {
            let names = (objects[type]?.fields ?? []).map(\.name.text)
            fieldNumbers[type] = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        }
        return fieldNumbers[type]?[field]
    }

    func field(_ field: String, of type: String) -> FieldDefinition? {
        objects[type]?.fields.first { $0.name.text == field }
    }

    /// Changes a field of a type, if it is there.
    mutating func updateField(_ field: String, of type: String, _ change: (inout FieldDefinition) -> Void) {
        guard let number = fieldNumber(field, of: type), objects[type]?.fields.indices.contains(number) == true else {
            return
        }
        change(&objects[type, default: ObjectTypeDefinition(name: Name(type))].fields[number])
    }

    /// Adds fields to an object, but for those that it has. The field numbers of it must not have been asked for.
    mutating func addFields(_ fields: [FieldDefinition], to type: String) {
        guard let object = objects[type] else { return }
        var names = Set(object.fields.map(\.name.text))
        for field in fields where names.insert(field.name.text).inserted {
            objects[type]?.fields.append(field)
        }
        fieldNumbers[type] = nil
    }

    mutating func removeField(_ field: String, from type: String) {
        objects[type]?.fields.removeAll { $0.name.text == field }
        fieldNumbers[type] = nil
    }

    /// Adds fields to an input, but for those that it has.
    mutating func addInputFields(_ fields: [InputValueDefinition], to input: String) {
        guard let names = inputs[input].map({ Set($0.fields.map(\.name.text)) }) else { return }
        inputs[input]?.fields += fields.filter { !names.contains($0.name.text) }
    }

    mutating func updateInput(_ name: String, _ change: (inout [InputValueDefinition]) -> Void) {
        guard inputs[name] != nil else { return }
        change(&inputs[name, default: InputObjectTypeDefinition(name: Name(name))].fields)
    }

    /// Adds directives to an object type, but for those that it has.
    mutating func addDirectives(_ directives: [Directive], to type: String) {
        for directive in directives where objects[type]?.directives.contains(named: directive.name.text) == false {
            objects[type]?.directives.append(directive)
        }
    }

    /// All types in their order.
    var document: Document {
        Document(
            definitions: order.compactMap { name in
                let type =
                    objects[name].map(TypeDefinition.object)
                    ?? inputs[name].map(TypeDefinition.inputObject) ?? others[name]
                return type.map(Definition.type)
            })
    }
}

// What fields and arguments are made of.

extension TypeReference {
    /// The type of that name, which may be null.
    init(named name: String) { self.init(Name(name)) }

    /// The same without the outermost non-null mark.
    var optional: TypeReference { TypeReference(name, wrapping: wrapping.nullable) }
}

extension InputValueDefinition {
    init(_ name: String, _ type: String) { self.init(name: Name(name), type: TypeReference(named: type)) }
    init(_ name: String, required type: String) {
        self.init(name: Name(name), type: TypeReference(named: type).nonNull)
    }
    init(_ name: String, list type: String) { self.init(name: Name(name), type: TypeReference(named: type).list) }
    init(_ name: String, of type: TypeReference) { self.init(name: Name(name), type: type) }
}

extension FieldDefinition {
    init(
        _ name: String, _ type: TypeReference, arguments: [InputValueDefinition] = [], directives: [Directive] = []
    ) {
        self.init(name: Name(name), arguments: arguments, type: type, directives: directives)
    }
}
