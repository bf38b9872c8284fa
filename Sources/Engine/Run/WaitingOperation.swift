import Access
import GraphQL
import Store

/// An operation that waits for something: what all that is done for it has in common.
final class WaitingOperation: Sendable {
    let engine: Engine
    let plan: OperationPlan
    let variables: VariableValues
    let requester: Requester
    let caller: Caller
    let shard: EngineShard
    /// What its response has room for.
    let room: ResponseRoom
    /// When it has to end, with all its calls, in milliseconds of the monotonic clock.
    let end: Int64
    let clock: CallClock
    /// The answers of the plan's checks for the caller, where the loop remembers them.
    let verdicts: Verdicts?

    /// `written` is what has been written of the response.
    init(
        _ engine: Engine, _ plan: OperationPlan, _ variables: VariableValues, _ requester: Requester,
        _ caller: Caller, _ shard: EngineShard, until end: Int64, written: ResponsePiece? = nil,
        verdicts: Verdicts? = nil
    ) {
        self.verdicts = verdicts
        self.engine = engine
        self.plan = plan
        self.variables = variables
        self.requester = requester
        self.caller = caller
        self.shard = shard
        self.end = end
        clock = CallClock(end: end)
        let bytesMax = engine.settings.limits.responseBytesMax
        room = ResponseRoom(left: written?.writer.bytesLeft ?? bytesMax, of: bytesMax)
    }

    /// Asks what has to be asked, a bounded number at the same time, and fills the holes.
    ///
    /// - Parameter begun: how far the only hole has come; nil: nothing is begun.
    func filled(_ piece: ResponsePiece, goingOnWith begun: ResolverRun? = nil) async -> ResponsePiece {
        guard piece.writer.hasHoles else { return piece }
        var piece = piece
        let holes = piece.takeHoles()
        // What a mutation has just written must be seen.
        shard.endTurn()
        let values = await HoleValues(of: self).values(of: holes, goingOnWith: begun)
        piece.fill(holes, with: values)
        return piece
    }

    /// Fills the only hole where nothing has to be waited for. Gives how far it has come where something has. Called on the loop.
    func fillNow(_ piece: inout ResponsePiece) -> ResolverRun? {
        guard let hole = piece.onlyHole else { return nil }
        switch HoleValues(of: self).beginning(of: hole) {
        case .ended(let value)?:
            piece.fill(piece.takeHoles(), with: [value])
            return nil
        case .waits(let run)?: return run
        case nil: return nil
        }
    }
}
