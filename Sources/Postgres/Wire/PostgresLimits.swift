/// The bounds of a client of PostgreSQL: nothing that a server sends, and nothing that waits for it, grows beyond them.
package struct PostgresLimits: Sendable {
    // MARK: Messages of a server

    /// The length of a message with a row, without its kind.
    package var rowMessageBytes = 64 << 20
    /// The length of any other message.
    package var messageBytes = 1 << 20
    /// The length of any message before the sign-in is over.
    package var signInMessageBytes = 64 << 10
    /// The columns of a row. PostgreSQL has this limit too.
    package var columns = 1_664
    /// The rows that one trip brings, of all its questions.
    package var tripRows = 1_000_000
    /// The bytes of these rows.
    package var tripBytes = 64 << 20
    /// The bytes of memory for rows that a connection keeps for the next ones.
    package var spareRowBytes = 512 << 10
    /// The notices of one trip that are reported. The connection reads and drops the others.
    package var tripNotices = 100
    /// The fields of an error or notice that are read.
    package var errorFields = 32
    /// The bytes that are kept of each of these fields.
    package var errorFieldBytes = 8 << 10
    /// The settings of a server that a connection remembers.
    package var serverParameters = 64
    /// The messages of a sign-in.
    package var signInMessages = 200
    /// The rounds of the password's hash that a server may ask for: half a second of a processor.
    package var scramIterations = 1_000_000
    /// The notifications that wait until somebody takes them.
    package var notificationsHeld = 10_000

    // MARK: Questions

    /// The questions of one trip.
    package var questions = 4_096
    /// The bytes of these questions.
    package var outgoingBytes = 64 << 20
    /// The statements that a connection keeps prepared. Each costs the server memory.
    package var statements = 200

    // MARK: Waiting

    /// How long the connection that cancels a trip may take.
    package var cancelMilliseconds = 1_000
    /// How long a cancelled trip may take to end. After that the connection is closed.
    package var afterCancelMilliseconds = 1_000
    /// The threads that wait for a connection of a pool.
    package var poolWaiting = 1_024
    /// How long an idle connection of a pool stays open.
    package var idleMilliseconds = 60_000
    /// The pause after a first failed attempt to connect; it doubles up to the next one.
    package var backOffMilliseconds = 50
    package var backOffMillisecondsMax = 2_000

    // MARK: Settings

    /// The bytes of a URL, or of keywords.
    package static let settingsBytes = 8 << 10
    /// The hosts that they name.
    package static let hosts = 16
    /// The addresses of a name that are tried.
    package static let addresses = 8
    /// The seconds of `connect_timeout`.
    package static let connectSeconds = 1...600
    /// The parameters of a statement. The protocol has this limit.
    package static let statementParameters = 65_535
    /// The bytes of a statement's text.
    package static let statementBytes = 1 << 20

    package init() {}
}
