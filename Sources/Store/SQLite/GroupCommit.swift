import JSON

/// Runs mutations in one transaction and answers them after its commit.
struct GroupCommit {
    private let session: WriteSession

    private static let begin = SQLText("BEGIN IMMEDIATE")
    private static let commit = SQLText("COMMIT")
    private static let rollback = SQLText("ROLLBACK")
    private static let savepoint = SQLText("SAVEPOINT mutation")
    private static let release = SQLText("RELEASE mutation")
    private static let undo = SQLText("ROLLBACK TO mutation")

    init(_ session: WriteSession) {
        self.session = session
    }

    /// Runs a group. When one mutation takes the whole transaction with it (the disk is full, say), those before it
    /// fail with it and those after it start again.
    func run(_ group: [Mutation]) {
        var start = group.startIndex
        while start < group.endIndex {
            let end = group[start...].firstIndex(where: \.isAlone) ?? group.endIndex
            var rest = group[start..<end]
            while !rest.isEmpty { rest = runTransaction(rest, hasSavepoints: !rest.allSatisfy(\.isRepeatable)) }
            guard end < group.endIndex else { return }
            runAlone(group[end])
            start = end + 1
        }
    }

    /// What was handed over before it is on the disk by then.
    private func runAlone(_ mutation: Mutation) {
        if let error = session.fatalError { return mutation.answer(.failure(error)) }
        session.turn = mutation.turn
        session.connection.setSubject(nil)
        (session.foresees, session.goesAhead, session.brought) = (false, true, [])
        do {
            try mutation.change(session)
            mutation.answer(.success(()))
        } catch {
            mutation.answer(.failure(error))
        }
    }

    /// Runs as many as one transaction takes, answers them, and gives back those that are left.
    ///
    /// Savepoints cost more than most mutations do, and are nearly never needed: a mutation that fails has mostly
    /// changed nothing. Without them, one that fails with something changed takes the transaction back, and the others
    /// run again with savepoints. Nothing was answered until then. `failed` are those that do not run again, by their
    /// places in the group.
    ///
    /// - Parameter isPlain: whether a server is asked for each change by itself, since one that went ahead has failed.
    /// - Parameter asksFirst: whether a server is asked beforehand which records are there, since a creation that went ahead may have failed.
    private func runTransaction(
        _ group: ArraySlice<Mutation>, hasSavepoints: Bool, isPlain: Bool = false, asksFirst: Bool = false,
        failed: [Int: any Error] = [:], attempt: Int = 1, turnAttempt: Int = 1
    ) -> ArraySlice<Mutation> {
        var outcomes: [Result<Void, any Error>] = []
        outcomes.reserveCapacity(group.count)
        do throws(StoreError) {
            try session.run(Self.begin)
            if let turns = session.turns {
                let rooms = group.reduce(RoomTurn()) { $0.union($1.turn) }
                // Nothing counts that has gone out by then: whoever waits for the group hears early of a database that hangs.
                session.deadline =
                    Timestamp.monotonicMilliseconds + StoreLimits.turnAnswerMilliseconds
                    + Int64(rooms.rawValue.nonzeroBitCount) * StoreLimits.turnMilliseconds
                defer { session.deadline = .max }
                session.nodes?.prepare()
                try turns.take(rooms, isTimed: session.nodes != nil, on: session.connection)
                session.noteStamp(turns.stamp)
                try session.nodes?.begin(turns, on: session.connection)
            }
            if !session.isMarkedOpen { try session.mark(isOpen: true) }
            session.groupSize = group.count
            session.foresees = !hasSavepoints && !isPlain && session.turns != nil
            session.goesAhead = !isPlain
            session.beginForeseeing(asksFirst: asksFirst)
            session.brought = []
        } catch {
            guard turnAttempt < StoreLimits.turnAttemptsMax, mayWaitAgain(after: error) else {
                return fail(group, upTo: group.count, with: error)
            }
            return runTransaction(
                group, hasSavepoints: hasSavepoints, isPlain: isPlain, asksFirst: asksFirst, failed: failed,
                attempt: attempt, turnAttempt: turnAttempt + 1)
        }
        for mutation in group {
            let place = group.startIndex + outcomes.count
            // Where a connection was lost, it may have been for too many answers.
            if session.foresees, attempt == 1, outcomes.count % StoreLimits.expectingChangesMax == 0 {
                let next = group[place...].prefix(StoreLimits.expectingChangesMax)
                session.expect(next)
                session.foretell(next)
            }
            session.connection.setSubject(mutation.key)
            if !failed.isEmpty, let error = failed[place] {
                outcomes.append(.failure(error))
                continue
            }
            do throws(StoreError) {
                switch try outcome(of: mutation, hasSavepoint: hasSavepoints) {
                case .stands(let outcome): outcomes.append(outcome)
                case .undo(let error):
                    let (isLost, hasFailedAhead) = (session.connection.isLost, session.connection.hasFailedAhead)
                    if !session.connection.isInAutocommit { try session.run(Self.rollback) }
                    // Nothing of it was done, and none of it has done anything wrong.
                    if isLost, attempt < StoreLimits.groupAttemptsMax, group.allSatisfy(\.isRepeatable) {
                        return runTransaction(
                            group, hasSavepoints: hasSavepoints, isPlain: isPlain, asksFirst: asksFirst,
                            failed: failed, attempt: attempt + 1)
                    }
                    guard group.allSatisfy(\.isRepeatable) else {
                        return fail(group, upTo: outcomes.count + 1, with: Self.undone, for: error)
                    }
                    // Perhaps it was an earlier one that failed.
                    if hasFailedAhead, !isLost, session.foresees {
                        return runAgain(group, asksFirst: asksFirst, failed: failed, attempt: attempt)
                    }
                    return runTransaction(
                        group, hasSavepoints: true, failed: failed.merging([place: error]) { $1 }, attempt: attempt)
                }
            } catch {
                return fail(group, upTo: outcomes.count + 1, with: error)
            }
        }
        if session.hasUntaken {
            // One has changed its record before its turn, and at its turn it did something else.
            if !session.connection.isInAutocommit { try? session.run(Self.rollback) }
            return runTransaction(group, hasSavepoints: false, isPlain: true, failed: failed, attempt: attempt)
        }
        switch commit() {
        case .made: break
        case .undone(let error):
            guard attempt < StoreLimits.groupAttemptsMax, group.allSatisfy(\.isRepeatable) else {
                return fail(group, upTo: group.count, with: error)
            }
            return runTransaction(
                group, hasSavepoints: hasSavepoints, isPlain: isPlain, asksFirst: asksFirst, failed: failed,
                attempt: attempt + 1)
        case .unforeseen(let error):
            guard session.foresees else { return fail(group, upTo: group.count, with: error) }
            if !session.connection.isInAutocommit { try? session.run(Self.rollback) }
            return runAgain(group, asksFirst: asksFirst, failed: failed, attempt: attempt)
        case .failed(let error): return fail(group, upTo: group.count, with: error)
        }
        session.noteMarkedOpen()
        session.forgetForeseen()
        session.nodes?.publish()
        for (mutation, outcome) in zip(group, outcomes) { mutation.answer(outcome) }
        return []
    }

    /// Ends whoever has the turn of a group and is not heard of any more, once the group has waited for the turn in vain. False where it was something else
    /// that went wrong.
    private func mayWaitAgain(after error: StoreError) -> Bool {
        guard error.kind == .overloaded, session.turns != nil else { return false }
        do throws(StoreError) {
            if !session.connection.isInAutocommit { try session.run(Self.rollback) }
            // Another one that waits may have ended it, or it has held the turn for a moment only.
            try ServerTurns.endSilentHolders(on: session.connection)
            return true
        } catch {
            return false
        }
    }

    /// Runs a group again of which a change has failed that went ahead: with a look for the records of all creations first, in one trip, or
    /// where that was not it, with one change a trip.
    private func runAgain(
        _ group: ArraySlice<Mutation>, asksFirst: Bool, failed: [Int: any Error], attempt: Int
    ) -> ArraySlice<Mutation> {
        let looks = !asksFirst && session.hasForeseen
        return runTransaction(
            group, hasSavepoints: false, isPlain: !looks, asksFirst: looks, failed: failed, attempt: attempt)
    }

    /// The end of a transaction.
    private enum End {
        case made
        /// The connection ended, and nothing is committed.
        case undone(StoreError)
        /// A change that went ahead of the commit has failed, and so nothing is committed.
        case unforeseen(StoreError)
        case failed(StoreError)
    }

    private func commit() -> End {
        var mark: Int64?
        do throws(StoreError) {
            try session.nodes?.write(on: session.connection)
            mark = try session.turns?.giveBack(at: session.lastStamp, on: session.connection)
            if let mark { try session.nodes?.keep(mark, on: session.connection) }
            try session.run(Self.commit)
            return .made
        } catch {
            guard session.connection.isLost else {
                let isUnforeseen = session.connection.hasFailedAhead && session.fatalError == nil
                return isUnforeseen ? .unforeseen(error) : .failed(error)
            }
            // The commit was not even asked for.
            guard let mark else { return .undone(error) }
            return settle(mark, after: error)
        }
    }

    /// Finds out what has become of a commit whose answer is lost.
    private func settle(_ mark: Int64, after error: StoreError) -> End {
        let end = Timestamp.monotonicMilliseconds + StoreLimits.settleMilliseconds
        var tries: Int64 = 0
        var last = error
        while Timestamp.monotonicMilliseconds < end {
            do throws(StoreError) {
                if session.connection.isLost { try session.run(Self.rollback) }
                try session.run(Self.begin)
                // Waits for the turn, so it comes first.
                var isMade = try session.turns?.isCommitted(mark, on: session.connection) == true
                if !isMade, let nodes = session.nodes { isMade = try nodes.isMade(mark, on: session.connection) }
                try session.run(Self.rollback)
                return isMade ? .made : .undone(error)
            } catch {
                last = error
                if !session.connection.isInAutocommit { try? session.run(Self.rollback) }
            }
            session.pause(milliseconds: Int(StoreLimits.settlePauses.delay(after: tries)))
            tries += 1
        }
        return .failed(
            StoreError(
                .away,
                "the connection to the database ended during a commit, and the database does not answer since: the change "
                    + "may have been made. \(last.message)"))
    }

    /// What one mutation leaves in the transaction.
    private enum Outcome {
        /// What it should: its changes, or nothing when it failed.
        case stands(Result<Void, any Error>)
        /// It failed, and what it has done goes with the whole transaction only.
        case undo(any Error)
    }

    private static let tookTooLong = StoreError(.interrupted, "a mutation of the same group took too long")
    private static let undone = StoreError(
        .interrupted, "a mutation of the same group has failed, and this one was undone with it")

    /// What came of one mutation. Throws when the transaction cannot go on.
    private func outcome(of mutation: Mutation, hasSavepoint: Bool) throws(StoreError) -> Outcome {
        if hasSavepoint { try session.run(Self.savepoint) }
        let changeCount = session.connection.totalChangeCount
        let eventCount = session.sharedEvents?.count ?? 0
        var outcome: Result<Void, any Error>
        session.turn = mutation.turn
        do {
            try mutation.change(session)
            if hasSavepoint { try session.sendChangesAhead() }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        if let error = session.fatalError { throw error }
        // Some errors end the transaction, whether or not the mutation told of them.
        guard !session.connection.isInAutocommit else {
            if case .failure(let error) = outcome {
                // Whoever came before a change that took too long has done nothing wrong.
                if session.connection.deadline.hasInterrupted { return .undo(error) }
                if let error = error as? StoreError { throw error }
            }
            throw StoreError(.unexpected, "the database ended a transaction by itself")
        }
        // What has gone ahead has failed, whoever asked: all of them run again.
        let runsAgain = session.foresees && session.connection.hasFailedAhead
        if case .success = outcome, session.connection.isSpoilt || runsAgain {
            // It has caught an error behind which a server takes nothing more.
            outcome = .failure(
                session.connection.deadline.hasInterrupted
                    ? Self.tookTooLong
                    : StoreError(.unexpected, "a change went on behind an error of the database"))
        }
        if case .failure(let error) = outcome {
            session.sharedEvents?.undo(to: eventCount)
            let hasLeftSomething =
                session.connection.totalChangeCount != changeCount || session.connection.isSpoilt || runsAgain
            if hasSavepoint, !session.connection.hasLostSavepoint {
                session.forgetChangesAhead()
                try session.run(Self.undo)
            } else if hasSavepoint || hasLeftSomething {
                return .undo(error)
            }
        }
        if hasSavepoint { try session.run(Self.release) }
        return .stands(outcome)
    }

    /// Answers the first of a group with an error, all of them after a fatal one, and gives back the others.
    ///
    /// - Parameter cause: the error of the last one of them, for which the others are undone.
    private func fail(
        _ group: ArraySlice<Mutation>, upTo count: Int, with error: StoreError, for cause: (any Error)? = nil
    ) -> ArraySlice<Mutation> {
        // A rollback that fails leaves nothing to do: the next BEGIN says why.
        if !session.connection.isInAutocommit { try? session.run(Self.rollback) }
        let failed = session.fatalError == nil ? group.prefix(count) : group
        for (place, mutation) in failed.enumerated() {
            mutation.answer(.failure(session.fatalError ?? (place == count - 1 ? cause : nil) ?? error))
        }
        return group.dropFirst(failed.count)
    }
}
