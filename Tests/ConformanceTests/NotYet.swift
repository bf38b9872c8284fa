import PostgresSupport

/// The cases that do not pass yet, each with the reason. A listed case that passes is a failure of the tests.
enum NotYet {
    static let reasons: [String: String] = TestDatabase.isOnServer ? onServer : [:]

    /// Those that do not pass over a database on a server.
    private static let onServer: [String: String] = [:]
}
