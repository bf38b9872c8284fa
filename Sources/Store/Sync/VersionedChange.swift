import JSON

/// A change of a record that has a version: made when the version is the one that it is about.
///
/// A deletion leaves the record as a tombstone.
package struct VersionedChange: Sendable {
    package let change: RecordChange
    package let log: ChangeLog
    /// The version that the record must have before; 0 where there is none yet.
    package let version: Int64
    /// What somebody beside the API says of the fields of conflict detection.
    package var told: Told?

    /// A version counts where it is higher than the one that the change makes.
    package struct Told: Sendable {
        package var version: Int64?
        package var isDeleted: Bool?

        package init(version: Int64? = nil, isDeleted: Bool? = nil) {
            self.version = version
            self.isDeleted = isDeleted
        }
    }

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
    ///
    /// - Parameter fields: those whose values are wanted with it, as they are behind it.
    func stamped(at time: Int64, returning fields: [String] = []) -> RecordChange {
        let own = SyncField.allCases.map(\.rawValue)
        var assignments = change.action == .delete ? [] : change.assignments.filter { !own.contains($0.field) }
        let next = max(version &+ 1, told?.version ?? 0)
        assignments.append(.init(SyncField.version.rawValue, .integer(next)))
        assignments.append(.init(SyncField.lastChangedAt.rawValue, .integer(time)))
        if let isDeleted = change.action == .delete ? true : told?.isDeleted {
            assignments.append(.init(SyncField.deleted.rawValue, .boolean(isDeleted)))
        }
        let condition = change.condition
        guard change.action != .create else {
            return .create(in: change.table, assignments, if: condition, returning: fields)
        }
        var update = RecordChange.update(
            in: change.table, key: change.key, assignments, if: condition, returning: fields)
        update.explicitNulls = change.explicitNulls
        return update
    }
}

extension WriteSession {
    package func apply<Failure: RowFailure>(
        _ versioned: VersionedChange, at clock: ChangeClock, row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> VersionedChange.Outcome {
        if isForetelling {
            return try failing(as: Failure.self) { () throws(StoreError) in try foretell(versioned, at: clock) }
        }
        return try noting { () throws(Failure) in
            if let turns { return try apply(versioned, turns, at: clock, row: row) }
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

    /// Takes a record out and leaves no tombstone, for those who write beside the API; the log tells of it. Says whether there
    /// was one.
    package func remove(
        key: [StoredValue], in log: ChangeLog, at clock: ChangeClock
    ) throws(StoreError) -> Bool {
        try noting { () throws(StoreError) in
            guard let head = try head(of: key, in: log) else { return false }
            let time = clock.stamp()
            let number: [StoredValue] = if let turns { [.integer(try turns.next(of: .models))] } else { [] }
            try connection.run(log.lastImage, number + [.integer(time), .integer(time), .integer(head.row)])
            try connection.run(log.rowRemoval, [.integer(head.row)])
            try search.run(on: connection)
            return true
        }
    }

    /// What came of a change, and the row of its record where it was made.
    private struct Made {
        let outcome: VersionedChange.Outcome
        var row: Int64?
    }

    private func make(_ versioned: VersionedChange, at clock: ChangeClock) throws(StoreError) -> Made {
        let (row, refusal) = try row(of: versioned)
        if let refusal { return Made(outcome: refusal) }
        let time = clock.stamp()
        let (sql, values) = try versioned.stamped(at: time).statement()
        var isMade = false
        try connection.query(sql, values) { _ throws(StoreError) in
            isMade = true
            return true
        }
        guard isMade else { return Made(outcome: .refused) }
        let place = row ?? connection.lastRow
        try search.run(on: connection)
        try append(place, to: versioned.log, at: time, clock)
        return Made(outcome: .made, row: place)
    }

    /// The row of the record that a change is about; nil for a creation. It is refused where that has not the version.
    private func row(
        of versioned: VersionedChange
    ) throws(StoreError) -> (row: Int64?, refusal: VersionedChange.Outcome?) {
        guard versioned.change.action != .create else { return (nil, nil) }
        guard let head = try head(of: versioned.change.key, in: versioned.log) else { return (nil, .missing) }
        guard head.version == versioned.version else {
            return (nil, .stale(version: head.version, isDeleted: head.isDeleted))
        }
        return (head.row, nil)
    }

    // MARK: On a server

    /// The record comes with the answer to the statement that changes it. Its image in the log goes out with the next statement.
    private func apply<Failure: RowFailure>(
        _ versioned: VersionedChange, _ turns: ServerTurns, at clock: ChangeClock,
        row: (borrowing Row) throws(Failure) -> Void
    ) throws(Failure) -> VersionedChange.Outcome {
        let log = versioned.log
        let (known, refusal) = try failing(as: Failure.self) { () throws(StoreError) in try self.row(of: versioned) }
        if let refusal { return refusal }
        let time = clock.stampOfGroup()
        let change = versioned.stamped(at: time, returning: versioned.change.fields)
        let number = try failing(as: Failure.self) { () throws(StoreError) in
            if let known { known } else { try turns.next(of: .models) }
        }
        guard try make(change, numbered: number, row: row) else { return .refused }
        try failing(as: Failure.self) { () throws(StoreError) in
            try append(number, to: log, at: time, clock)
            if versioned.change.action == .delete, clock.settings.tombstoneMilliseconds == 0 {
                try runUnasked(log.rowRemoval, [.integer(number)])
            }
        }
        return .made
    }

    /// The change of one that is run before its turn. Where it comes to that, it says that nothing was made: nobody looks at that.
    private func foretell(
        _ versioned: VersionedChange, at clock: ChangeClock
    ) throws(StoreError) -> VersionedChange.Outcome {
        guard versioned.change.action != .create, knows(versioned.log.head, versioned.change.key) else {
            return .refused
        }
        if let refusal = try row(of: versioned).refusal { return refusal }
        try foretell(versioned.stamped(at: clock.stampOfGroup(), returning: versioned.change.fields))
        return .refused
    }
}
