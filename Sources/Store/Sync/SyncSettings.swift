import JSON

/// How long what synced models leave behind is kept, and by which clock.
package struct SyncSettings: Sendable {
    /// How long changes stay in a log: a client that was away for longer gets all records again.
    package var logMilliseconds: Int64 = 30 * 60_000
    /// How long a deleted record stays as a tombstone; 0: it is gone at once.
    package var tombstoneMilliseconds: Int64 = 43_200 * 60_000
    /// The time in milliseconds since 1970.
    package var now: @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 }

    package init() {}

    /// Those of an import that another process makes beside the server, which cannot know how long a transaction of it
    /// is under way: its stamps are ahead of the time by more than that, and it removes nothing.
    package static var ofImport: SyncSettings {
        var settings = SyncSettings()
        settings.logMilliseconds = .max / 2
        settings.tombstoneMilliseconds = .max / 2
        settings.now = { Timestamp.now.millisecondsSince1970 + StoreLimits.importLeadMilliseconds }
        return settings
    }
}
