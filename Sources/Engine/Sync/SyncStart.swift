/// When the syncs of an operation begin. It must be asked for before the first record is read.
struct SyncStart {
    let startedAt: Int64
    /// Since when changes are in the logs: who comes from before gets all records.
    let logSince: Int64
}
