import Access
import Blueprint
import GraphQL
import JSON
import Store

/// Makes the plan of an operation. Everything that does not depend on a request's variables or caller is decided here.
///
///     root fields      this file          what each does
///     records          Planner+Records    the columns, relations and checks of a selection
///     values           Planner+Values     custom types, and what functions give
struct Planner {
    let document: ExecutableDocument
    let types: RecordTypes
    var listCount = 0
    var relationCount = 0
    var isWaiting = false
    var valueRelations: [ValueRelation] = []
    private(set) var checks: [FieldRight] = []
    private(set) var checkNumbers: [ByteText: Int] = [:]
    private var demand: IAMDemand = []
    /// The part of a mutation's result that is planned just now; nothing in a query.
    var result: MutationResults = []

    var schema: Schema { document.schema }

    static func plan(
        _ operation: OperationDefinition, of document: ExecutableDocument, _ types: RecordTypes, _ limits: EngineLimits
    ) throws(GraphQLError) -> OperationPlan {
        guard let root = document.schema.rootType(of: operation.operation) else {
            throw .missingRoot(for: operation, in: document)
        }
        var planner = Planner(document: document, types: types)
        if let depthMax = limits.depthMax {
            try DepthLimit.check(operation.selectionSet, in: document, max: depthMax)
        }
        var fields: [RootFieldPlan] = []
        for group in try CollectFields.groups(of: root, operation.selectionSet, in: document) {
            if let field = try planner.rootField(group, of: root, operation.operation) { fields.append(field) }
        }
        return OperationPlan(
            document, operation, rootTypeName: document.schema[root].name, fields: fields,
            listCount: planner.listCount, valueRelations: planner.valueRelations, checks: planner.checks,
            checkNumbers: planner.checkNumbers, relationCount: planner.relationCount, demand: planner.demand,
            isWaiting: planner.isWaiting)
    }

    private init(document: ExecutableDocument, types: RecordTypes) {
        self.document = document
        self.types = types
    }

    /// The number of a field's check, the same for all places where it is selected.
    mutating func check(_ field: String, of type: String) -> Int {
        let coordinate = "\(type).\(field)"
        if let number = checkNumbers[coordinate] { return number }
        demand.formUnion(types.policy.demand(type: type, field: field))
        checkNumbers[coordinate] = checks.count
        checks.append(types.policy.right(to: field, of: type))
        return checks.count - 1
    }

    // MARK: Root fields

    private mutating func rootField(
        _ group: CollectFields.Group, of root: TypeID, _ kind: OperationType
    ) throws(GraphQLError) -> RootFieldPlan? {
        guard let field = group.fields.first?.field,
            let definition = schema.field(named: field.name.text, of: root)
        else { return nil }
        let name = field.name.text
        if name == "__typename" {
            return RootFieldPlan(group, type: definition.type, check: nil, action: .typename, kind, in: document)
        }
        if kind == .query, Introspection.answers(name) {
            return RootFieldPlan(
                group, type: definition.type, check: nil, action: .introspection(group), kind, in: document)
        }
        let check = check(name, of: schema[root].name)
        result = kind == .mutation ? .related : []
        let action: RootFieldPlan.Action =
            if case .changed(let base, let field)? = types.operation(name, of: kind) {
                .outside(try changed(base, field, group, definition, of: root, kind, check: check))
            } else if let operation = types.operation(name, of: kind) {
                try self.action(operation, group, definition, of: root)
            } else {
                .null
            }
        return RootFieldPlan(group, type: definition.type, check: check, action: action, kind, in: document)
    }

    mutating func action(
        _ operation: RootOperation, _ group: CollectFields.Group, _ definition: SchemaField, of root: TypeID
    ) throws(GraphQLError) -> RootFieldPlan.Action {
        let arguments = arguments(of: group, definition)
        switch operation {
        case .get(let type):
            let selection = try selection(of: type, group, knowing: type.comparedFields)
            return .get(GetPlan(type, arguments: arguments, selection: selection))
        case .list(let type):
            let key = type.model.key.isCustom ? KeyArguments(of: type, isPrimary: true) : nil
            return .list(
                try list(
                    of: type, group, definition, arguments, key: key, type.access.list,
                    filterKey: types.conversationKey(of: type)))
        case .index(let type, let index):
            let key = KeyArguments(of: type, index)
            guard let access = type.access.query(definition.name) else { return .null }
            return .list(try list(of: type, group, definition, arguments, key: key, access))
        case .create(let type): return .mutation(try mutation(type, .create, group, arguments))
        case .update(let type): return .mutation(try mutation(type, .update, group, arguments))
        case .delete(let type): return .mutation(try mutation(type, .delete, group, arguments))
        case .search(let type): return .search(try paged(type, group, definition, arguments))
        case .sync(let type): return .sync(try paged(type, group, definition, arguments))
        case .custom(let field):
            guard let program = types.program(of: field, on: schema[root].name, in: schema) else { return .null }
            return .outside(try outside(program, group, definition, sources: []))
        case .changed(let base, _): return try action(base, group, definition, of: root)
        }
    }

    private mutating func mutation(
        _ type: RecordType, _ kind: MutationPlan.Kind, _ group: CollectFields.Group, _ arguments: ArgumentTemplate
    ) throws(GraphQLError) -> MutationPlan {
        // A function that decides about conflicts is waited for.
        if kind != .create, type.conflictURL != nil { isWaiting = true }
        result =
            switch kind {
            case .create: .created
            case .update: .updated
            case .delete: .deleted
            }
        return MutationPlan(type, kind, arguments: arguments, selection: try selection(of: type, group))
    }

    func arguments(of group: CollectFields.Group, _ definition: SchemaField) -> ArgumentTemplate {
        ArgumentTemplate(group.fields.first?.field.arguments ?? [], of: definition.arguments, in: schema)
    }
}
