import Store

extension SyncSettings {
    /// What a store is set up with, as a configuration says.
    init(_ retention: SyncRetention) {
        self.init()
        logMilliseconds = retention.logMinutes * 60_000
        tombstoneMilliseconds = retention.tombstoneMinutes * 60_000
    }
}
