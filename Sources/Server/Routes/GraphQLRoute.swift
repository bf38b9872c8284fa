import Engine
import Network

/// The API over HTTP: a request's body goes to the engine, and its answer gets AppSync's status and fields.
struct GraphQLRoute: Sendable {
    let engine: Engine

    func answer(_ request: HTTPRequest, _ crossOrigin: CrossOrigin, on desk: EngineDesk) -> HTTPResponse {
        var fields = crossOrigin.fields(for: request.head)
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        switch engine.answer(body, on: desk) {
        case .refused(let error):
            return ErrorAnswer(status: .badRequest, type: error.errorType, message: error.message).response(fields)
        case .response(let bytes):
            fields.append(Self.fields)
            return HTTPResponse(fields: fields, body: .bytes(bytes))
        }
    }

    private static let fields = HTTPFieldLines([
        "content-type": "application/json;charset=UTF-8", "x-amzn-appsync-tokensconsumed": "1",
    ])
}
