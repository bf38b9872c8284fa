import Access
import Blueprint
import GraphQL
import JSON
import Store

/// What Amplify makes for an operation of a model, for the app's own steps around it: the same field twice.
final class ChangedPlan: Sendable {
    /// As its client asks for it.
    let asked: RootFieldPlan
    /// With all that a record holds, for steps behind it; nil where there are none.
    let whole: RootFieldPlan?
    /// Where its records are.
    let type: RecordType

    init(asked: RootFieldPlan, whole: RootFieldPlan?, of type: RecordType) {
        self.asked = asked
        self.whole = whole
        self.type = type
    }
}

extension RootOperation {
    /// The model that it is an operation of; nil for what the schema declares itself.
    var type: RecordType? {
        switch self {
        case .get(let type), .list(let type), .index(let type, _), .sync(let type), .search(let type),
            .create(let type),
            .update(let type), .delete(let type):
            type
        case .custom: nil
        case .changed(let base, _): base.type
        }
    }
}

extension Planner {
    /// An operation of a model with steps of the app's own around it, or in its place.
    mutating func changed(
        _ base: RootOperation, _ field: ModelField, _ group: CollectFields.Group, _ definition: SchemaField,
        of root: TypeID, _ kind: OperationType, check: Int
    ) throws(GraphQLError) -> OutsidePlan {
        guard let type = base.type, case .scripts(let handlers)? = field.resolver else {
            throw GraphQLError("\(definition.name) is no operation of a model")
        }
        let program = ResolverProgram(
            changing: ChangedOperation(base, of: type), handlers, of: schema[root].name, field.name, types.functions)
        let asked = RootFieldPlan(
            group, type: definition.type, check: check, action: try action(base, group, definition, of: root), kind,
            in: document)
        var whole: RootFieldPlan?
        if program.readsWholeRecords {
            let group = group.selecting(WholeSelection(schema, types).selection(of: definition.type.named))
            whole = RootFieldPlan(
                group, type: definition.type, check: check, action: try action(base, group, definition, of: root),
                kind, in: document)
        }
        return try outside(
            FieldProgram(program, types.functions), group, definition, sources: [],
            changing: .operation(ChangedPlan(asked: asked, whole: whole, of: type)))
    }
}

/// All that records hold themselves, as a selection: what steps behind an operation are told of them.
struct WholeSelection {
    private let schema: Schema
    private let types: RecordTypes
    /// Custom types in one another. What is deeper is left out.
    private static let depthMax = 8

    init(_ schema: Schema, _ types: RecordTypes) {
        self.schema = schema
        self.types = types
    }

    /// Of a record, or of a page of them.
    func selection(of type: TypeID) -> SelectionSet { SelectionSet(selections(of: type, depth: 0)) }

    private func selections(of type: TypeID, depth: Int) -> [Selection] {
        guard depth <= Self.depthMax, case .object(let object) = schema[type] else { return [] }
        let record = types.type(type)
        return object.fields.fields.compactMap { field in
            if let record {
                guard case .column = record.field(named: field.name) else { return nil }
                // Where a rule hides it the record would go with it.
                if field.type.isNonNull, record.model.field(named: field.name)?.rules != nil { return nil }
            }
            let name = Name(field.name)
            if schema[field.type.named].isLeaf { return .field(Field(name: name)) }
            let below = selections(of: field.type.named, depth: depth + 1)
            return below.isEmpty ? nil : .field(Field(name: name, selectionSet: SelectionSet(below)))
        }
    }
}
