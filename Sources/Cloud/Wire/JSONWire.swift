import JSON
import Network

/// The protocols JSON 1.0 and 1.1: the operation is in `x-amz-target`, calls and answers are objects. Answers of the protocol of paths
/// differ little.
extension ServiceTable {
    /// The operation that a head names; empty: none of this service.
    func operation(in head: HTTPRequestHead) -> String {
        guard !target.isEmpty, let text = head.fields["x-amz-target"], text.utf8.starts(with: target.utf8) else {
            return ""
        }
        let rest = text.utf8.dropFirst(target.utf8.count)
        let point = UInt8(ascii: ".")
        guard rest.first == point, !rest.dropFirst().contains(point) else { return "" }
        return String(Substring(rest.dropFirst()))
    }

    /// The members of a call; nil: the body is no object that is read here.
    func members(of body: [UInt8]) -> JSONObject? {
        body.isEmpty ? JSONObject() : (try? JSONReader.value(of: body, limits: limits))?.object
    }

    func response(_ status: HTTPStatus, _ body: JSONObject) -> HTTPResponse {
        HTTPResponse(
            status: status,
            fields: HTTPFieldLines([
                "content-type": target.isEmpty ? "application/json" : "application/x-amz-json-\(version)",
                "cache-control": "no-store",
            ]), body: .bytes(JSONWriter.bytes(of: .object(body))))
    }

    /// The refusal of what is no call: in XML where forms are all that the service has.
    package func refusal(_ error: CloudError) -> HTTPResponse {
        refusal(error, in: isOfForms ? form : nil, nil)
    }

    func refusal(_ error: CloudError, in form: FormWire?, _ identifier: RequestIdentifier?) -> HTTPResponse {
        if let form {
            var answer = form.answer(identifier).refusal(
                error.status, error.code, error.formMessage ?? error.message)
            if let reason = error.reason { answer.reason = reason }
            return answer
        }
        var body = JSONObject()
        if !target.isEmpty { body.set("__type", to: .string(words.space(of: error.type) + error.type)) }
        body.set("message", to: .string(error.message))
        if words.hasCapitalMessage { body.set("Message", to: .string(error.message)) }
        if words.namesSide { body.set("Type", to: error.status < 500 ? "User" : "Server") }
        var answer = response(HTTPStatus(code: error.status), body)
        if error.status == 429 { answer.fields.append("retry-after", "1") }
        if words.hasQueryErrors {
            answer.fields.append(
                "x-amzn-query-error", "\(error.code);\(error.status < 500 ? "Sender" : "Receiver")")
        } else {
            answer.fields.append("x-amzn-errortype", error.type)
        }
        answer.reason = "\(error.type): \(error.reason ?? error.message)"
        return answer
    }
}
