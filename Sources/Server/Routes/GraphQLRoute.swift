import Access
import Console
import Engine
import GraphQL
import JSON
import Network

/// The API over HTTP: a request's body goes to the engine, and its answer gets AppSync's status and fields.
struct GraphQLRoute: Sendable {
    let explainer: DenialExplainer?
    let forwarding: Forwarding
    /// Notes what happens while somebody looks; nil: nobody can.
    var live: LiveFeed?

    /// Answers a request whose client does not prefer event streams; a subscription is one even so, where they are accepted.
    func answer(
        _ request: HTTPRequest, _ accepted: AcceptedTypes, _ crossOrigin: CrossOrigin, on shard: CallerShard,
        _ subscriptions: SubscriptionRoute
    ) -> HTTPReply {
        guard case .bytes(let sent) = request.body else { return .now(HTTPResponse(status: .internalServerError)) }
        let reply = Reply(request.head, accepted, crossOrigin, shard.takeNote())
        switch shard.identify(request, sent) {
        case .identity(let identity):
            shard.noteSubject(identity, of: request.identifier)
            let answer = answer(
                request, sent, requester(identity, request, sent, reply.note), on: shard, reply, subscriptions)
            if case .now = answer { shard.giveBack(reply.note) }
            return answer
        case .refused(let refusal): return .now(turnedAway(refusal, request, sent, reply))
        case .pending(let pending):
            return .later {
                do throws(Refusal) {
                    let identity = try await pending.identity(using: shard.outside)
                    shard.noteSubject(identity, of: request.identifier)
                    let requester = requester(identity, request, sent, reply.note)
                    return await answer(request, sent, requester, on: shard, reply, subscriptions).response()
                } catch {
                    return turnedAway(error, request, sent, reply)
                }
            }
        }
    }

    /// The answer to somebody whom nobody knows.
    private func turnedAway(_ refusal: Refusal, _ request: HTTPRequest, _ sent: [UInt8], _ reply: Reply) -> HTTPResponse
    {
        if let live, live.isWanted { _ = live.begin(request.identifier, sent, by: nil, trace: nil) }
        return told(reply.refusal(refusal, explained: explained(refusal, request)), request)
    }

    /// The same answer, of which those who look know that it is a refusal, and why.
    private func told(_ response: HTTPResponse, _ request: HTTPRequest) -> HTTPResponse {
        if let live, live.isWanted, case .bytes(let bytes, _) = response.body {
            live.refused(request.identifier, with: bytes)
        }
        return response
    }

    /// Why nobody was recognised, where whoever runs the server wants it told.
    private func explained(_ refusal: Refusal, _ request: HTTPRequest) -> JSONValue? {
        explainer?.tell(
            refusal, request.identifier,
            isFromThisMachine: RequestOrigin.isThisMachine(request.head, from: request.peer))
    }

    private func requester(
        _ identity: Identity, _ request: HTTPRequest, _ sent: [UInt8], _ note: OperationNote
    ) -> Requester {
        note.caller = CallerKind(identity.mode)
        var explanation = explainer?.explanation(
            request.identifier, for: identity,
            isFromThisMachine: RequestOrigin.isThisMachine(request.head, from: request.peer))
        if let live, live.isWanted {
            explanation = explanation ?? Explanation(isAnswered: false, subject: identity.name) { _ in }
            note.story = live.begin(request.identifier, sent, by: identity, trace: explanation?.trace)
        }
        return request.requester(identity, forwarding, explanation: explanation, note: note)
    }

    private func answer(
        _ request: HTTPRequest, _ sent: [UInt8], _ requester: Requester, on shard: CallerShard, _ reply: Reply,
        _ subscriptions: SubscriptionRoute
    ) -> HTTPReply {
        let body = request.head.method == .post ? sent : GraphQLQuery.body(of: request.head.query)
        let api = shard.api
        if let refusal = reply.strictRefusal(operation: { api.operationType(of: body) }) {
            return .now(told(refusal, request))
        }
        return tell(
            api.answer(body, from: requester, on: shard.engine), api, body, requester, request, reply, subscriptions)
    }

    private func tell(
        _ answer: Engine.Answer, _ api: Engine, _ body: [UInt8], _ requester: Requester, _ request: HTTPRequest,
        _ reply: Reply,
        _ subscriptions: SubscriptionRoute
    ) -> HTTPReply {
        switch answer {
        case .response(let bytes): return .now(reply.response(bytes))
        case .invalid(let bytes):
            guard reply.acceptsStream, api.operationType(of: body) == .subscription else {
                return .now(told(reply.response(bytes, isRefusal: true), request))
            }
            return stream(body, from: requester, request, reply, subscriptions)
        case .refused(let error) where error == .subscriptionOverHTTP && reply.acceptsStream:
            return stream(body, from: requester, request, reply, subscriptions)
        case .refused(let error):
            if error == .unparsable, PersistedQuery.isHashAlone(body) {
                return .now(reply.response(PersistedQuery.answer))
            }
            return .now(told(reply.error(ErrorAnswer(error)), request))
        case .unauthorized(let message, let extensions):
            let answer = ErrorAnswer(
                status: .unauthorized, type: "UnauthorizedException", message: message, extensions: extensions)
            return .now(told(reply.error(answer), request))
        case .pending(let answer):
            // Hot path: most mutations wait for nothing but their commit, most reads for nothing but the database, and need no task for that.
            if let found = answer.found {
                return .promisedWhileWaited { deliver in found.begin { deliver(reply.response($0)) } }
            }
            guard let written = answer.written else {
                let wait = { @Sendable in reply.response(await answer.response()) }
                return answer.isRead ? .whileWaited(wait) : .later(wait)
            }
            return .promised { deliver in written.begin { deliver(reply.response($0)) } }
        case .preparing(let preparation):
            return .whileWaited {
                await tell(preparation.answer(), api, body, requester, request, reply, subscriptions)
                    .response(on: request.loop)
            }
        }
    }

    /// A streamed answer is written by the task that it is given.
    private func stream(
        _ body: [UInt8], from requester: Requester, _ request: HTTPRequest, _ reply: Reply,
        _ subscriptions: SubscriptionRoute
    ) -> HTTPReply {
        // What carries the events tells the story: the request would tell another one when it ends.
        if let live, live.isWanted { live.giveUp(request.identifier) }
        return .later { subscriptions.answer(body, from: requester.identity, request, reply.originFields) }
    }
}

extension HTTPReply {
    /// The answer, for a task that is cancelled when its client goes: what may not be given up goes on in one of its own.
    fileprivate func response(on loop: EventLoop) async -> HTTPResponse {
        switch self {
        case .now, .whileWaited, .promisedWhileWaited: await response()
        case .later, .promised: await Task(executorPreference: loop) { await response() }.value
        }
    }
}

/// Gives answers of the API the fields and the status that a client expects.
private struct Reply: Sendable {
    private let head: HTTPRequestHead
    private let crossOrigin: CrossOrigin
    private let accepted: AcceptedTypes
    /// What is noted of the request for the log and the counters.
    let note: OperationNote

    init(
        _ head: HTTPRequestHead, _ accepted: AcceptedTypes, _ crossOrigin: CrossOrigin, _ note: OperationNote
    ) {
        self.note = note
        self.head = head
        self.accepted = accepted
        self.crossOrigin = crossOrigin
    }

    /// Whether a subscription may be answered with an event stream.
    var acceptsStream: Bool { accepted.areStreamsAccepted && head.method != .head }

    /// What the pages of other origins need, whatever the answer is.
    var originFields: HTTPFieldLines { crossOrigin.fields(for: head) }

    private static let tokensField: StaticString = "x-amzn-appsync-tokensconsumed"

    func error(_ answer: ErrorAnswer) -> HTTPResponse {
        note.refuse(answer.type)
        return noted(answer.response(crossOrigin.fields(for: head)))
    }

    private func noted(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        for field in note.responseFields { response.fields.append(name: field.name, value: field.value) }
        response.note = OperationSummary(note).word
        return response
    }

    func refusal(_ refusal: Refusal, explained: JSONValue?) -> HTTPResponse {
        var response = error(ErrorAnswer(refusal, extensions: explained))
        response.reason = refusal.reason
        return response
    }

    /// What GraphQL over HTTP refuses and AppSync does not: a mutation by a method that only reads, and a body that says of
    /// itself that it is something else than JSON.
    func strictRefusal(operation: () -> OperationType?) -> HTTPResponse? {
        guard accepted.isStrict else { return nil }
        if head.method == .post {
            guard let type = head.fields["content-type"], !Self.isJSON(type) else { return nil }
            return error(ErrorAnswer.notJSON(type))
        }
        guard operation() == .mutation else { return nil }
        var response = error(ErrorAnswer.mutationByGet(head.methodText))
        response.fields.append("allow", HTTPMethod.post.rawValue)
        return response
    }

    private static func isJSON(_ type: String) -> Bool {
        let name = type.utf8.prefix { $0 != UInt8(ascii: ";") }.filter {
            $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t")
        }
        return HTTPFields.isEqual(name, "application/json") || HTTPFields.isEqual(name, "application/graphql+json")
    }

    /// `isRefusal` says that the operation was not begun.
    func response(_ bytes: [UInt8], isRefusal: Bool = false) -> HTTPResponse {
        if isRefusal { note.refuse(ErrorName.validation) }
        guard accepted.isStrict else { return noted(HTTPResponse(fields: fields, body: .bytes(bytes))) }
        var fields = crossOrigin.fields(for: head)
        fields.append("content-type", AcceptedTypes.strictType + "; charset=utf-8")
        fields.append(Self.tokensField, "1")
        return noted(HTTPResponse(status: isRefusal ? .badRequest : .ok, fields: fields, body: .bytes(bytes)))
    }

    private static let fields = HTTPFieldLines([
        "content-type": "application/json;charset=UTF-8", "x-amzn-appsync-tokensconsumed": "1",
    ])
    private static let fieldsWithoutOrigin = {
        var fields = CrossOrigin.fieldsForAll
        fields.append(Self.fields)
        return fields
    }()

    /// Hot path: for a client that is no web page the fields are always the same, and made once.
    private var fields: HTTPFieldLines {
        guard head.fields.contains("origin") else { return Self.fieldsWithoutOrigin }
        var fields = crossOrigin.fields(for: head)
        fields.append(Self.fields)
        return fields
    }
}
