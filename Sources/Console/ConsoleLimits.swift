/// The bounds of the console: what it keeps, and what one request may ask for.
package enum ConsoleLimits {
    // Requests.
    /// The body of a request.
    static let bodyBytesMax = 2 << 20
    /// An operation that is run.
    static let operationBytesMax = 4 << 20
    /// Records that are taken from a file at once, and the bytes of the file.
    static let importBytesMax = 16 << 20
    static let importRowsMax = 10_000
    /// Failures that are told one by one.
    static let importFailuresMax = 100

    // The operator.
    static let passwordCharactersMin = 12
    static let passwordBytesMax = 1_024
    static let sessionsMax = 100
    /// Twelve hours, or two without a request.
    static let sessionMilliseconds: Int64 = 12 * 3_600_000
    static let sessionIdleMilliseconds: Int64 = 2 * 3_600_000
    /// For how long a node goes on with what it knows of the password and the sessions, and how often it writes down that one is used.
    static let nodeSessionMilliseconds: Int64 = 5_000
    static let nodeUseMilliseconds: Int64 = 60_000
    /// Wrong passwords that cost no time.
    static let freeTries = 3
    static let waitSecondsMax: Int64 = 60
    /// Addresses of which wrong tries are remembered.
    static let triedAddressesMax = 1_000
    /// Passwords that are looked at in a minute, whoever sends them.
    static let triesPerMinute = 30
    /// Those of them that only networks have which have not failed.
    static let triesForNewcomers = 10
    static let auditEntriesMax: Int64 = 10_000
    static let auditTextBytesMax = 500

    // Data.
    static let rowsMax = 500
    static let filtersMax = 20
    static let valuesMax = 100
    static let keysMax = 1_000
    static let changesMax = 100
    static let relatedMax: Int64 = 1_000
    static let exportRowsMax = 100_000
    static let exportBytesMax = 64 << 20
    /// Up to here records are counted one by one.
    static let countMax: Int64 = 100_000
    static let readMilliseconds: Int64 = 10_000
    static let findMax = 50
    static let findMilliseconds: Int64 = 500

    // The SQL view.
    static let sqlBytesMax = 100_000
    static let sqlParametersMax = 100
    static let sqlRowsMax = 5_000
    static let sqlAnswerBytesMax = 4 << 20
    static let sqlMilliseconds: Int64 = 2_000

    // Live.
    static let storiesMax = 2_000
    /// Requests of which the outlines are kept while nobody looks, where no other machine reaches the server.
    package static let outlinesMax = 200
    /// A text of an outline: a reason, a path.
    package static let outlineTextBytesMax = 200
    static let storyBytesMax = 64 << 10
    static let ringBytesMax = 16 << 20
    /// What is shown of a text that is no operation.
    static let unreadableBytesMax = 80
    static let listenersMax = 20
    /// Subscriptions that are followed by the console at once.
    static let subscriptionsMax = 50
    static let waitingEventsMax = 1_000
    /// How long what was seen is kept when nobody looks any more.
    static let forgetMilliseconds = 30_000
    /// The same behind somebody who asks now and then: a browser lets pages that nobody sees ask once a minute.
    static let glanceMilliseconds = 150_000
    static let deliveriesMax = 100
    /// An hour, a point every five seconds.
    static let historyStepSeconds = 5
    static let historyPointsMax = 720
    /// Lines of the log in an answer.
    static let logLinesMax = 1_000

    // Callers.
    static let claimsBytesMax = 16 << 10
    static let signInsMax = 100
    static let shownUsersMax = 50
    static let judgedUsersMax = 200
}
