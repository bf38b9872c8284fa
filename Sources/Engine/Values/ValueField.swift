import GraphQL
import JSON

/// What is selected of an object of one type.
package struct ValueSelection: Sendable {
    let typeName: String
    let fields: [ValueField]
    let holdsComputed: Bool

    package init(typeName: String, fields: [ValueField]) {
        self.typeName = typeName
        self.fields = fields
        holdsComputed = fields.contains { field in
            switch field.source {
            case .typename, .hidden: false
            case .member(let plan), .guarded(let plan, _): plan.holdsComputed
            case .computed: true
            }
        }
    }
}

/// One field that is selected of an object.
package final class ValueField: Sendable {
    /// What is shown of the value of a field of an object.
    package typealias Guard = @Sendable (_ value: JSONValue, _ object: JSONObject) -> JSONValue

    /// Where its value comes from.
    package enum Source: Sendable {
        case typename
        /// The member of its name.
        case member(ValuePlan)
        /// What is shown of it.
        case guarded(ValuePlan, Guard)
        /// The caller may not see it.
        case hidden
        case computed(ComputedField)
    }

    let responseName: String
    /// The response name as JSON, between the comma before it and the colon behind it.
    let key: [UInt8]
    let name: String
    /// The object type that it is a field of.
    let typeName: String
    let type: TypeUse
    /// Where it stands in the document.
    let locations: [SourceLocation]?
    let source: Source
    /// Nil for a field that is part of every response.
    private let group: CollectFields.Group?

    convenience init(
        _ group: CollectFields.Group, _ field: SchemaField, of typeName: String, _ locations: [SourceLocation]?,
        _ source: Source
    ) {
        self.init(
            field.name, as: group.responseName, field.type, of: typeName, source, locations,
            group.fields.contains { $0.inclusion == .always } ? nil : group)
    }

    /// A field that is part of every response.
    package convenience init(
        _ name: String, as responseName: String, _ type: TypeUse, of typeName: String, _ source: Source
    ) {
        self.init(name, as: responseName, type, of: typeName, source, nil, nil)
    }

    private init(
        _ name: String, as responseName: String, _ type: TypeUse, of typeName: String, _ source: Source,
        _ locations: [SourceLocation]?, _ group: CollectFields.Group?
    ) {
        var key = [UInt8(ascii: ",")]
        JSONWriter.writeKey(responseName, to: &key)
        self.key = key
        self.responseName = responseName
        self.name = name
        self.typeName = typeName
        self.type = type
        self.locations = locations
        self.source = source
        self.group = group
    }

    /// Returns whether it is part of a request with those variables.
    func isMet(_ variables: VariableValues) -> Bool { group?.isMet(variables) ?? true }
}
