import JSON
import Network
import UserPool

/// Answers of Cognito's two services. Whoever refuses a call of theirs does so in their form: clients read every answer as JSON, and
/// show "SyntaxError" or "NetworkError" where it is none, or where a page may not read it.
struct ServiceAnswer: Sendable {
    private let crossOrigin: CrossOrigin

    init(_ crossOrigin: CrossOrigin) {
        self.crossOrigin = crossOrigin
    }

    func success(_ body: [UInt8], _ head: HTTPRequestHead?) -> HTTPResponse { response(.ok, body, head) }

    /// - Parameter status: another than the error's own.
    func refusal(_ error: PoolError, _ head: HTTPRequestHead?, status: HTTPStatus? = nil) -> HTTPResponse {
        let content: JSONValue = ["__type": .string(error.type), "message": .string(error.message)]
        var answer = response(status ?? HTTPStatus(code: error.status), JSONWriter.bytes(of: content), head)
        answer.fields.append("x-amzn-errortype", "\(error.type):")
        answer.fields.append("x-amzn-errormessage", Self.fieldText(error.message))
        answer.reason = error.message
        return answer
    }

    /// The same for what the server refuses before a service sees it.
    func refusal(_ error: ErrorAnswer, _ head: HTTPRequestHead?) -> HTTPResponse {
        refusal(PoolError(error.type, error.message), head, status: error.status)
    }

    private func response(_ status: HTTPStatus, _ body: [UInt8], _ head: HTTPRequestHead?) -> HTTPResponse {
        var fields = crossOrigin.fields(for: head)
        fields.append("content-type", "application/x-amz-json-1.1")
        fields.append("cache-control", "no-store")
        return HTTPResponse(status: status, fields: fields, body: .bytes(body))
    }

    /// A text as a field can hold it: a request's own words, line breaks among them, may be in it.
    private static func fieldText(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
