/// A piece of work for the writer, and who hears of its outcome.
struct Mutation: Sendable {
    /// Runs in a savepoint. What it throws undoes it, and only it.
    let change: @Sendable (WriteSession) throws -> Void
    /// Called on the writer's thread when the commit is on the disk, in the order of the mutations.
    let answer: @Sendable (Result<Void, any Error>) -> Void
}
