import GraphQL
import JSON

/// What a subscription selects of an event: its selection set with fragments, conditions and aliases worked in.
///
/// Made once when a client subscribes. Two selections are equal when they write the same, whatever their documents look
/// like: those who select the same share what is written.
struct EventSelection: Hashable, Sendable {
    /// A field of an object.
    struct Field: Hashable, Sendable {
        let responseName: String
        let name: String
        let type: TypeUse
        /// The name of the type, for messages.
        let typeName: String
        let content: Content
        /// What the caller is shown of the value.
        var guards: [FieldGuard] = []
    }

    /// What is written of a field's value.
    indirect enum Content: Hashable, Sendable {
        /// The value as it is.
        case leaf
        /// The name of the object's type.
        case typeName
        /// Null, with an error: the caller may not ask for it.
        case hidden
        case object(ObjectSelection)
        /// An interface or a union: by the name of the object's type.
        case abstract([ByteText: ObjectSelection])
    }

    /// The fields of an object of one type.
    struct ObjectSelection: Hashable, Sendable {
        let typeName: String
        let fields: [Field]
    }

    /// The name of the subscription type.
    let rootTypeName: String
    private(set) var root: Field

    init(rootTypeName: String, root: Field) {
        self.rootTypeName = rootTypeName
        self.root = root
    }

    /// Every field of an object type that is selected, the root included.
    var coordinates: Set<FieldCoordinate> {
        var found: Set<FieldCoordinate> = []
        Self.collect(root, of: rootTypeName, into: &found)
        return found
    }

    private static func collect(_ field: Field, of type: String, into found: inout Set<FieldCoordinate>) {
        if case .typeName = field.content { return }
        found.insert(FieldCoordinate(type: type, name: field.name))
        for object in field.content.objects {
            for field in object.fields { collect(field, of: object.typeName, into: &found) }
        }
    }

    /// The same for a caller who may not ask for some fields, and is shown less of others.
    func hiding(
        _ hidden: Set<FieldCoordinate>, _ guards: [FieldCoordinate: [FieldGuard]] = [:]
    ) -> EventSelection {
        guard !hidden.isEmpty || !guards.isEmpty else { return self }
        var selection = self
        selection.root = root.hiding(hidden, guards, of: rootTypeName)
        return selection
    }
}

extension EventSelection.Field {
    fileprivate func hiding(
        _ hidden: Set<FieldCoordinate>, _ guards: [FieldCoordinate: [FieldGuard]], of type: String
    ) -> Self {
        let coordinate = FieldCoordinate(type: type, name: name)
        let content: EventSelection.Content =
            if hidden.contains(coordinate) { .hidden } else {
                switch self.content {
                case .object(let object): .object(object.hiding(hidden, guards))
                case .abstract(let objects): .abstract(objects.mapValues { $0.hiding(hidden, guards) })
                case .leaf, .typeName, .hidden: self.content
                }
            }
        return Self(
            responseName: responseName, name: name, type: self.type, typeName: typeName, content: content,
            guards: guards[coordinate] ?? [])
    }
}

extension EventSelection.ObjectSelection {
    fileprivate func hiding(
        _ hidden: Set<FieldCoordinate>, _ guards: [FieldCoordinate: [FieldGuard]]
    ) -> Self {
        Self(typeName: typeName, fields: fields.map { $0.hiding(hidden, guards, of: typeName) })
    }
}

extension EventSelection.Content {
    fileprivate var objects: [EventSelection.ObjectSelection] {
        switch self {
        case .object(let object): [object]
        case .abstract(let objects): Array(objects.values)
        case .leaf, .typeName, .hidden: []
        }
    }
}

/// Makes a selection of a field that was collected from a valid document.
struct EventSelectionBuilder {
    private let document: ExecutableDocument
    private let variables: VariableValues
    private let fieldsMax: Int
    private var count = 0

    private var schema: Schema { document.schema }

    init(_ document: ExecutableDocument, _ variables: VariableValues, fieldsMax: Int) {
        self.document = document
        self.variables = variables
        self.fieldsMax = fieldsMax
    }

    mutating func selection(
        of group: CollectFields.Group, on type: TypeID
    ) throws(GraphQLError) -> EventSelection? {
        guard let root = try field(group, on: type) else { return nil }
        return EventSelection(rootTypeName: schema[type].name, root: root)
    }

    private mutating func field(
        _ group: CollectFields.Group, on type: TypeID
    ) throws(GraphQLError) -> EventSelection.Field? {
        count += 1
        guard count <= fieldsMax else {
            throw GraphQLError("The operation selects more than \(fieldsMax) fields")
        }
        guard let name = group.fields.first?.field.name.text, let definition = schema.field(named: name, of: type)
        else { return nil }
        let content = name == "__typename" ? .typeName : try content(of: definition.type.named, group.selectionSets)
        return EventSelection.Field(
            responseName: group.responseName, name: name, type: definition.type,
            typeName: schema[definition.type.named].name, content: content)
    }

    private mutating func content(
        of type: TypeID, _ selectionSets: [(selectionSet: SelectionSet, inclusion: Inclusion)]
    ) throws(GraphQLError) -> EventSelection.Content {
        switch schema[type] {
        case .object:
            return .object(try object(type, selectionSets))
        case .interface, .union:
            var selections: [ByteText: EventSelection.ObjectSelection] = [:]
            for type in schema.possibleTypes(of: type) {
                selections[schema[type].name] = try object(type, selectionSets)
            }
            return .abstract(selections)
        case .scalar, .enum, .inputObject:
            return .leaf
        }
    }

    private mutating func object(
        _ type: TypeID, _ selectionSets: [(selectionSet: SelectionSet, inclusion: Inclusion)]
    ) throws(GraphQLError) -> EventSelection.ObjectSelection {
        var fields: [EventSelection.Field] = []
        for group in try CollectFields.groups(of: type, selectionSets, in: document) where group.isMet(variables) {
            if let field = try field(group, on: type) { fields.append(field) }
        }
        return EventSelection.ObjectSelection(typeName: schema[type].name, fields: fields)
    }
}
