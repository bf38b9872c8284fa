import GraphQL

/// The API schema while it grows: types by name, in the order in which they came.
///
/// Objects and inputs are kept apart from the others, since they are changed in place.
struct SchemaDraft {
    private var objects: [ObjectTypeDefinition] = []
    private var inputs: [InputObjectTypeDefinition] = []
    private var others: [TypeDefinition] = []
    /// The names of the types in their order, and by the number of each where it is.
    private var names = NameTable()
    private var places: [Place] = []
    /// Where each field of an object stands; for objects that are asked by field. By the place of the object.
    private var fieldNumbers: [NameTable?] = []

    private enum Place {
        case object(Int)
        case input(Int)
        case other(Int)
    }

    /// An object of fewer fields than this is searched faster than its table is made.
    private static let tableMin = 16

    func hasType(_ name: String) -> Bool { names.contains(name) }

    private func objectPlace(_ name: String) -> Int? {
        guard let number = names[name], case .object(let place) = places[number] else { return nil }
        return place
    }

    private func inputPlace(_ name: String) -> Int? {
        guard let number = names[name], case .input(let place) = places[number] else { return nil }
        return place
    }

    func hasObject(_ name: String) -> Bool { objectPlace(name) != nil }

    /// The fields of an object; none for other types.
    func fields(ofObject name: String) -> [FieldDefinition] { objectPlace(name).map { objects[$0].fields } ?? [] }

    /// Adds a type unless there is one of that name: what the schema declares itself stays as it is.
    mutating func add(_ type: TypeDefinition) {
        switch type {
        case .object(let object): add(object)
        case .inputObject(let input): add(input)
        default:
            guard names.insert(type.name.text).isNew else { return }
            places.append(.other(others.count))
            others.append(type)
        }
    }

    private mutating func add(_ object: ObjectTypeDefinition) {
        guard names.insert(object.name.text).isNew else { return }
        places.append(.object(objects.count))
        objects.append(object)
        fieldNumbers.append(nil)
    }

    private mutating func add(_ input: InputObjectTypeDefinition) {
        guard names.insert(input.name.text).isNew else { return }
        places.append(.input(inputs.count))
        inputs.append(input)
    }

    mutating func addObject(_ name: String, _ fields: [FieldDefinition], interfaces: [Name] = []) {
        add(ObjectTypeDefinition(name: Name(name), interfaces: interfaces, fields: fields))
    }

    mutating func addInput(_ name: String, _ fields: [InputValueDefinition]) {
        add(InputObjectTypeDefinition(name: Name(name), fields: fields))
    }

    mutating func addEnum(_ name: String, _ values: [String]) {
        let values = values.map { EnumValueDefinition(name: Name($0)) }
        add(.enum(EnumTypeDefinition(name: Name(name), values: values)))
    }

    /// Adds a field to a root type. Returns false when there is one of that name.
    mutating func addRootField(_ field: FieldDefinition, to type: String) -> Bool {
        if !hasObject(type) { addObject(type, []) }
        // A root type is no object only when the schema declares it as something else, which is refused elsewhere.
        guard let place = objectPlace(type) else { return true }
        if fieldNumbers[place] == nil { fieldNumbers[place] = NameTable(objects[place].fields.map(\.name.text)) }
        guard fieldNumbers[place]?.insert(field.name.text).isNew == true else { return false }
        objects[place].fields.append(field)
        return true
    }

    private mutating func fieldNumber(_ field: String, ofObjectAt place: Int) -> Int? {
        if let numbers = fieldNumbers[place] { return numbers[field] }
        let count = objects[place].fields.count
        guard count >= Self.tableMin else {
            return objects[place].fields.firstIndex { $0.name.text == field }
        }
        let numbers = NameTable(objects[place].fields.map(\.name.text))
        fieldNumbers[place] = numbers
        return numbers[field]
    }

    /// Changes a field of a type, if it is there.
    mutating func updateField(_ field: String, of type: String, _ change: (inout FieldDefinition) -> Void) {
        guard let place = objectPlace(type), let number = fieldNumber(field, ofObjectAt: place) else { return }
        change(&objects[place].fields[number])
    }

    /// Adds fields to an object, but for those that it has.
    mutating func addFields(_ fields: [FieldDefinition], to type: String) {
        guard !fields.isEmpty, let place = objectPlace(type) else { return }
        for field in fields where !objects[place].fields.contains(where: { $0.name.text == field.name.text }) {
            objects[place].fields.append(field)
        }
        fieldNumbers[place] = nil
    }

    mutating func removeField(_ field: String, from type: String) {
        guard let place = objectPlace(type) else { return }
        objects[place].fields.removeAll { $0.name.text == field }
        fieldNumbers[place] = nil
    }

    /// Adds fields to an input, but for those that it has.
    mutating func addInputFields(_ fields: [InputValueDefinition], to input: String) {
        guard !fields.isEmpty, let place = inputPlace(input) else { return }
        let count = inputs[place].fields.count
        for field in fields
        where !inputs[place].fields[..<count].contains(where: { $0.name.text == field.name.text }) {
            inputs[place].fields.append(field)
        }
    }

    mutating func updateInput(_ name: String, _ change: (inout [InputValueDefinition]) -> Void) {
        guard let place = inputPlace(name) else { return }
        change(&inputs[place].fields)
    }

    /// Adds directives to an object type, but for those that it has.
    mutating func addDirectives(_ directives: [Directive], to type: String) {
        guard !directives.isEmpty, let place = objectPlace(type) else { return }
        objects[place].directives.add(directives)
    }

    /// All types in their order.
    var document: Document {
        Document(
            definitions: places.map { place in
                switch place {
                case .object(let number): .type(.object(objects[number]))
                case .input(let number): .type(.inputObject(inputs[number]))
                case .other(let number): .type(others[number])
                }
            })
    }
}

extension [Directive] {
    /// Adds those of other names; among each other they have different ones.
    mutating func add(_ directives: [Directive]) {
        // Nearly always there are none yet, and then many fields share one list.
        guard !isEmpty else { return self = directives }
        for directive in directives where !contains(named: directive.name.text) { append(directive) }
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
