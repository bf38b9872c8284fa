import Access
import Engine
import JSON
import Network
import Realtime

/// An operation that is run for somebody, as the API runs it, with everything told that there is to tell.
struct OperationRun: Sendable {
    let host: any ConsoleHost
    let loop: EventLoop
    let caller: ResolvedCaller
    /// Header fields that functions and resolvers are told of.
    var fields: [(name: String, value: String)] = []

    /// What came of it.
    struct Outcome: Sendable {
        let status: Int
        let response: JSONValue
        let trace: DecisionTrace
        let story: OperationStory
        let bytesOut: Int
        /// It is a subscription: it is streamed.
        var isSubscription = false

        /// The same of a subscription that may not begin: what its client would be told, and why; nil: it may.
        func refusal(
            of operation: OperationRequest, _ caller: ResolvedCaller, _ loop: EventLoop, _ host: any ConsoleHost
        ) async -> Outcome? {
            let trace = DecisionTrace(subject: caller.label)
            let failure = await host.realtime.refusal(of: operation, for: caller.identity, on: loop, telling: trace)
            guard let failure else { return nil }
            story.mark("answered")
            let response: JSONValue = ["errors": failure.list]
            return Outcome(
                status: 200, response: response, trace: trace, story: story,
                bytesOut: JSONWriter.bytes(of: response).count)
        }
    }

    func run(_ body: [UInt8]) async -> Outcome {
        let story = OperationStory(of: body)
        let note = OperationNote()
        note.caller = CallerKind(caller.identity.mode)
        note.story = story
        let explanation = Explanation(isAnswered: false, subject: caller.label) { _ in }
        let requester = Requester(
            caller.identity, explanation: explanation, note: note, sender: ConsoleSender(fields: fields))
        let (engine, shard) = host.api(on: loop)
        let answer = engine.answer(body, from: requester, on: shard)
        return await outcome(answer, engine, body, explanation.trace, story)
    }

    private func outcome(
        _ answer: Engine.Answer, _ engine: Engine, _ body: [UInt8], _ trace: DecisionTrace, _ story: OperationStory
    ) async -> Outcome {
        func outcome(_ status: Int, _ bytes: [UInt8], isSubscription: Bool = false) -> Outcome {
            story.mark("answered")
            return Outcome(
                status: status, response: (try? JSONReader.value(of: bytes)) ?? .null, trace: trace, story: story,
                bytesOut: bytes.count, isSubscription: isSubscription)
        }
        func refusal(_ status: Int, _ type: String, _ message: String) -> [UInt8] {
            JSONWriter.bytes(
                of: ["errors": [["errorType": .string(type), "message": .string(message)]]])
        }
        switch answer {
        case .response(let bytes): return outcome(200, bytes)
        case .invalid(let bytes):
            return outcome(200, bytes, isSubscription: engine.operationType(of: body) == .subscription)
        case .refused(let error):
            return outcome(
                400, refusal(400, error.errorType, error.message), isSubscription: error == .subscriptionOverHTTP)
        case .unauthorized(let message, _):
            return outcome(401, refusal(401, "UnauthorizedException", message))
        case .pending(let answer):
            return outcome(200, await answer.response())
        case .preparing(let preparation):
            return await self.outcome(await preparation.answer(), engine, body, trace, story)
        }
    }
}

/// The console as the sender of an operation: this machine, with the fields that the person has written.
private final class ConsoleSender: RequestSender {
    private let fields: [(name: String, value: String)]

    init(fields: [(name: String, value: String)]) { self.fields = fields }

    func told(of identity: Identity) -> FieldCaller.Told {
        FieldCaller.Told(identity, from: ["127.0.0.1"], fields: fields)
    }
}
