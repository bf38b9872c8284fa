import GraphQL
import JSON

/// An operation of a document that is too long for its loop: what has to be made of it beside.
struct LongOperation: Sendable {
    /// What tells it from others.
    struct Key: Hashable, Sendable {
        let text: [UInt8]
        let operationName: ByteText?
    }

    /// What was made.
    struct Made: Sendable {
        let document: PreparedDocument
        let plan: Result<PlannedOperation, RequestError>
    }

    let key: Key
    /// The document, where that is prepared already.
    let document: PreparedDocument?

    /// Called beside the loop.
    func make(_ engine: Engine) -> Made {
        let document = document ?? .whole(key.text, engine)
        return Made(
            document: document,
            plan: Result { () throws(RequestError) in try document.plan(key.operationName?.string, engine) })
    }
}

/// A request whose operation is prepared beside the loop: where what it asks for is planned, it is answered like others.
package struct Preparation: Sendable {
    private let engine: Engine
    private let operation: LongOperation
    private let request: EngineRequest
    private let requester: Requester
    private let shard: EngineShard
    private let bytes: Int

    init(
        _ engine: Engine, _ operation: LongOperation, for request: EngineRequest, from requester: Requester,
        on shard: EngineShard, bytes: Int
    ) {
        self.engine = engine
        self.operation = operation
        self.request = request
        self.requester = requester
        self.shard = shard
        self.bytes = bytes
    }

    /// What becomes of the request: anything but another preparation. Called on the loop of the shard.
    package func answer() async -> Engine.Answer {
        let made = await shard.preparations(in: engine).value(for: operation.key) { [operation, engine] in
            operation.make(engine)
        }
        guard let made else {
            requester.note?.refuse(Self.throttled)
            return .response(
                GraphQLError.refusal([
                    GraphQLError(
                        "Too many long documents are being prepared. Try again later.",
                        resolver: GraphQLError.ResolverPart(errorType: Self.throttled))
                ]))
        }
        do throws(RequestError) {
            switch try shard.plans.take(made, for: request, in: engine) {
            case .ready(let memory): return engine.answer(request, memory, from: requester, on: shard, bytes: bytes)
            case .invalid(let response): return .invalid(response)
            case .long: return .refused(.unparsable)
            }
        } catch {
            return .refused(error)
        }
    }

    private static let throttled = "ThrottlingException"
}
