import GraphQL
import Store

/// A response that has to be waited for, by what is waited for.
package enum PendingAnswer: Sendable {
    case mutations(SerialExecution)
    /// A query that is too long for its loop: nothing of it is written.
    case read(Read)
    /// What a query has written has holes in it.
    indirect case holes(Holes)

    /// The response. Called on the loop of the shard.
    package func response() async -> [UInt8] {
        switch self {
        case .mutations(let execution): await execution.response()
        case .read(let read): await read.response()
        case .holes(let holes): await holes.response()
        }
    }

    package struct Read: Sendable {
        let operation: WaitingOperation
        let read: ReadBesideLoop

        fileprivate func response() async -> [UInt8] {
            do throws(StoreError) {
                switch try await operation.engine.read(operation, read) {
                case .response(let response): return response
                case .holes(let piece):
                    _ = operation.room.take(piece.writer.byteCount)
                    return await Holes(operation: operation, piece: piece).response()
                }
            } catch {
                return refusal(error)
            }
        }

        fileprivate func refusal(_ error: StoreError) -> [UInt8] {
            let failure = operation.engine.context().failure(error, isRead: true)
            return GraphQLError.refusal([
                GraphQLError(failure.message, resolver: GraphQLError.ResolverPart(errorType: failure.type))
            ])
        }
    }

    package struct Holes: Sendable {
        let operation: WaitingOperation
        let piece: ResponsePiece
        /// How far the only hole has come; nil: nothing is begun.
        var begun: ResolverRun?

        fileprivate func response() async -> [UInt8] {
            var whole = await operation.filled(piece, goingOnWith: begun)
            return whole.writer.takeResponse(for: operation.requester)
        }
    }

    /// The answer that waits for the database alone, so that it may be given up; nil where it may wait for something else.
    package var found: FoundAnswer? {
        guard case .read(let read) = self, !read.operation.plan.isWaiting else { return nil }
        return FoundAnswer(read: read)
    }

    /// True if nothing is lost when nobody waits for it any more.
    package var isRead: Bool {
        if case .read = self { true } else { false }
    }

    /// The same where nothing but the writer is waited for; nil where something else may be.
    package var written: WrittenAnswer? {
        guard case .mutations(let execution) = self else { return nil }
        return WrittenAnswer(execution)
    }
}

/// A response that nothing but the database is waited for.
package struct FoundAnswer: Sendable {
    fileprivate let read: PendingAnswer.Read

    /// Begins to read, and hands the response to the closure on the thread that has read, or here when none does. What is given back gives it up.
    package func begin(_ deliver: @escaping @Sendable ([UInt8]) -> Void) -> @Sendable () -> Void {
        read.operation.engine.beginRead(ResponseRead(read, deliver), of: read.operation, read.read)
    }
}

/// Unchecked: as all reads, on one thread at a time.
private final class ResponseRead: ReadTask, @unchecked Sendable {
    private let answer: PendingAnswer.Read
    private let deliver: @Sendable ([UInt8]) -> Void
    private var kept: ReadBesideLoop.Outcome?

    init(_ answer: PendingAnswer.Read, _ deliver: @escaping @Sendable ([UInt8]) -> Void) {
        (self.answer, self.deliver) = (answer, deliver)
    }

    func read(_ reader: Reader) throws(StoreError) {
        kept = try answer.operation.engine.outcome(of: answer.operation, answer.read, on: reader)
    }

    func answer(_ failure: StoreError?) {
        if let failure { return deliver(answer.refusal(failure)) }
        guard case .response(let response)? = kept else {
            // A plan that waits for nothing leaves no holes.
            return deliver(answer.refusal(StoreError(.unexpected, "a read has left holes")))
        }
        deliver(response)
    }
}
