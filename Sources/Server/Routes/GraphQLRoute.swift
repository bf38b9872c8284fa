import Access
import Engine
import Network

/// The API over HTTP: a request's body goes to the engine, and its answer gets AppSync's status and fields.
struct GraphQLRoute: Sendable {
    let engine: Engine

    func answer(_ request: HTTPRequest, _ crossOrigin: CrossOrigin, on desk: EngineDesk) -> HTTPReply {
        guard case .bytes(let body) = request.body else { return .now(HTTPResponse(status: .internalServerError)) }
        let head = request.head
        switch engine.answer(body, from: requester(request), on: desk) {
        case .refused(let error):
            let answer = ErrorAnswer(status: .badRequest, type: error.errorType, message: error.message)
            return .now(answer.response(crossOrigin.fields(for: head)))
        case .unauthorized(let message):
            let answer = ErrorAnswer(status: .unauthorized, type: "UnauthorizedException", message: message)
            return .now(answer.response(crossOrigin.fields(for: head)))
        case .response(let bytes):
            return .now(response(bytes, to: head, crossOrigin))
        case .pending(let answer):
            return .later { response(await answer.response(), to: head, crossOrigin) }
        }
    }

    private func requester(_ request: HTTPRequest) -> Requester {
        let fields = request.head.fields
        return Requester(
            .apiKey, sourceAddresses: ["\(request.peer.host)"],
            fields: { fields.all.map { (name: $0.name, value: $0.value) } })
    }

    private func response(_ bytes: [UInt8], to head: HTTPRequestHead, _ crossOrigin: CrossOrigin) -> HTTPResponse {
        HTTPResponse(fields: fields(for: head, crossOrigin), body: .bytes(bytes))
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
    private func fields(for head: HTTPRequestHead, _ crossOrigin: CrossOrigin) -> HTTPFieldLines {
        guard head.fields.contains("origin") else { return Self.fieldsWithoutOrigin }
        var fields = crossOrigin.fields(for: head)
        fields.append(Self.fields)
        return fields
    }
}
