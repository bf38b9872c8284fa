/// A piece of work for the writer, and who hears of its outcome.
struct Mutation: Sendable {
    /// What it throws undoes it, and only it.
    let change: @Sendable (WriteSession) throws -> Void
    /// The rooms whose tables it touches.
    let turn: RoomTurn
    /// The record that it belongs to; nil where the database is a file, which has no use for it.
    let key: ChangeKey?
    /// True if it may run a second time, after the first was undone.
    let isRepeatable: Bool
    /// True if it runs by itself, outside of any transaction: it makes its own.
    var isAlone = false
    /// Says what the change will ask; nil where the database is a file, or nobody knows.
    var expecting: (@Sendable (WriteSession) -> Void)?
    /// Runs the change before its turn, as far as it can be run (`WriteSession.foretell`); nil where the database is a file, or it has to wait.
    var foretelling: (@Sendable (WriteSession) -> Void)?
    /// Called on the writer's thread when the commit is on the disk, in the order of the mutations.
    let answer: @Sendable (Result<Void, any Error>) -> Void
}
