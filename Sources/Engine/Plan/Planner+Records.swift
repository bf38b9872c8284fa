import Access
import Blueprint
import GraphQL
import JSON
import Store

/// The plans of records, relations and lists.
extension Planner {
    /// What the fields of a group select of a record. Of the fields in `compared` the values are read too, for rules
    /// that compare them.
    mutating func selection(
        of type: RecordType, _ group: CollectFields.Group, knowing compared: [String] = []
    ) throws(GraphQLError) -> SelectionPlan {
        var columns = ColumnChoice()
        let fields = try fields(of: type, group, &columns)
        for field in compared { _ = columns.place(of: field) }
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
            if name == "__typename" {
                let source = FieldPlan.Source.constant(JSONWriter.bytes(of: .string(type.name)))
                fields.append(FieldPlan(group, type: definition.type, check: nil, source: source))
                continue
            }
            let check = check(name, of: type.name)
            for field in checks[check].recordFields { _ = columns.place(of: field) }
            let isNull = !checks[check].nullIn.isDisjoint(with: result)
            let source = try source(of: name, in: type, group, definition, &columns)
            fields.append(FieldPlan(group, type: definition.type, check: check, source: source, isNull: isNull))
        }
        return fields
    }

    private mutating func source(
        of name: String, in type: RecordType, _ group: CollectFields.Group, _ definition: SchemaField,
        _ columns: inout ColumnChoice
    ) throws(GraphQLError) -> FieldPlan.Source {
        switch type.field(named: name) {
        case .column(let column):
            let place = columns.place(of: name)
            if let kind = LeafKind(definition.type, storedAs: column.kind, in: schema) {
                return .leaf(column: place, type.access.shortenedOwners.contains(name) ? kind.ofOwners : kind)
            }
            let plan = try valuePlan(definition.type, group)
            if plan.holdsComputed { isWaiting = true }
            return .value(column: place, plan)
        case .relation(let relation): return try self.relation(relation, of: type, group, definition, &columns)
        case .computed(let field):
            guard let program = types.program(of: field, on: type.name, in: schema) else { return .null }
            let sources = type.storedFields.map { columns.place(of: $0) }
            return .outside(try outside(program, group, definition, sources: sources))
        case .changed(let relation, let field):
            guard let (program, changed) = try changed(relation, field, of: type, group, definition) else {
                return .null
            }
            let sources = type.storedFields.map { columns.place(of: $0) }
            return .outside(try outside(program, group, definition, sources: sources, changing: changed))
        case .nothing: return .null
        }
    }

    // MARK: Relations

    mutating func relation(
        _ relation: Relation, of type: RecordType, _ group: CollectFields.Group, _ definition: SchemaField,
        _ columns: inout ColumnChoice
    ) throws(GraphQLError) -> FieldPlan.Source {
        guard let target = types.type(ofModel: relation.target), let key = target.key(for: relation.lookup),
            let access = type.access.relation(relation.field)
        else { return .null }
        let here = result
        if !here.isEmpty { result = .related }
        defer { result = here }
        let sources = relation.sourceFields.map { columns.place(of: $0) }
        relationCount += 1
        let check = RelationCheck(
            access: access, number: relationCount - 1, model: type.name, field: relation.field,
            sources: access.sourceFields.map { ($0, columns.place(of: $0)) })
        guard relation.kind.isMany else {
            let selection = try selection(of: target, group, knowing: target.comparedFields)
            let lookup: ToOnePlan.Lookup =
                if relation.lookup != .primaryKey {
                    .index(key)
                } else if sources.count == target.table.keyFieldCount {
                    .key(KeyLookup(target.table, fields: selection.columns))
                } else {
                    .nothing
                }
            return .toOne(ToOnePlan(selection, check, sources: sources, lookup: lookup))
        }
        let list = try list(
            of: target, group, definition, arguments(of: group, definition),
            key: KeyArguments(of: relation, key, in: target), nil, limit: relation.limit,
            scope: "\(relation.model).\(relation.field)")
        return .toMany(ToManyPlan(list, check, sources: sources))
    }

    // MARK: Lists

    /// `access` is nil for a relation, which has a check of its own.
    mutating func list(
        of type: RecordType, _ group: CollectFields.Group, _ definition: SchemaField, _ arguments: ArgumentTemplate,
        key: KeyArguments?, _ access: ReadAccess?, limit: Int = Relation.limitDefault, scope: String? = nil,
        filterKey: KeyLayout? = nil
    ) throws(GraphQLError) -> ListPlan {
        let number = listCount
        listCount += 1
        return ListPlan(
            number: number, type, arguments: arguments, key: key,
            connection: try connection(definition.type.named, of: type, group), limitDefault: limit, access,
            scope: scope ?? definition.name, filterKey: filterKey)
    }

    mutating func paged(
        _ type: RecordType, _ group: CollectFields.Group, _ definition: SchemaField, _ arguments: ArgumentTemplate
    ) throws(GraphQLError) -> PagedPlan {
        PagedPlan(
            type, arguments: arguments, connection: try connection(definition.type.named, of: type, group),
            scope: definition.name)
    }

    mutating func connection(
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
            var number: Int?
            switch name {
            case "__typename": source = .constant(JSONWriter.bytes(of: .string(schema[typeID].name)))
            case "items": part = .items(try self.fields(of: type, group, &columns))
            case "nextToken": part = .known(.nextToken)
            case "startedAt": part = .known(.startedAt)
            case "total": part = .known(.total)
            case "aggregateItems": part = .known(.aggregates(try valuePlan(definition.type, group)))
            default: break
            }
            if name != "__typename" { number = check(name, of: schema[typeID].name) }
            fields.append((FieldPlan(group, type: definition.type, check: number, source: source), part))
        }
        return ConnectionPlan(
            typeName: schema[typeID].name,
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
