import Access
import Blueprint
import GraphQL
import JSON
import Store

/// Mutations of records that have versions.
extension MutationRun {
    /// Makes a change if it is about the version that is stored, and else does what the model's strategy says.
    func versioned(
        _ change: RecordChange, _ input: RecordInput, in log: ChangeLog, _ session: any RecordWriting,
        _ context: RunContext
    ) throws(RunError) -> Outcome {
        var wanted = VersionedChange(change, in: log, of: Self.version(input))
        if let resolution { wanted = resolution.change(change, of: mutation.type, in: log) }
        let (outcome, piece) = try apply(wanted, in: session, context)
        switch outcome {
        case .made: return .value(piece)
        case .refused: throw .field(.versionedConditionFailed)
        case .missing:
            guard mutation.kind == .delete else { throw .field(.versionedConditionFailed) }
            // What is not there counts as deleted.
            var none = execution(in: session, context)
            JSONWriter.writeNull(to: &none.writer.bytes)
            return .value(none.piece)
        case .stale(let version, let isDeleted):
            switch mutation.type.conflictStrategy {
            case .automerge where mutation.kind == .update && !isDeleted:
                let stored = try stored(change.assignments.map(\.field), of: change.table, change.key, in: session)
                let merged = VersionedChange(
                    Automerge.merged(change, onto: stored ?? JSONObject()), in: log, of: version)
                let (outcome, piece) = try apply(merged, in: session, context)
                guard outcome == .made else { throw .field(.versionedConditionFailed) }
                return .value(piece)
            case .lambda:
                return .conflict(try conflict(change, version, in: session, context))
            case .automerge, .optimisticConcurrency:
                throw .field(.conflict(try shown(change, in: session, context)))
            }
        }
    }

    /// The version that the client has; none is never the stored one.
    private static func version(_ input: RecordInput) -> Int64 {
        guard input.kind != .create else { return 0 }
        return input.given[SyncField.version.rawValue]?.integer ?? 0
    }

    private func apply(
        _ change: VersionedChange, in session: any RecordWriting, _ context: RunContext
    ) throws(RunError) -> (VersionedChange.Outcome, ResponsePiece) {
        var execution = execution(in: session, context)
        let outcome = try session.apply(change, at: engine.store.changeClock) { row throws(RunError) in
            try execution.completeRecord(mutation.selection, row, noting: eventRecord)
        }
        return (outcome, execution.piece)
    }

    // MARK: The record that is there

    /// The stored record, cut to what the mutation selects of it: relations are not followed, and what the caller may
    /// not read is null.
    private func shown(
        _ change: RecordChange, in session: any RecordWriting, _ context: RunContext
    ) throws(RunError) -> JSONValue {
        let selection = mutation.selection.withoutFollowing
        var execution = execution(in: session, context)
        _ = try session.get(
            KeyLookup(change.table, fields: selection.columns), key: change.key
        ) { row throws(RunError) in
            // A null where none may be stays: the client is to see what there is.
            _ = try execution.completeFields(selection, row)
        }
        return field.eventShape.flatMap { EventValue.value(of: execution.writer.bytes, $0) } ?? .null
    }

    private func conflict(
        _ change: RecordChange, _ version: Int64, in session: any RecordWriting, _ context: RunContext
    ) throws(RunError) -> Conflict {
        let existing =
            try stored(mutation.type.storedFields, of: change.table, change.key, in: session) ?? JSONObject()
        var preview: JSONObject?
        if mutation.kind == .update {
            var item = existing
            for field in SyncField.allCases { item.remove(field.rawValue) }
            for assignment in change.assignments where SyncField(rawValue: assignment.field) == nil {
                guard let kind = change.table.column(of: assignment.field)?.kind else { continue }
                if assignment.value.isNull {
                    item.remove(assignment.field)
                } else {
                    item.set(assignment.field, to: assignment.value.json(as: kind))
                }
            }
            preview = item
        }
        return Conflict(
            version: version, existing: existing, preview: preview,
            shown: try shown(change, in: session, context))
    }
}

extension SelectionPlan {
    /// The same without what leads elsewhere.
    fileprivate var withoutFollowing: SelectionPlan {
        let own = fields.filter { field in
            switch field.source {
            case .constant, .leaf, .null: true
            case .value(_, let value): !value.holdsComputed
            case .toOne, .toMany, .outside: false
            }
        }
        return SelectionPlan(type, fields: own, columns: columns)
    }
}
