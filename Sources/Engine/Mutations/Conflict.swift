import JSON
import Store

/// A change that is about another version of a record than the stored one, for the function that decides.
struct Conflict: Sendable {
    /// The version that is stored.
    let version: Int64
    /// The record, with its version.
    let existing: JSONObject
    /// What it would become, without a version; nil for a deletion.
    let preview: JSONObject?
    /// The record as the client is shown it if the change is rejected.
    let shown: JSONValue
}

/// What a function has decided about a conflict.
struct ConflictResolution: Sendable {
    /// The version that it has seen.
    let version: Int64
    let action: Action

    enum Action: Sendable {
        /// The record becomes this one.
        case store(JSONObject)
        case delete
    }

    /// The change that it comes down to. It is about the version that the function has seen, under no condition more.
    func change(_ change: RecordChange, of type: RecordType, in log: ChangeLog) -> VersionedChange {
        let decided: RecordChange
        switch action {
        case .delete: decided = .delete(from: change.table, key: change.key, returning: change.fields)
        case .store(let item):
            let kept = type.model.key.fields + SyncField.allCases.map(\.rawValue)
            // A function that says nothing of the times does not mean to take them away.
            let times = type.model.timestamps.names
            let assignments = change.table.columns.compactMap { column -> RecordChange.Assignment? in
                guard !kept.contains(column.field) else { return nil }
                guard let value = item[column.field] else {
                    return times.contains(column.field) ? nil : .init(column.field, .null)
                }
                return .init(column.field, StoredValue(value, as: column.kind))
            }
            decided = .update(in: change.table, key: change.key, assignments, returning: change.fields)
        }
        return VersionedChange(decided, in: log, of: version)
    }
}
