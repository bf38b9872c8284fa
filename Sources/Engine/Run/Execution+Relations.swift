import Access
import GraphQL
import JSON
import Store

/// The relations of a record: whom they show what, and how they are followed.
extension Execution {
    /// What a relation is followed from.
    private struct Origin {
        let key: [StoredValue]
        /// The texts of the fields that the decision wants to know.
        let texts: [ByteText: String]
    }

    // MARK: From a row

    mutating func write(
        _ relation: ToOnePlan, _ field: FieldPlan, _ row: borrowing Row, in selection: SelectionPlan
    ) throws(StoreError) -> Bool {
        let origin = Self.origin(relation.sources, relation.check, row)
        path.append(.name(field.responseName))
        defer { path.removeLast() }
        return try write(relation, origin, field.type, field.position)
    }

    mutating func write(
        _ relation: ToManyPlan, _ field: FieldPlan, _ row: borrowing Row, in selection: SelectionPlan
    ) throws(StoreError) {
        let origin = Self.origin(relation.sources, relation.check, row)
        path.append(.name(field.responseName))
        defer { path.removeLast() }
        try write(relation, origin, field.position)
    }

    private static func origin(_ sources: [Int], _ check: RelationCheck, _ row: borrowing Row) -> Origin {
        var key: [StoredValue] = []
        key.reserveCapacity(sources.count)
        for column in sources { key.append(row.value(column)) }
        guard !check.sources.isEmpty else { return Origin(key: key, texts: [:]) }
        var texts: [ByteText: String] = [:]
        for (field, column) in check.sources where !row.isNull(column) { texts[field] = row.text(column) }
        return Origin(key: key, texts: texts)
    }

    // MARK: From a value

    /// Writes a relation of a record that no database has given.
    mutating func runRelation(
        _ relation: ValueRelation, of source: JSONObject, at path: ResponsePath
    ) throws(StoreError) {
        self.path = path.steps
        let key = { (columns: [Int]) in
            columns.map { column in
                let field = relation.sourceFields[column]
                return StoredValue(
                    source[field] ?? .null, as: relation.parent.table.column(of: field)?.kind ?? .text)
            }
        }
        switch relation.source {
        case .toOne(let toOne):
            let origin = Origin(key: key(toOne.sources), texts: Self.texts(toOne.check, source))
            if try !write(toOne, origin, relation.type, relation.position) { piece.isNull = true }
        case .toMany(let toMany):
            let origin = Origin(key: key(toMany.sources), texts: Self.texts(toMany.check, source))
            try write(toMany, origin, relation.position)
        default: JSONWriter.writeNull(to: &piece.bytes)
        }
    }

    private static func texts(_ check: RelationCheck, _ source: JSONObject) -> [ByteText: String] {
        var texts: [ByteText: String] = [:]
        for (field, _) in check.sources { texts[field] = source[field]?.string }
        return texts
    }

    // MARK: What the caller may see

    /// Asked once for a run where every record gives the same answer.
    private mutating func decision(_ check: RelationCheck, _ origin: Origin) -> Decision {
        if check.sources.isEmpty, let known = relationDecisions[check.number] { return known }
        let decision = check.access.decision(for: caller.access) { origin.texts[$0] }
        relationDecisions[check.number] = decision
        return decision
    }

    /// Notes that the caller may not follow a relation, which is null then.
    private mutating func refuse(_ check: RelationCheck, _ position: Position) {
        fail(.unauthorized(check.field, on: check.model), position)
        JSONWriter.writeNull(to: &piece.bytes)
    }

    // MARK: One record

    /// Writes the record that a relation leads to; false when it is null and must not be.
    private mutating func write(
        _ relation: ToOnePlan, _ origin: Origin, _ type: TypeUse, _ position: Position
    ) throws(StoreError) -> Bool {
        let start = piece.bytes.count
        let errorCount = piece.errors.count
        try writeRecord(relation, origin, position, isNonNull: type.isNonNull)
        guard type.isNonNull, piece.bytes.count == start + 4, piece.bytes[start] == UInt8(ascii: "n") else {
            return true
        }
        if piece.errors.count == errorCount { addNullError(type, in: relation.check.model) }
        return false
    }

    private mutating func writeRecord(
        _ relation: ToOnePlan, _ origin: Origin, _ position: Position, isNonNull: Bool
    ) throws(StoreError) {
        guard !origin.key.contains(.null) else { return JSONWriter.writeNull(to: &piece.bytes) }
        let decision = decision(relation.check, origin)
        guard decision != .deny else { return refuse(relation.check, position) }
        if plan.isMutation, relation.check.access.isEmptiedInMutations {
            return JSONWriter.writeNull(to: &piece.bytes)
        }
        let isSeen =
            switch relation.lookup {
            case .key(let lookup):
                try writeRecord(lookup, key: origin.key, relation.selection, decision, isNonNull: isNonNull)
            case .index(let index):
                try writeFirst(of: index, origin.key, relation.selection, decision, isNonNull: isNonNull)
            }
        if !isSeen { refuse(relation.check, position) }
    }

    /// Writes the first record of an index, or null; false when there is one that the caller may not see.
    private mutating func writeFirst(
        of key: KeyLayout, _ values: [StoredValue], _ selection: SelectionPlan, _ decision: Decision,
        isNonNull: Bool
    ) throws(StoreError) -> Bool {
        guard let query = KeyQuery(key, startingWith: values) else {
            JSONWriter.writeNull(to: &piece.bytes)
            return true
        }
        try countRead()
        let list = try ListQuery(selection.type.table, fields: selection.columns, key: query, limit: 1).prepared()
        let reader = reader
        var isSeen = true
        let page = try reader.list(list) { row throws(StoreError) in
            isSeen = admits(decision, row, selection)
            if isSeen { try writeNullable(selection, row, isNonNull: isNonNull) }
        }
        if page.matchCount == 0 { JSONWriter.writeNull(to: &piece.bytes) }
        return isSeen
    }

    // MARK: Many records

    private mutating func write(
        _ relation: ToManyPlan, _ origin: Origin, _ position: Position
    ) throws(StoreError) {
        let start = piece.bytes.count
        let depth = path.count
        do throws(FieldFailure) {
            try writeRecords(relation, origin, position)
        } catch {
            if let fatal = context.fatalError { throw fatal }
            piece.rewind(to: start)
            path.removeLast(path.count - depth)
            fail(error, position)
            JSONWriter.writeNull(to: &piece.bytes)
        }
    }

    private mutating func writeRecords(
        _ relation: ToManyPlan, _ origin: Origin, _ position: Position
    ) throws(FieldFailure) {
        let list = relation.list
        // Without a key there is nothing to find, and nothing to ask.
        guard let partition = origin.key.first, !origin.key.contains(.null) else {
            return writeEmptyConnection(list.connection)
        }
        let decision = decision(relation.check, origin)
        guard decision != .deny else { return refuse(relation.check, position) }
        if plan.isMutation, relation.check.access.isEmptiedInMutations { return writeEmptyConnection(list.connection) }
        if case .filter(let access) = decision, access.isOfNothing { return writeEmptyConnection(list.connection) }

        // Hot path: taken out while it is used, so that it is changed in place.
        if relation.check.sources.isEmpty, var prepared = preparedLists[list.number].take() {
            prepared.move(to: partition)
            defer { preparedLists[list.number] = prepared }
            let (variables, key) = (variables, origin.key)
            let scope = { Self.scope(list, list.arguments.values(variables), key) }
            return try reading { execution throws(StoreError) in
                try execution.writePage(list, prepared, scope: scope)
            }
        }
        let arguments = list.arguments.values(variables)
        var key = origin.key
        var predicate = Predicate.always
        var narrowing: [Decision.KeyCondition] = []
        switch decision {
        case .allow, .deny: break
        case .filter(let access): predicate = Predicate(access)
        case .narrow(let conditions):
            // Under somebody else's key the caller sees what is under their own.
            narrowing = conditions
            if let own = conditions.first(where: { $0.field == list.key?.key.partition }) {
                key[0] = .text(own.value.string)
            }
        }
        guard var choice = try list.key?.choice(arguments, startingWith: key) else {
            return writeEmptyConnection(list.connection)
        }
        if !narrowing.isEmpty, let narrowed = list.key?.narrowed(choice, by: narrowing) { choice = narrowed }
        try writeList(list, arguments, choice, predicate, scopeOfParent: key)
    }
}
