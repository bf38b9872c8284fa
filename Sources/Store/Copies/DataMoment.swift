/// A moment of a database, as long as it is open: two that are equal have the same data.
package struct DataMoment: Equatable, Sendable {
    /// The commits of the writer, and how often all was put back.
    private let commitCount: Int
    private let restoreCount: Int
    /// SQLite's number for what others have committed.
    private let version: StoredValue?

    private static let dataVersion = SQLText("PRAGMA data_version")

    init(of session: WriteSession, restoreCount: Int) throws(StoreError) {
        commitCount = session.log.commitCount
        self.restoreCount = restoreCount
        version = try session.connection.value(Self.dataVersion)
    }
}
