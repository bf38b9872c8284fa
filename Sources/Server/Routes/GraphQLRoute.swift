import JSON
import Network

/// The API over HTTP: what makes a request body usable, and the answer.
enum GraphQLRoute {
    static func answer(_ request: HTTPRequest, _ crossOrigin: CrossOrigin) -> HTTPResponse {
        var fields = crossOrigin.fields(for: request.head)
        guard case .bytes(let body) = request.body, !body.isEmpty else {
            return malformed("Request body is empty.", fields)
        }
        guard let value = try? JSONReader.value(of: body), value["query"]?.string != nil else {
            return malformed("Unable to parse GraphQL query.", fields)
        }
        fields.append("content-type", "application/json;charset=UTF-8")
        fields.append("x-amzn-appsync-tokensconsumed", "1")
        return HTTPResponse(fields: fields, body: .bytes(typename))
    }

    /// The one answer there is so far: that of `{ __typename }`.
    private static let typename = Array(#"{"data":{"__typename":"Query"}}"#.utf8)

    private static func malformed(_ message: String, _ fields: HTTPFieldLines) -> HTTPResponse {
        ErrorAnswer(status: .badRequest, type: "MalformedHttpRequestException", message: message).response(fields)
    }
}
