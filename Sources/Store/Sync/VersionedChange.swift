import JSON

/// A change of a record that has a version: made when the version is the one that it is about.
///
/// A deletion leaves the record as a tombstone.
package struct VersionedChange: Sendable {
    package let change: RecordChange
    package let log: ChangeLog
    /// The version that the record must have before; 0 where there is none yet.
    package let version: Int64

    /// What `change` assigns to the fields of conflict detection has no effect.
    package init(_ change: RecordChange, in log: ChangeLog, of version: Int64 = 0) {
        self.change = change
        self.log = log
        self.version = version
    }

    /// What came of it.
    package enum Outcome: Sendable, Equatable {
        case made
        /// The record exists already, or does not meet the condition.
        case refused
        /// There is no such record.
        case missing
        /// The record has another version.
        case stale(version: Int64, isDeleted: Bool)
    }

    /// The change as the table's own, with its stamp.
    func stamped(at time: Int64) -> RecordChange {
        let own = SyncField.allCases.map(\.rawValue)
        var assignments = change.action == .delete ? [] : change.assignments.filter { !own.contains($0.field) }
        assignments.append(.init(SyncField.version.rawValue, .integer(version &+ 1)))
        assignments.append(.init(SyncField.lastChangedAt.rawValue, .integer(time)))
        if change.action == .delete { assignments.append(.init(SyncField.deleted.rawValue, .boolean(true))) }
        let condition = change.condition
        return change.action == .create
            ? .create(in: change.table, assignments, if: condition, returning: [])
            : .update(in: change.table, key: change.key, assignments, if: condition, returning: [])
    }
}

extension WriteSession {
    package func apply<Failure: RowFailure>(
        _ versioned: VersionedChange, at clock: ChangeClock, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> VersionedChange.Outcome {
        try noting { () throws(Failure) in
            let (change, log) = (versioned.change, versioned.log)
            let made = try failing(as: Failure.self) { () throws(StoreError) in try make(versioned, at: clock) }
            guard let place = made.row else { return made.outcome }
            try read(change.fields, of: log.table, at: place, row: row)
            if change.action == .delete, clock.settings.tombstoneMilliseconds == 0 {
                try connection.query(log.rowRemoval, [.integer(place)]) { _ throws(Failure) in true }
                try keepSearch(as: Failure.self)
            }
            return .made
        }
    }

    /// What came of a change, and the row of its record where it was made.
    private struct Made {
        let outcome: VersionedChange.Outcome
        var row: Int64?
    }

    private func make(_ versioned: VersionedChange, at clock: ChangeClock) throws(StoreError) -> Made {
        let (change, log) = (versioned.change, versioned.log)
        var number: Int64?
        if change.action != .create {
            guard let head = try head(of: change.key, in: log) else { return Made(outcome: .missing) }
            guard head.version == versioned.version else {
                return Made(outcome: .stale(version: head.version, isDeleted: head.isDeleted))
            }
            number = head.row
        }
        let time = clock.stamp()
        let (sql, values) = try versioned.stamped(at: time).statement()
        var isMade = false
        try connection.query(sql, values) { _ throws(StoreError) in
            isMade = true
            return true
        }
        guard isMade else { return Made(outcome: .refused) }
        let place = number ?? connection.lastRow
        try search.run(on: connection)
        try append(place, to: log, at: time, clock)
        return Made(outcome: .made, row: place)
    }
}
