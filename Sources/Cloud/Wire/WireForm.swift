import JSON
import Network

/// How calls and answers are written.
package enum WireForm: Sendable {
    /// JSON, the operation in `x-amz-target`; the version of the protocol: `1.0` or `1.1`.
    case json(version: String)

    var fields: HTTPFieldLines {
        switch self {
        case .json(let version):
            HTTPFieldLines(["content-type": "application/x-amz-json-\(version)", "cache-control": "no-store"])
        }
    }
}

extension ServiceTable {
    func response(_ status: HTTPStatus, _ body: JSONValue) -> HTTPResponse {
        HTTPResponse(status: status, fields: wire.fields, body: .bytes(JSONWriter.bytes(of: body)))
    }

    func refusal(_ error: CloudError) -> HTTPResponse {
        var body = JSONObject([("__type", .string(words.space + error.type)), ("message", .string(error.message))])
        if words.hasCapitalMessage { body.set("Message", to: .string(error.message)) }
        var answer = response(HTTPStatus(code: error.status), .object(body))
        answer.fields.append("x-amzn-errortype", error.type)
        answer.reason = "\(error.type): \(error.message)"
        return answer
    }
}
