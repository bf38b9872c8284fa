import Access
import Engine
import JSON
import Network

/// The API over HTTP: a request's body goes to the engine, and its answer gets AppSync's status and fields.
struct GraphQLRoute: Sendable {
    let engine: Engine
    let explainer: DenialExplainer?

    func answer(_ request: HTTPRequest, _ crossOrigin: CrossOrigin, on desk: CallerDesk) -> HTTPReply {
        guard case .bytes(let sent) = request.body else { return .now(HTTPResponse(status: .internalServerError)) }
        let reply = Reply(request.head, crossOrigin)
        switch desk.identify(request.credentials(body: sent)) {
        case .identity(let identity):
            return answer(request, sent, requester(identity, request), on: desk, reply)
        case .refused(let refusal): return .now(reply.refusal(refusal))
        case .pending(let pending):
            return .later {
                do throws(Refusal) {
                    let identity = try await pending.identity(using: desk.outside)
                    return await answer(request, sent, requester(identity, request), on: desk, reply).response()
                } catch {
                    return reply.refusal(error)
                }
            }
        }
    }

    private func requester(_ identity: Identity, _ request: HTTPRequest) -> Requester {
        request.requester(
            identity, explanation: explainer?.explanation(request.identifier, for: identity, at: request.peer))
    }

    private func answer(
        _ request: HTTPRequest, _ sent: [UInt8], _ requester: Requester, on desk: CallerDesk, _ reply: Reply
    ) -> HTTPReply {
        let body = request.head.method == .post ? sent : GraphQLQuery.body(of: request.head.query)
        switch engine.answer(body, from: requester, on: desk.engine) {
        case .response(let bytes): return .now(reply.response(bytes))
        case .invalid(let bytes): return .now(reply.response(bytes, isRefusal: true))
        case .refused(let error):
            return .now(reply.error(ErrorAnswer(status: .badRequest, type: error.errorType, message: error.message)))
        case .unauthorized(let message, let extensions):
            return .now(
                reply.error(
                    ErrorAnswer(
                        status: .unauthorized, type: "UnauthorizedException", message: message, extensions: extensions))
            )
        case .pending(let answer):
            // Hot path: most mutations wait for nothing but their commit, and need no task for that.
            guard let written = answer.written else { return .later { reply.response(await answer.response()) } }
            return .promised { deliver in written.begin { deliver(reply.response($0)) } }
        }
    }
}

/// Gives answers of the API the fields and the status that a client expects.
private struct Reply: Sendable {
    private let head: HTTPRequestHead
    private let crossOrigin: CrossOrigin
    /// Whether the client wants the media type of GraphQL over HTTP, whose statuses are stricter than AppSync's.
    private let isStrict: Bool

    init(_ head: HTTPRequestHead, _ crossOrigin: CrossOrigin) {
        self.head = head
        self.crossOrigin = crossOrigin
        isStrict = head.fields["accept"].map { $0.lowercased().contains(Self.strictType) } ?? false
    }

    private static let strictType = "application/graphql-response+json"
    private static let tokensField: StaticString = "x-amzn-appsync-tokensconsumed"

    func error(_ answer: ErrorAnswer) -> HTTPResponse { answer.response(crossOrigin.fields(for: head)) }

    func refusal(_ refusal: Refusal) -> HTTPResponse {
        error(ErrorAnswer(refusal))
    }

    /// `isRefusal` says that the operation was not begun.
    func response(_ bytes: [UInt8], isRefusal: Bool = false) -> HTTPResponse {
        guard isStrict else { return HTTPResponse(fields: fields, body: .bytes(bytes)) }
        var fields = crossOrigin.fields(for: head)
        fields.append("content-type", Self.strictType + "; charset=utf-8")
        fields.append(Self.tokensField, "1")
        return HTTPResponse(status: isRefusal ? .badRequest : .ok, fields: fields, body: .bytes(bytes))
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
