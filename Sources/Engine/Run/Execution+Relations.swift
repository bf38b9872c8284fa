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

    mutating func completeRelation(
        _ relation: ToOnePlan, _ field: FieldPlan, _ row: borrowing Row
    ) throws(RunError) -> Completion {
        let origin = Self.origin(relation.sources, relation.check, row)
        writer.enter(field.responseName)
        let (start, related) = (writer.bytes.count, relatedBytes)
        defer {
            relatedBytes = related + writer.bytes.count - start
            writer.leave()
        }
        return try complete(relation, origin, field.type, field.position)
    }

    mutating func completeRelation(
        _ relation: ToManyPlan, _ field: FieldPlan, _ row: borrowing Row
    ) throws(RunError) {
        let origin = Self.origin(relation.sources, relation.check, row)
        writer.enter(field.responseName)
        let (start, related) = (writer.bytes.count, relatedBytes)
        defer {
            relatedBytes = related + writer.bytes.count - start
            writer.leave()
        }
        try complete(relation, origin, field.position)
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

    /// Completes a relation of a record that no database has given, which is all that is written.
    mutating func runRelation(_ relation: ValueRelation, of source: JSONObject) throws(RunError) {
        let key = { (columns: [Int]) in
            columns.map { column in
                let field = relation.sourceFields[column]
                return StoredValue(
                    source[field] ?? .null, as: relation.parent.table.column(of: field)?.kind ?? .text)
            }
        }
        // What steps have changed is this relation, not those of what it leads to.
        let change = change.take()
        switch relation.source {
        case .toOne(let toOne):
            let origin = Origin(key: key(toOne.sources), texts: Self.texts(toOne.check, source))
            if try complete(toOne, origin, relation.type, relation.position, change).isBroken {
                writer.isNull = true
            }
        case .toMany(let toMany):
            let origin = Origin(key: key(toMany.sources), texts: Self.texts(toMany.check, source))
            try complete(toMany, origin, relation.position, change)
        default: JSONWriter.writeNull(to: &writer.bytes)
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
        let decision = check.access.decision(for: caller) { origin.texts[$0] }
        relationDecisions[check.number] = decision
        return decision
    }

    /// Completes a relation that the caller may not follow.
    private mutating func refuse(_ check: RelationCheck, _ type: TypeUse, _ position: Position) -> Completion {
        fail(.unauthorized(check.field, on: check.model), position)
        return writer.completeFailure(type)
    }

    // MARK: One record

    private mutating func complete(
        _ relation: ToOnePlan, _ origin: Origin, _ type: TypeUse, _ position: Position,
        _ change: OperationChange? = nil
    ) throws(RunError) -> Completion {
        guard !origin.key.contains(.null) else { return completeNothing(relation, type) }
        let decision = decision(relation.check, origin)
        if case .deny = decision { return refuse(relation.check, type, position) }
        if plan.isMutation, relation.check.access.isEmptiedInMutations { return completeNothing(relation, type) }
        guard try meetsFilters(of: change, relation, origin) else { return refuse(relation.check, type, position) }
        let found: Found =
            switch relation.lookup {
            case .key(let lookup):
                try completeRecord(
                    lookup, key: origin.key, relation.selection, decision, isNonNull: type.isNonNull)
            case .index(let index):
                try completeFirst(of: index, origin.key, relation.selection, decision, isNonNull: type.isNonNull)
            case .nothing: .nothing
            }
        return switch found {
        case .record(let completion): completion
        case .hidden: refuse(relation.check, type, position)
        case .nothing: completeNothing(relation, type)
        }
    }

    /// Returns whether the record meets the filters that steps have left, where there is one.
    private mutating func meetsFilters(
        of change: OperationChange?, _ relation: ToOnePlan, _ origin: Origin
    ) throws(RunError) -> Bool {
        let type = relation.selection.type
        guard let predicate = try filters(change, of: type) else { return true }
        let layout =
            switch relation.lookup {
            case .key: type.table.primaryKey
            case .index(let index): index as KeyLayout?
            case .nothing: nil as KeyLayout?
            }
        guard let layout else { return true }
        return try meets(predicate, type, origin.key, in: layout)
    }

    private mutating func completeNothing(_ relation: ToOnePlan, _ type: TypeUse) -> Completion {
        completeNull(type, in: relation.check.model)
    }

    // MARK: Many records

    private mutating func complete(
        _ relation: ToManyPlan, _ origin: Origin, _ position: Position, _ change: OperationChange? = nil
    ) throws(RunError) {
        let start = writer.bytes.count
        let depth = writer.path.steps.count
        do throws(RunError) {
            try completeRecords(relation, origin, change)
        } catch {
            if error.isOfOperation { throw error }
            writer.rewind(to: start)
            writer.leave(to: depth)
            fail(context.failure(error), position)
            JSONWriter.writeNull(to: &writer.bytes)
        }
    }

    private mutating func completeRecords(
        _ relation: ToManyPlan, _ origin: Origin, _ change: OperationChange?
    ) throws(RunError) {
        let list = relation.list
        // Without a key there is nothing to find, and nothing to ask.
        guard let partition = origin.key.first, !origin.key.contains(.null) else {
            return completeEmptyConnection(list.connection)
        }
        let decision = decision(relation.check, origin)
        if case .deny = decision { throw .field(.unauthorized(relation.check.field, on: relation.check.model)) }
        if plan.isMutation, relation.check.access.isEmptiedInMutations {
            return completeEmptyConnection(list.connection)
        }
        if case .filter(let access) = decision, access.isOfNothing { return completeEmptyConnection(list.connection) }

        // Hot path: taken out while it is used, so that it is changed in place.
        if relation.check.sources.isEmpty, var prepared = preparedLists[list.number].take() {
            prepared.move(to: partition)
            defer { preparedLists[list.number] = prepared }
            let (variables, key) = (variables, origin.key)
            return try completePage(list, prepared) { Self.scope(list, list.arguments.values(variables), key) }
        }
        let arguments = change?.arguments ?? list.arguments.values(variables)
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
        if let own = try filters(change, of: list.type) { predicate = .all([predicate, own]) }
        let wanted = try ofField { () throws(FieldFailure) in try list.key?.choice(arguments, startingWith: key) }
        guard var choice = wanted else { return completeEmptyConnection(list.connection) }
        if !narrowing.isEmpty, let narrowed = list.key?.narrowed(choice, by: narrowing) { choice = narrowed }
        try completeList(list, arguments, choice, predicate, scopeOfParent: key)
    }
}
