import Access
import Engine
import GraphQL
import JSON
import Network

/// An answer that refuses a request before GraphQL sees it: a status, AppSync's name for the error, and a message.
///
///     {"errors":[{"errorType":"MalformedHttpRequestException","message":"Request body is empty."}],
///      "message":"Request body is empty."}
///
/// The second message is for amplify-js, which looks for none but that one and else shows "Unknown error".
struct ErrorAnswer: Sendable {
    let status: HTTPStatus
    let type: String
    let message: String
    /// The advice for a person, where AppSync's own text has none.
    let advice: String?
    /// The members of the answer beside its error.
    let extensions: JSONValue?

    /// The caller is not let in.
    init(_ refusal: Refusal, extensions: JSONValue? = nil) {
        self.init(
            status: HTTPStatus(code: refusal.status), type: refusal.errorType, message: refusal.message,
            extensions: extensions)
    }

    init(
        status: HTTPStatus, type: String, message: String, advice: String? = nil, extensions: JSONValue? = nil
    ) {
        (self.status, self.type, self.message) = (status, type, message)
        (self.advice, self.extensions) = (advice, extensions)
    }

    /// A request that cannot be tried.
    init(_ error: RequestError) {
        self.init(
            status: .badRequest, type: error.errorType, message: error.message,
            advice: error == .subscriptionOverHTTP
                ? "Use a WebSocket, or `accept: text/event-stream` for an event stream." : nil)
    }

    static func notFound(_ path: String) -> ErrorAnswer {
        let routes = Route.withPaths.filter { !$0.isOfChannels }.map(\.path).joined(separator: ", ")
        return ErrorAnswer(
            status: .notFound, type: "UnknownOperationException",
            message: "There is nothing at \(path). What is served: \(routes).")
    }

    /// The project has no API, and nobody is to look for what is wrong with a query.
    static let noAPI = ErrorAnswer(
        status: .notFound, type: "UnknownOperationException",
        message: "The project that is served here defines no API: it has sign-in, files and functions, and no schema.")

    static let closedMetrics = ErrorAnswer(
        status: .forbidden, type: "AccessDeniedException",
        message: "Metrics are for programs on this machine, for the token metrics.token, and for metrics.addresses.")

    static func methodNotAllowed(_ method: String, _ route: Route) -> ErrorAnswer {
        let methods = route.methods.map(\.rawValue).joined(separator: " and ")
        return ErrorAnswer(
            status: .methodNotAllowed, type: "MethodNotAllowedException",
            message: "\(route.path) takes \(methods), not \(method).")
    }

    static func mutationByGet(_ method: String) -> ErrorAnswer {
        ErrorAnswer(
            status: .methodNotAllowed, type: "MethodNotAllowedException",
            message: "A mutation is sent by POST, not by \(method).")
    }

    static func notJSON(_ type: String) -> ErrorAnswer {
        ErrorAnswer(
            status: .unsupportedMediaType, type: "MalformedHttpRequestException",
            message: "The body of a request is application/json, not \(type).")
    }

    static func foreignHost(_ authority: String) -> ErrorAnswer {
        ErrorAnswer(
            status: .forbidden, type: "ForbiddenException",
            message: "This server does not answer to the name \(authority). If it should, add the name to allowedHosts."
        )
    }

    /// The same where a name would come into what is answered: an issuer, a link, the address of a page.
    static func misdirected(_ authority: String) -> ErrorAnswer {
        ErrorAnswer(
            status: HTTPStatus(code: 421), type: "MisdirectedRequestException",
            message: foreignHost(authority).message)
    }

    static func notAcceptable(_ error: HTTPParseError) -> ErrorAnswer {
        let type =
            switch error.status {
            case .requestTimeout: "RequestTimeoutException"
            case .serviceUnavailable: "ServiceUnavailableException"
            default: "MalformedHttpRequestException"
            }
        let text = error.description
        return ErrorAnswer(
            status: error.status, type: type, message: text.prefix(1).uppercased() + text.dropFirst() + ".")
    }

    /// The answer to whoever asks for the API; where it is not known who does, it is Cognito's as well.
    func response(_ fields: HTTPFieldLines, isOfAnyService: Bool = false) -> HTTPResponse {
        let error: JSONValue = ["errorType": .string(type), "message": .string(message)]
        let text = advice.map { "\(message) \($0)" } ?? message
        var answer = JSONObject([("errors", .array([error])), ("message", .string(text))])
        if isOfAnyService { answer.set("__type", to: .string(type)) }
        if let extensions { answer.set("extensions", to: extensions) }
        var fields = fields
        fields.append("content-type", "application/json;charset=UTF-8")
        fields.append("x-amzn-errortype", type)
        var response = HTTPResponse(status: status, fields: fields, body: .bytes(JSONWriter.bytes(of: .object(answer))))
        response.reason = message
        return response
    }
}
