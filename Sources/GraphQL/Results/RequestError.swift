/// Why a request cannot be tried at all. HTTP answers it with status 400 and only these two members.
package struct RequestError: Error, Sendable, Hashable {
    package let message: String
    package let errorType: String

    package init(message: String, errorType: String) {
        self.message = message
        self.errorType = errorType
    }

    /// Every text that is no document gets the same answer.
    package static let unparsable = RequestError(
        message: "Unable to parse GraphQL query.", errorType: "MalformedHttpRequestException")
    package static let missingOperationName = RequestError(
        message: "Missing operation name.", errorType: "BadRequestException")

    package static func unknownOperation(_ name: String) -> RequestError {
        RequestError(message: "Unknown operation named '\(name)'.", errorType: "BadRequestException")
    }
}
