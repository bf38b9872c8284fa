import Store

/// What one loop keeps for items: a connection to read with, from its first call on.
package final class ItemShard: @unchecked Sendable {
    // Safe to share: used on the thread of its loop only; others just hold the reference.
    private var opened: Reader?
    private var isInTurn = false
    private var isReading = false
    /// How many writes had been acknowledged when the turn's reading began.
    private var writesBefore = 0
    /// What the calls of a turn may do on the loop.
    let budget = CallBudget(TableLimits.turnSteps)
    private let atEndOfTurn: ((ItemShard) -> Void)?

    /// `atEndOfTurn` is asked to have `endTurn` called when the loop's turn ends; without it every read sees the data of its own
    /// moment.
    package init(atEndOfTurn: ((ItemShard) -> Void)? = nil) {
        self.atEndOfTurn = atEndOfTurn
    }

    /// Reads what is there now.
    func reader(of store: Store) throws(StoreError) -> Reader {
        endReading()
        return try openInTurn(store)
    }

    /// Reads what was there when the first read of this turn of the loop began: one transaction is for all of them. Who was told
    /// of a write since then finds it: a client may send its next call with the last one.
    func readerOfTurn(of store: Store, behind writes: Int) throws(StoreError) -> Reader {
        if writes != writesBefore { endReading() }
        let reader = try openInTurn(store)
        if !isReading, isInTurn {
            try reader.beginTurn()
            isReading = true
            writesBefore = writes
        }
        return reader
    }

    /// A connection, and what the calls of a turn may do. Without turns each call has all of it.
    private func openInTurn(_ store: Store) throws(StoreError) -> Reader {
        if !isInTurn {
            budget.beginTurn()
            if let atEndOfTurn {
                isInTurn = true
                atEndOfTurn(self)
            }
        }
        return try open(store)
    }

    private func open(_ store: Store) throws(StoreError) -> Reader {
        if let opened { return opened }
        let reader = try store.reader()
        opened = reader
        return reader
    }

    /// Ends a turn, and its read transaction.
    package func endTurn() {
        isInTurn = false
        endReading()
    }

    private func endReading() {
        guard isReading else { return }
        isReading = false
        // A connection that cannot end its reading is of no use; the next read opens another.
        do throws(StoreError) { try opened?.endTurn() } catch { opened = nil }
    }

    /// Called on the loop when nothing is served any more.
    package func close() {
        endTurn()
        opened = nil
    }
}
