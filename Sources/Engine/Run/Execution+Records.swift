import Access
import GraphQL
import JSON
import Store

/// Records: found by a key, and shown to whom may see them.
extension Execution {
    /// What a key led to.
    enum Found: Equatable {
        case nothing
        /// A record that the caller may not see.
        case hidden
        case record(Completion)
    }

    /// Completes a record, or null in its place. Where none may be, what is around becomes null, too: if need be when a
    /// hole is filled.
    @discardableResult
    mutating func completeRecord(
        _ selection: SelectionPlan, _ row: borrowing Row, isNonNull: Bool = false
    ) throws(RunError) -> Completion {
        let start = writer.bytes.count
        let region = plan.isWaiting && !isNonNull ? writer.openNullable() : nil
        defer { if let region { writer.closeNullable(region) } }
        guard try completeFields(selection, row).isBroken else { return .written }
        writer.rewind(to: start)
        JSONWriter.writeNull(to: &writer.bytes)
        return isNonNull ? .broken : .null
    }

    /// The same for the record that a mutation gives, which is taken down as an event.
    mutating func completeRecord(
        _ selection: SelectionPlan, _ row: borrowing Row, noting record: EventRecord?
    ) throws(RunError) {
        event = record
        let completion = try completeRecord(selection, row)
        if completion == .written, !writer.hasHoles { piece.event = event?.value }
    }

    /// Completes the record of a key. Where there is none, or one that is hidden, nothing is written.
    mutating func completeRecord(
        _ lookup: KeyLookup, key: [StoredValue], _ selection: SelectionPlan, _ decision: Decision,
        andEach others: [AccessPredicate] = [], isNonNull: Bool = false
    ) throws(RunError) -> Found {
        try countRead()
        let reader = reader
        var found = Found.nothing
        _ = try reader.get(lookup, key: key) { row throws(RunError) in
            var isSeen = admits(decision, row, selection)
            for other in others where isSeen { isSeen = admits(.filter(other), row, selection) }
            found = isSeen ? .record(try completeRecord(selection, row, isNonNull: isNonNull)) : .hidden
        }
        return found
    }

    /// The same for the first record of an index.
    mutating func completeFirst(
        of key: KeyLayout, _ values: [StoredValue], _ selection: SelectionPlan, _ decision: Decision, isNonNull: Bool
    ) throws(RunError) -> Found {
        guard let query = KeyQuery(key, startingWith: values) else { return .nothing }
        try countRead()
        let list = ListQuery(selection.type.table, fields: selection.columns, key: query, limit: 1)
        let reader = reader
        var found = Found.nothing
        _ = try reader.list(try prepared(list)) { row throws(RunError) in
            found =
                admits(decision, row, selection)
                ? .record(try completeRecord(selection, row, isNonNull: isNonNull)) : .hidden
        }
        return found
    }

    func prepared(_ query: ListQuery) throws(RunError) -> PreparedList {
        try ofStore { () throws(StoreError) in try query.prepared() }
    }

    /// Returns whether a decision lets the caller see a record, whose compared fields are among the columns.
    ///
    /// Hot path: who asks it of each row must not copy all of this to be told yes.
    @inline(__always)
    func admits(
        _ decision: Decision, _ row: borrowing Row, _ selection: SelectionPlan, asking question: String? = nil
    ) -> Bool {
        if case .allow = decision { true } else { isAdmitted(row, selection, by: decision, asking: question) }
    }

    private func isAdmitted(
        _ row: borrowing Row, _ selection: SelectionPlan, by decision: Decision, asking question: String?
    ) -> Bool {
        var values = JSONObject()
        for field in selection.type.comparedFields {
            guard let column = selection.columns.firstIndex(of: field),
                let kind = selection.type.table.column(of: field)?.kind
            else { continue }
            values.set(field, to: row.value(column).json(as: kind))
        }
        return decision.admits({ values[$0] }, telling: caller.trace, asking: question)
    }
}
