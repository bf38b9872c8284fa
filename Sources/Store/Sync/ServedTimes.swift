import JSON

/// The times in which this database was served, as far as its logs of changes go back.
///
///     ──served──┤  not served  ├──served──┤  not served  ├── now
///               a stop        a start    the moment of a copy
///
/// A client's `lastSync` from a time in which the database was not served came from another one: from what the database
/// became after a copy of it was made. Its log knows nothing of that time, so the client gets all records.
package struct ServedTimes: Sendable, Equatable {
    /// A stretch of time, without its ends.
    struct Gap: Sendable, Equatable {
        var begin: Int64
        var end: Int64
    }

    /// In their order.
    private(set) var gaps: [Gap] = []

    /// How many are kept. Where there are more, the oldest two become one, and clients of the time between read everything.
    static let gapsMax = 64

    package init() {}

    /// Returns whether a moment that a client has from a sync can be one of this database's.
    package func contains(_ moment: Int64) -> Bool {
        gaps.isEmpty || !gaps.contains { $0.begin < moment && moment < $0.end }
    }

    /// Notes a time without service.
    ///
    /// - Parameter since: nobody comes back from before it: such clients read everything in any case.
    mutating func addGap(from begin: Int64, to end: Int64, keepingSince since: Int64) {
        gaps.removeAll { $0.end <= since }
        guard begin < end else { return }
        gaps.append(Gap(begin: begin, end: end))
        while gaps.count > Self.gapsMax {
            gaps[1].begin = gaps[0].begin
            gaps.removeFirst()
        }
    }

    // MARK: In the file

    /// Writes it down. Until when the database was served is known again at its end: a crash leaves no time that was before.
    func keep(in connection: borrowing Connection) throws(StoreError) {
        try SettingsTable.set(.unservedTimes, to: .text(text), in: connection)
        try SettingsTable.remove(.servedUntil, in: connection)
    }

    var text: String {
        JSONWriter.text(of: .array(gaps.map { .array([.integer($0.begin), .integer($0.end)]) }))
    }

    /// Nil for a text that is none.
    init?(text: String) {
        guard let members = (try? JSONReader.value(of: text))?.array else { return nil }
        for member in members {
            guard let pair = member.array, pair.count == 2, let begin = pair[0].integer, let end = pair[1].integer
            else {
                return nil
            }
            gaps.append(Gap(begin: begin, end: end))
        }
    }

    /// What a file says that is being opened.
    ///
    /// - Parameters:
    ///   - latest: the last stamp in its logs.
    ///   - isUnclean: whether it was not closed. Then nobody knows until when it was served: until its last change at least.
    ///   - isServed: whether other nodes serve it, so that no time without service ends now.
    init(
        of connection: borrowing Connection, latest: Int64, isUnclean: Bool, isServed: Bool = false,
        _ settings: SyncSettings
    ) throws(StoreError) {
        var isKnown = true
        if case .text(let text)? = try SettingsTable.value(.unservedTimes, in: connection) {
            if let found = ServedTimes(text: text) { self = found } else { isKnown = false }
        }
        if isServed, isKnown { return }
        var until = latest
        if !isUnclean, case .integer(let noted)? = try SettingsTable.value(.servedUntil, in: connection) {
            until = max(until, noted)
        }
        // On a server no sync gets a later moment than the turn of the models has.
        if connection.dialect == .postgres, case .integer(let stamp)? = try connection.value(NodeRows.stamp) {
            until = max(until, stamp)
        }
        let now = settings.now()
        let since = now.subtractingReportingOverflow(settings.logMilliseconds).partialValue
        addGap(from: isKnown ? until : 0, to: now, keepingSince: since)
    }
}
