import GraphQL

/// What is selected of an object of one type.
struct ObjectSelection: Sendable {
    let typeName: String
    let fields: [ValueField]
    let holdsComputed: Bool

    init(typeName: String, fields: [ValueField]) {
        self.typeName = typeName
        self.fields = fields
        holdsComputed = fields.contains { field in
            switch field.source {
            case .typename: false
            case .member(let plan): plan.holdsComputed
            case .computed: true
            }
        }
    }
}

/// One field that is selected of an object.
struct ValueField: Sendable {
    /// Where its value comes from.
    enum Source: Sendable {
        case typename
        /// The member of its name.
        case member(ValuePlan)
        case computed(ComputedField)
    }

    let responseName: String
    let name: String
    /// The object type that it is a field of.
    let typeName: String
    /// Where it stands in the document.
    let locations: [SourceLocation]?
    let source: Source
    /// Nil for a field that is part of every response.
    private let group: CollectFields.Group?

    init(
        _ group: CollectFields.Group, _ field: SchemaField, of typeName: String, _ locations: [SourceLocation]?,
        _ source: Source
    ) {
        responseName = group.responseName
        name = field.name
        self.typeName = typeName
        self.locations = locations
        self.source = source
        self.group = group.fields.contains { $0.inclusion == .always } ? nil : group
    }

    /// Whether it is part of a request with those variables.
    func isMet(_ variables: VariableValues) -> Bool { group?.isMet(variables) ?? true }
}
