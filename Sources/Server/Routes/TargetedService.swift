import Access
import JSON
import Network

/// The common part of services whose calls are JSON by POST, named by the field `x-amz-target`, on any path, and signed by an administrator
/// or by one of the app's functions.
struct TargetedService: Sendable {
    /// The word before the point of `x-amz-target`.
    let target: String
    /// How long a body may be, and what may be in it.
    let limits: JSONLimits
    /// The prefix of errors' names.
    let space: String
    private let fields: HTTPFieldLines
    private let callers: AdministratorCheck

    /// Why a call is refused.
    struct CallRefusal: Error {
        let status: Int
        let type: String
        let message: String
    }

    /// - Parameters:
    ///   - version: that of the protocol, `1.0` or `1.1`.
    ///   - service: its name in the scope of signatures.
    init(
        _ target: String, version: String, signedFor service: String, _ limits: JSONLimits, errorsIn space: String = "",
        _ callers: ServiceCallers
    ) {
        (self.target, self.limits, self.space) = (target, limits, space)
        fields = HTTPFieldLines([
            "content-type": "application/x-amz-json-\(version)", "cache-control": "no-store",
        ])
        self.callers = callers.of(service)
    }

    /// The refusal of what is no call, before its body is read: long bodies are not read for nobody.
    func refusal(of head: HTTPRequestHead) -> HTTPResponse? {
        guard head.method == .post else {
            var answer = refusal(405, "UnsupportedOperation", "The service is called by POST.")
            answer.fields.append("allow", "POST")
            return answer
        }
        guard head.fields.contains("authorization") else {
            return refusal(400, "MissingAuthenticationTokenException", "Request is missing Authentication Token")
        }
        return nil
    }

    /// The operation that a request is for; empty: none of this service.
    func operation(of head: HTTPRequestHead) -> String {
        let parts = (head.fields["x-amz-target"] ?? "").parts(separatedBy: ".")
        return parts.count == 2 && parts[0].utf8.elementsEqual(target.utf8) ? parts[1] : ""
    }

    /// The answer to a call.
    ///
    /// - Parameters:
    ///   - demands: what the call asks for, as IAM calls it.
    ///   - call: carries it out.
    func answer(
        _ request: HTTPRequest, demands: (_ operation: String, _ input: JSONValue) -> [RightsDemand],
        _ call: (_ operation: String, _ input: JSONValue) async throws(CallRefusal) -> JSONObject
    ) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        let operation = operation(of: request.head)
        func read() -> JSONValue? {
            body.isEmpty ? .object(JSONObject()) : try? JSONReader.value(of: body, limits: limits)
        }
        let refused = callers.refusal(
            of: request.credentials(body: body), for: operation, now: Timestamp.now.seconds
        ) { demands(operation, read() ?? .null) }
        if let refused { return refusal(400, refused.errorType, refused.message) }
        guard let value = read(), value.object != nil else {
            return refusal(400, "SerializationException", "The body is no JSON object.")
        }
        do throws(CallRefusal) {
            return response(.ok, .object(try await call(operation, value)))
        } catch {
            return refusal(error.status, error.type, error.message)
        }
    }

    /// The refusal of what is no acceptable request.
    func refusal(of error: HTTPParseError) -> HTTPResponse {
        refusal(error.status.code, "SerializationException", "\(error)")
    }

    private func response(_ status: HTTPStatus, _ body: JSONValue) -> HTTPResponse {
        HTTPResponse(status: status, fields: fields, body: .bytes(JSONWriter.bytes(of: body)))
    }

    private func refusal(_ status: Int, _ type: String, _ message: String) -> HTTPResponse {
        var answer = response(
            HTTPStatus(code: status), ["__type": .string(space + type), "message": .string(message)])
        answer.fields.append("x-amzn-errortype", type)
        answer.reason = message
        return answer
    }
}
