import Blueprint
import GraphQL

/// The plans of values: custom types, and what functions and services give.
extension Planner {
    /// A field that a function or a service computes.
    mutating func outside(
        _ program: FieldProgram, _ group: CollectFields.Group, _ definition: SchemaField, sources: [Int],
        changing changed: ChangedField? = nil
    ) throws(GraphQLError) -> OutsidePlan {
        isWaiting = true
        let field = ComputedField(
            typeName: program.typeName, fieldName: definition.name, source: .calls(program, around: changed),
            arguments: arguments(of: group, definition),
            locations: group.fields.first.flatMap { document.lines.location(of: $0.field.position) }.map { [$0] },
            plan: try valuePlan(definition.type, group), group)
        return OutsidePlan(field, sources: sources)
    }

    /// How a value is written. Its objects can have fields that are computed too, and relations where they are records.
    mutating func valuePlan(
        _ type: TypeUse, _ group: CollectFields.Group
    ) throws(GraphQLError) -> ValuePlan {
        try ValuePlan(type, group, in: document) { field, object, group throws(GraphQLError) in
            try computed(field, of: object, group)
        }
    }

    private mutating func computed(
        _ definition: SchemaField, of object: ObjectType, _ group: CollectFields.Group
    ) throws(GraphQLError) -> ComputedSource? {
        _ = check(definition.name, of: object.name)
        guard let type = types.type(object.id) else {
            return types.field(definition.name, on: object.name)
                .flatMap { types.program(of: $0, on: object.name, in: schema) }.map { .calls($0) }
        }
        switch type.field(named: definition.name) {
        case .column, .nothing: return nil
        case .computed(let field): return types.program(of: field, on: type.name, in: schema).map { .calls($0) }
        case .relation(let relation):
            return .engine(try valueRelation(relation, of: type, group, definition))
        case .changed(let relation, let field):
            guard let (program, changed) = try changed(relation, field, of: type, group, definition) else { return nil }
            return .calls(program, around: changed)
        }
    }

    /// The number of a relation that is followed from a value.
    private mutating func valueRelation(
        _ relation: Relation, of type: RecordType, _ group: CollectFields.Group, _ definition: SchemaField
    ) throws(GraphQLError) -> Int {
        var columns = ColumnChoice()
        let source = try self.relation(relation, of: type, group, definition, &columns)
        valueRelations.append(
            ValueRelation(
                parent: type, sourceFields: columns.fields, source: source, type: definition.type,
                position: group.fields.first?.field.position ?? .none))
        return valueRelations.count - 1
    }

    /// A relation with steps of the app's own around it, or in its place.
    mutating func changed(
        _ relation: Relation, _ field: ModelField, of type: RecordType, _ group: CollectFields.Group,
        _ definition: SchemaField
    ) throws(GraphQLError) -> (program: FieldProgram, changed: ChangedField)? {
        guard let target = types.type(ofModel: relation.target), let handlers = field.resolver?.handlers else {
            return nil
        }
        let program = ResolverProgram(
            changing: ChangedOperation(relationTo: target), handlers, of: type.name, field.name, types.functions)
        let asked = try valueRelation(relation, of: type, group, definition)
        var whole: Int?
        if program.readsWholeRecords {
            let group = group.selecting(WholeSelection(schema, types).selection(of: definition.type.named))
            whole = try valueRelation(relation, of: type, group, definition)
        }
        return (FieldProgram(program, types.functions), .relation(asked: asked, whole: whole))
    }
}
