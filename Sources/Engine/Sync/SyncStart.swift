import Store

/// When the syncs of an operation begin. It must be asked for before the first record is read.
struct SyncStart {
    let startedAt: Int64
    /// Since when changes are in the logs: who comes from before gets all records.
    let logSince: Int64
    /// When the database was served: who comes from another time has it from another database, and gets all records too.
    var served = ServedTimes()

    /// Whether the logs may have what a client wants that has this from its last sync.
    func isKnown(_ lastSync: Int64) -> Bool {
        lastSync > 0 && lastSync >= logSince && served.contains(lastSync)
    }
}
