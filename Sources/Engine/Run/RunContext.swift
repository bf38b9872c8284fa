import GraphQL
import Store

/// What the runs of one operation share: limits, and what has ended it before its end.
///
/// Used by one thread at a time.
final class RunContext {
    // Hot path: the engine has them, and nothing of it is copied for a request.
    private let engine: Engine
    var cursors: CursorSeal { engine.store.cursors }
    var limits: EngineLimits { engine.settings.limits }
    var semantics: ListQuery.Semantics { engine.settings.semantics }
    /// How long it may take.
    private let milliseconds: Int64
    /// True if the response has no room for anything more: what is left of the operation is not done.
    private(set) var isFull = false
    /// True if it may go on elsewhere when its time here is over.
    let isTurn: Bool
    /// True if it does. What was written is of no use then.
    private(set) var isGivenUp = false

    init(_ engine: Engine, milliseconds: Int64, isTurn: Bool) {
        self.engine = engine
        self.milliseconds = milliseconds
        self.isTurn = isTurn
    }

    /// What a client is told of an error, which ends the operation here if it says so.
    func failure(_ error: RunError) -> FieldFailure {
        switch error {
        case .field(let failure): return failure
        case .store(let error): return failure(error)
        case .end(.timeIsOver):
            isGivenUp = isGivenUp || isTurn
            return FieldFailure(
                "Execution timed out: the operation took more than \(milliseconds / 1000) s.", type: "ExecutionTimeout")
        case .end(.responseTooLarge):
            isFull = true
            return .responseTooLarge(limits.responseBytesMax)
        case .end(.tooManyReads):
            return FieldFailure(
                "The operation needs more than \(limits.readsMax) reads. Ask for fewer records at once, with limit and "
                    + "nextToken.",
                type: "ResolverCountLimitReached")
        }
    }

    /// The same of the database alone: never its words, which speak of files.
    func failure(_ error: StoreError, isRead: Bool = false) -> FieldFailure {
        switch error.kind {
        case .interrupted: return failure(.end(.timeIsOver))
        case .invalidArgument: return .invalidToken
        case .invalidValue: return .invalidValue(error.told)
        case .tooLarge: return FieldFailure("The request is too large: \(error.told)", type: "RequestTooLarge")
        case .overloaded where isRead:
            return FieldFailure("Too many long reads are running. Try again later.", type: "ThrottlingException")
        case .overloaded:
            return FieldFailure("Too many mutations are waiting. Try again later.", type: "ThrottlingException")
        case .tooManyChanges:
            return FieldFailure(
                "Too many changes wait for the functions that are told of this table. Try again later.",
                type: "ThrottlingException")
        case .diskFull: return FieldFailure("The database has no room left.", type: "InternalFailure")
        case .readOnly: return FieldFailure("The database cannot be written.", type: "InternalFailure")
        case .locked: return FieldFailure("The database is locked by another process.", type: "InternalFailure")
        case .away: return .away
        case .stopped: return FieldFailure("The server is stopping.", type: "ServiceUnavailable")
        default:
            // Operators are told what clients are not.
            engine.settings.report("the database cannot be used: \(error.message)")
            return FieldFailure("The database failed; the server's log says why.", type: "InternalFailure")
        }
    }
}
