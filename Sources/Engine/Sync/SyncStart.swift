import Store

/// When the syncs of an operation begin. It must be asked for before the first record is read.
struct SyncStart {
    let startedAt: Int64
    /// The logs have all changes from this time on. Clients with an earlier sync get all records.
    let logSince: Int64
    /// The times in which the database was served. A sync of another time came from another database: its client gets all records too.
    var served = ServedTimes()

    init(startedAt: Int64, logSince: Int64) { (self.startedAt, self.logSince) = (startedAt, logSince) }

    init(at moment: Int64, _ clock: ChangeClock) {
        startedAt = moment
        logSince = moment.subtractingReportingOverflow(clock.settings.logMilliseconds).partialValue
        served = clock.served
    }

    /// True where the logs can have all changes since a client's last sync.
    func isKnown(_ lastSync: Int64) -> Bool {
        lastSync > 0 && lastSync >= logSince && served.contains(lastSync)
    }
}
