/// A room with tables of its own, and with something in memory that counts on them: it is asked whenever the database goes back to
/// a copy of what it was.
package protocol CopiedRoom: Sendable {
    /// Brings a copy to what the room counts on while the server runs, such as tables that were made since. Runs on the writer's
    /// thread, in a transaction of the copy.
    ///
    /// - Parameters:
    ///   - isEmptied: whether every row of every table was just taken out of it.
    ///   - live: the database that is to become what the copy is.
    func complete(_ copy: WriteSession, isEmptied: Bool, over live: WriteSession) throws(StoreError)
}
