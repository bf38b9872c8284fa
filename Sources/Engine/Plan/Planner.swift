import Blueprint
import GraphQL
import JSON
import Store

/// Makes the plan of an operation. Everything that does not depend on a request's variables is decided here.
struct Planner {
    let document: ExecutableDocument
    let types: RecordTypes
    private(set) var listCount = 0
    private(set) var isWaiting = false
    private(set) var valueRelations: [ValueRelation] = []

    var schema: Schema { document.schema }

    static func plan(
        _ operation: OperationDefinition, of document: ExecutableDocument, _ types: RecordTypes, _ limits: EngineLimits
    ) throws(GraphQLError) -> OperationPlan {
        guard let root = document.schema.rootType(of: operation.operation) else {
            throw GraphQLError("There is no such root type")
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
            listCount: planner.listCount, valueRelations: planner.valueRelations, isWaiting: planner.isWaiting)
    }

    private init(document: ExecutableDocument, types: RecordTypes) {
        self.document = document
        self.types = types
    }

    // MARK: Root fields

    private mutating func rootField(
        _ group: CollectFields.Group, of root: TypeID, _ kind: OperationType
    ) throws(GraphQLError) -> RootFieldPlan? {
        guard let field = group.fields.first?.field,
            let definition = schema.field(named: field.name.text, of: root)
        else { return nil }
        let name = field.name.text
        let action: RootFieldPlan.Action
        if name == "__typename" {
            action = .typename
        } else if kind == .query, Introspection.answers(name) {
            action = .introspection(group)
        } else if let operation = types.operation(name, of: kind) {
            action = try self.action(operation, group, definition, of: root)
        } else {
            action = .null
        }
        return RootFieldPlan(group, type: definition.type, action: action)
    }

    private mutating func action(
        _ operation: RootOperation, _ group: CollectFields.Group, _ definition: SchemaField, of root: TypeID
    ) throws(GraphQLError) -> RootFieldPlan.Action {
        let arguments = arguments(of: group, definition)
        switch operation {
        case .get(let type):
            let selection = try selection(of: type, group)
            return .get(GetPlan(type, arguments: arguments, selection: selection))
        case .list(let type):
            let key = type.model.key.isCustom ? KeyArguments(of: type, isPrimary: true) : nil
            return .list(try list(of: type, group, definition, arguments, key: key))
        case .index(let type, let index):
            return .list(try list(of: type, group, definition, arguments, key: KeyArguments(of: type, index)))
        case .create(let type): return .mutation(try mutation(type, .create, group, arguments))
        case .update(let type): return .mutation(try mutation(type, .update, group, arguments))
        case .delete(let type): return .mutation(try mutation(type, .delete, group, arguments))
        case .sync, .search: return .null
        case .custom(let field):
            guard let resolver = field.resolver else { return .null }
            return .outside(
                try outside(resolver, of: schema[root].name, group, definition, arguments, sources: []))
        }
    }

    private mutating func mutation(
        _ type: RecordType, _ kind: MutationPlan.Kind, _ group: CollectFields.Group, _ arguments: ArgumentTemplate
    ) throws(GraphQLError) -> MutationPlan {
        MutationPlan(type, kind, arguments: arguments, selection: try selection(of: type, group))
    }

    private func arguments(of group: CollectFields.Group, _ definition: SchemaField) -> ArgumentTemplate {
        ArgumentTemplate(group.fields.first?.field.arguments ?? [], of: definition.arguments, in: schema)
    }

    // MARK: Records

    /// What the fields of a group select of a record.
    private mutating func selection(
        of type: RecordType, _ group: CollectFields.Group
    ) throws(GraphQLError) -> SelectionPlan {
        var columns = ColumnChoice()
        let fields = try fields(of: type, group, &columns)
        return SelectionPlan(type, fields: fields, columns: columns.fields)
    }

    private mutating func fields(
        of type: RecordType, _ group: CollectFields.Group, _ columns: inout ColumnChoice
    ) throws(GraphQLError) -> [FieldPlan] {
        var fields: [FieldPlan] = []
        for group in try CollectFields.groups(of: type.typeID, group.selectionSets, in: document) {
            guard let name = group.fields.first?.field.name.text,
                let definition = schema.field(named: name, of: type.typeID)
            else { continue }
            let source = try source(of: name, in: type, group, definition, &columns)
            fields.append(FieldPlan(group, type: definition.type, source: source))
        }
        return fields
    }

    private mutating func source(
        of name: String, in type: RecordType, _ group: CollectFields.Group, _ definition: SchemaField,
        _ columns: inout ColumnChoice
    ) throws(GraphQLError) -> FieldPlan.Source {
        if name == "__typename" { return .constant(JSONWriter.bytes(of: .string(type.name))) }
        switch type.field(named: name) {
        case .column(let column):
            let place = columns.place(of: name)
            if let kind = LeafKind(definition.type, storedAs: column.kind, in: schema) {
                return .leaf(column: place, kind)
            }
            let plan = try valuePlan(definition.type, group)
            if plan.holdsComputed { isWaiting = true }
            return .value(column: place, plan)
        case .relation(let relation): return try self.relation(relation, group, definition, &columns)
        case .resolver(let resolver):
            let sources = type.storedFields.map { columns.place(of: $0) }
            let arguments = arguments(of: group, definition)
            return .outside(try outside(resolver, of: type.name, group, definition, arguments, sources: sources))
        case .nothing: return .null
        }
    }

    private mutating func relation(
        _ relation: Relation, _ group: CollectFields.Group, _ definition: SchemaField, _ columns: inout ColumnChoice
    ) throws(GraphQLError) -> FieldPlan.Source {
        guard let target = types.type(ofModel: relation.target), let key = target.key(for: relation.lookup) else {
            return .null
        }
        let sources = relation.sourceFields.map { columns.place(of: $0) }
        guard relation.kind.isMany else {
            let selection = try selection(of: target, group)
            let lookup: ToOnePlan.Lookup =
                relation.lookup == .primaryKey
                ? .key(KeyLookup(target.table, fields: selection.columns)) : .index(key)
            return .toOne(ToOnePlan(selection, sources: sources, lookup: lookup))
        }
        let list = try list(
            of: target, group, definition, arguments(of: group, definition),
            key: KeyArguments(of: relation, key, in: target), limit: relation.limit, isRelation: true,
            scope: "\(relation.model).\(relation.field)")
        return .toMany(ToManyPlan(list, sources: sources))
    }

    // MARK: Lists

    private mutating func list(
        of type: RecordType, _ group: CollectFields.Group, _ definition: SchemaField, _ arguments: ArgumentTemplate,
        key: KeyArguments?, limit: Int = Relation.limitDefault, isRelation: Bool = false, scope: String? = nil
    ) throws(GraphQLError) -> ListPlan {
        let number = listCount
        listCount += 1
        return ListPlan(
            number: number, type, arguments: arguments, key: key,
            connection: try connection(definition.type.named, of: type, group), limitDefault: limit,
            isRelation: isRelation, scope: scope ?? definition.name)
    }

    private mutating func connection(
        _ typeID: TypeID, of type: RecordType, _ group: CollectFields.Group
    ) throws(GraphQLError) -> ConnectionPlan {
        // All selections of the items read the same columns, so that one statement serves them.
        var columns = ColumnChoice()
        var fields: [(FieldPlan, Part)] = []
        for group in try CollectFields.groups(of: typeID, group.selectionSets, in: document) {
            guard let name = group.fields.first?.field.name.text,
                let definition = schema.field(named: name, of: typeID)
            else { continue }
            var source = FieldPlan.Source.null
            var part = Part.known(.other)
            switch name {
            case "items": part = .items(try self.fields(of: type, group, &columns))
            case "nextToken": part = .known(.nextToken)
            case "startedAt": part = .known(.startedAt)
            case "total": part = .known(.total)
            case "aggregateItems": part = .known(.aggregates)
            case "__typename": source = .constant(JSONWriter.bytes(of: .string(schema[typeID].name)))
            default: break
            }
            fields.append((FieldPlan(group, type: definition.type, source: source), part))
        }
        return ConnectionPlan(
            fields: fields.map { plan, part in
                switch part {
                case .known(let part): ConnectionPlan.Field(plan: plan, part: part)
                case .items(let fields):
                    ConnectionPlan.Field(
                        plan: plan, part: .items(SelectionPlan(type, fields: fields, columns: columns.fields)))
                }
            },
            columns: columns.fields)
    }

    /// A field of a connection, before it is known which columns all of them read.
    private enum Part {
        case known(ConnectionPlan.Part)
        case items([FieldPlan])
    }
}

// MARK: Values

extension Planner {
    /// A field that a function or a service computes.
    private mutating func outside(
        _ resolver: FieldResolver, of typeName: String, _ group: CollectFields.Group, _ definition: SchemaField,
        _ arguments: ArgumentTemplate, sources: [Int]
    ) throws(GraphQLError) -> OutsidePlan {
        isWaiting = true
        let field = ComputedField(
            typeName: typeName, fieldName: definition.name,
            source: .calls(FieldProgram(resolver, types.functions)), arguments: arguments,
            locations: group.fields.first.flatMap { document.lines.location(of: $0.field.position) }.map { [$0] },
            plan: try valuePlan(definition.type, group))
        return OutsidePlan(field, sources: sources)
    }

    /// How a value is written. Its objects can have fields that are computed too, and relations where they are records.
    private mutating func valuePlan(
        _ type: TypeUse, _ group: CollectFields.Group
    ) throws(GraphQLError) -> ValuePlan {
        try ValuePlan(type, group, in: document) { field, object, group throws(GraphQLError) in
            try computed(field, of: object, group)
        }
    }

    private mutating func computed(
        _ definition: SchemaField, of object: ObjectType, _ group: CollectFields.Group
    ) throws(GraphQLError) -> ComputedSource? {
        guard let type = types.type(object.id) else {
            return types.resolver(of: definition.name, on: object.name).map {
                .calls(FieldProgram($0, types.functions))
            }
        }
        switch type.field(named: definition.name) {
        case .column, .nothing: return nil
        case .resolver(let resolver): return .calls(FieldProgram(resolver, types.functions))
        case .relation(let relation):
            var columns = ColumnChoice()
            let source = try self.relation(relation, group, definition, &columns)
            valueRelations.append(
                ValueRelation(parent: type, sourceFields: columns.fields, source: source, type: definition.type))
            return .engine(valueRelations.count - 1)
        }
    }
}

/// The fields that a selection reads, each one once.
struct ColumnChoice {
    private(set) var fields: [String] = []

    /// The place of a field in the row.
    mutating func place(of field: String) -> Int {
        if let place = fields.firstIndex(of: field) { return place }
        fields.append(field)
        return fields.count - 1
    }
}
