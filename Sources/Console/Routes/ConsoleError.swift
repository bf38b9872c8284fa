import JSON
import Network

/// Why the console did not do what it was asked, in words for the person who asked.
///
///     {"error": {"code": "notSignedIn", "message": "Sign in: …"}}
package struct ConsoleError: Error, Sendable, Equatable {
    package let status: Int
    package let code: String
    package let message: String
    /// The member of the request that is wrong.
    package var place: String?
    /// The place in a text of the request, in bytes.
    package var offset: Int?
    /// When to try again.
    package var retrySeconds: Int64?

    package init(_ status: Int, _ code: String, _ message: String, place: String? = nil, retrySeconds: Int64? = nil) {
        (self.status, self.code, self.message) = (status, code, message)
        (self.place, self.retrySeconds) = (place, retrySeconds)
    }

    package static func badRequest(_ message: String, place: String? = nil) -> ConsoleError {
        ConsoleError(400, "badRequest", message, place: place)
    }

    package static func notFound(_ message: String) -> ConsoleError { ConsoleError(404, "notFound", message) }

    package static func notServed(_ message: String) -> ConsoleError { ConsoleError(501, "notServed", message) }

    static let notSignedIn = ConsoleError(
        401, "notSignedIn", "Sign in: this server asks for the administrator's password.")
    static let foreignOrigin = ConsoleError(
        403, "foreignOrigin", "The console answers its own page alone, and no page of another origin.")
    static let csrf = ConsoleError(
        403, "csrf", "The token of this session is missing or is another one's: read the session again.")
    static let tooLarge = ConsoleError(413, "tooLarge", "The body is larger than this takes.")
    package static let stopping = ConsoleError(503, "stopping", "The server is stopping.")

    package var response: HTTPResponse {
        var error = JSONObject([("code", .string(code)), ("message", .string(message))])
        if let place { error.set("place", to: .string(place)) }
        if let offset { error.set("offset", to: .integer(Int64(offset))) }
        if let retrySeconds { error.set("retrySeconds", to: .integer(retrySeconds)) }
        var fields = PageFields.ofAPI
        fields.append("content-type", "application/json")
        if let retrySeconds { fields.append("retry-after", "\(retrySeconds)") }
        var response = HTTPResponse(
            status: HTTPStatus(code: status), fields: fields,
            body: .bytes(JSONWriter.bytes(of: .object(JSONObject([("error", .object(error))])))))
        response.reason = message
        return response
    }
}
