import JSON
import Store

// Changes whose conditions and updates look at more than the writer has time for. They are decided beside it, on one state of the data,
// and made where each item still is what it was; where one is not, they are decided again.

extension ItemService {
    /// Makes writes in one transaction, and waits until they are on the disk.
    ///
    /// - Parameters:
    ///   - end: when whoever asks gives up, in milliseconds of the monotonic clock.
    ///   - change: what is done in the writer with the writes as they were decided.
    func write<Value: Sendable>(
        _ writes: [ItemWrite], until end: Int64 = .max,
        _ change: @escaping @Sendable ([ItemWrite], WriteSession, Int64, CallBudget) throws(ItemFailure) -> Value
    ) async throws(ItemFailure) -> Value {
        let end = min(end, Timestamp.monotonicMilliseconds + decisionMilliseconds)
        var writes = writes
        for _ in 0..<TableLimits.triesMax {
            do throws(ItemFailure) {
                return try await write { [writes] session, now throws(ItemFailure) in
                    try Self.within(session) { budget throws(ItemFailure) in
                        try change(writes, session, now, budget)
                    }
                }
            } catch .undecided {
                writes = try await foreseen(writes, until: end)
            }
        }
        throw .refused(.conflict)
    }

    /// Runs a change with what one may do in the writer.
    static func within<Value>(
        _ session: WriteSession, _ change: (CallBudget) throws(ItemFailure) -> Value
    ) throws(ItemFailure) -> Value {
        let budget = CallBudget(TableLimits.turnSteps)
        do throws(ItemFailure) { return try change(budget) } catch {
            throw budget.isSpent ? .undecided : error
        }
    }

    /// The writes with what comes of their items as they are.
    private func foreseen(_ writes: [ItemWrite], until end: Int64) async throws(ItemFailure) -> [ItemWrite] {
        do throws(ItemFailure) {
            return try await readAside(until: end) { reader, budget throws(ItemFailure) in
                var decided = writes
                for place in decided.indices {
                    decided[place].foreseen = try writes[place].foreseen(in: reader, within: budget)
                }
                return decided
            }
        } catch .store(let error) where error.kind == .interrupted {
            throw .refused(.takesTooLong)
        }
    }
}

extension ItemWrite {
    fileprivate func foreseen(in reader: Reader, within budget: CallBudget) throws(ItemFailure) -> Foreseen {
        let old = try table.item(at: place, named: key, in: reader, within: budget)
        do throws(ItemFailure) {
            return Foreseen(old: old, result: .success(try decided(old, within: budget)))
        } catch .refused(let error) {
            return Foreseen(old: old, result: .failure(error))
        }
    }
}

extension ItemError {
    /// An item was another one each time that its change had been decided.
    static let conflict = ItemError(
        type: "TransactionConflictException", message: "Transaction is ongoing for the item")

    /// DynamoDB has no word for it, since it takes as long as it takes.
    static let takesTooLong = ItemError.validation(
        "The conditions and updates of the request take too long. Use fewer or simpler ones, or smaller items")
}
