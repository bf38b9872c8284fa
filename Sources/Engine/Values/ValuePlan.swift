import GraphQL
import JSON

// Values: what a function, an HTTP call or a column of JSON holds becomes a part of a response.
//
//     field, selection ─▶ ValuePlan        once for a document: what is selected of the value, and how it is written
//     value ─▶ ComputedFields              the fields of its objects that are computed, not members: run together
//     value, outcomes ─▶ ValueWriter       bytes and errors; nulls rise to the nearest place that may be null

/// How the value of a field is written: its type, and what is selected of it. Made once for a document.
package final class ValuePlan: Sendable {
    /// What becomes of a value that is neither null nor a list.
    package enum Form: Sendable {
        /// It is as it goes out.
        case written
        case scalar(ScalarCoercion)
        case enumeration(EnumType)
        case object(ValueSelection)
        /// An interface or a union: the value's `__typename` says which of these it is.
        case abstract([ByteText: ValueSelection])
    }

    let type: TypeUse
    /// The name of the type inside all lists.
    let typeName: String
    let form: Form
    /// True if a field somewhere below is computed.
    let holdsComputed: Bool

    /// Says what computes a field of an object type; nil for a field that is a member of the value.
    typealias Computing =
        (_ field: SchemaField, _ type: ObjectType, _ group: CollectFields.Group) throws(GraphQLError) -> ComputedSource?

    /// The plan for a field of a type.
    ///
    /// `group` is the field as it was collected; `computing` is asked about every field of an object below it.
    convenience init(
        _ type: TypeUse, _ group: CollectFields.Group, in document: ExecutableDocument,
        computing: Computing = { (_, _, _) throws(GraphQLError) in nil }
    ) throws(GraphQLError) {
        var count = 0
        try self.init(type, group.selectionSets, in: document, &count, computing)
    }

    /// The plan for values whose types are known to be right.
    package init(_ type: TypeUse, named typeName: String, _ form: Form) {
        self.type = type
        self.typeName = typeName
        self.form = form
        holdsComputed = form.holdsComputed
    }

    /// The plan for a scalar, an enum, or a list of such.
    init(leaf type: TypeUse, in schema: Schema) {
        let named = schema[type.named]
        self.type = type
        typeName = named.name
        form =
            switch named {
            case .enum(let enumeration): .enumeration(enumeration)
            case .scalar(let scalar): .scalar(scalar.coercion)
            case .object, .interface, .union, .inputObject: .scalar(Scalars.anything)
            }
        holdsComputed = false
    }

    private init(
        _ type: TypeUse, _ selectionSets: [(selectionSet: SelectionSet, inclusion: Inclusion)],
        in document: ExecutableDocument, _ count: inout Int, _ computing: Computing
    ) throws(GraphQLError) {
        let schema = document.schema
        let named = schema[type.named]
        self.type = type
        typeName = named.name
        switch named {
        case .scalar(let scalar): form = .scalar(scalar.coercion)
        case .enum(let enumeration): form = .enumeration(enumeration)
        case .object(let object):
            form = .object(try Self.selection(object, selectionSets, in: document, &count, computing))
        case .interface, .union:
            var selections: [ByteText: ValueSelection] = [:]
            for possible in schema.possibleTypes(of: type.named) {
                guard case .object(let object) = schema[possible] else { continue }
                selections[object.name] = try Self.selection(object, selectionSets, in: document, &count, computing)
            }
            form = .abstract(selections)
        case .inputObject:
            throw GraphQLError("The type '\(named.name)' is for input only")
        }
        holdsComputed = form.holdsComputed
    }

    private static func selection(
        _ object: ObjectType, _ selectionSets: [(selectionSet: SelectionSet, inclusion: Inclusion)],
        in document: ExecutableDocument, _ count: inout Int, _ computing: Computing
    ) throws(GraphQLError) -> ValueSelection {
        var fields: [ValueField] = []
        for group in try CollectFields.groups(of: object.id, selectionSets, in: document) {
            count += 1
            guard count <= ValueLimits.planFieldsMax else {
                throw GraphQLError(
                    "The operation selects more than \(ValueLimits.planFieldsMax) fields of the types that a field can have"
                )
            }
            guard let first = group.fields.first?.field,
                let field = document.schema.field(named: first.name.text, of: object.id)
            else { continue }
            let locations = document.lines.location(of: first.position).map { [$0] }
            if field.name == "__typename" {
                fields.append(ValueField(group, field, of: object.name, locations, .typename))
                continue
            }
            let computed = try computing(field, object, group)
            let plan = try ValuePlan(field.type, group.selectionSets, in: document, &count, computing)
            if let computed {
                let arguments = ArgumentTemplate(first.arguments, of: field.arguments, in: document.schema)
                let source = ComputedField(
                    typeName: object.name, fieldName: field.name, source: computed, arguments: arguments,
                    locations: locations, plan: plan, group)
                fields.append(ValueField(group, field, of: object.name, locations, .computed(source)))
            } else {
                fields.append(ValueField(group, field, of: object.name, locations, .member(plan)))
            }
        }
        return ValueSelection(typeName: object.name, fields: fields)
    }
}

extension ValuePlan.Form {
    fileprivate var holdsComputed: Bool {
        switch self {
        case .written, .scalar, .enumeration: false
        case .object(let selection): selection.holdsComputed
        case .abstract(let selections): selections.values.contains(where: \.holdsComputed)
        }
    }
}
