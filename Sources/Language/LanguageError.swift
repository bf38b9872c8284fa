import JSON

/// Why a call of a language model is refused or has failed, in the words of the service.
package struct LanguageError: Error, Sendable, Equatable {
    package let type: String
    package let message: String
    package let status: Int

    package init(_ type: String, _ message: String, status: Int) {
        self.type = type
        self.message = message
        self.status = status
    }

    package static func invalid(_ message: String) -> LanguageError {
        LanguageError("ValidationException", message, status: 400)
    }

    static func failed(_ message: String) -> LanguageError {
        LanguageError("ModelErrorException", message, status: 424)
    }

    static func unavailable(_ message: String) -> LanguageError {
        LanguageError("ServiceUnavailableException", message, status: 503)
    }

    static func timedOut(_ milliseconds: Int) -> LanguageError {
        LanguageError("ModelTimeoutException", "The model did not answer within \(milliseconds) ms.", status: 408)
    }

    static let tooManyCalls = LanguageError(
        "ThrottlingException", "Too many requests, please wait before trying again.", status: 429)

    /// The status that the service has for an error of that name.
    static func status(of type: String) -> Int {
        switch type {
        case "AccessDeniedException": 403
        case "ResourceNotFoundException": 404
        case "ModelTimeoutException": 408
        case "ModelErrorException": 424
        case "ThrottlingException", "ModelNotReadyException": 429
        case "InternalServerException": 500
        case "ServiceUnavailableException": 503
        default: 400
        }
    }

    /// Somebody else's words: their start where they are long.
    static func shortened(_ text: String) -> String { text.shortened(to: LanguageLimits.shownBytesMax) }

    /// The same as an answer has it.
    package var body: JSONValue { ["message": .string(message)] }
}
