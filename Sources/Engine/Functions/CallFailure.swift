import Access
import JSON

/// Why a call has no result: what the client is told, and what only the operator should know.
struct CallFailure: Error, Sendable, Equatable {
    var message: String
    var type: String?
    /// For the log: addresses and reasons that are nobody else's business.
    var detail: String?
    /// What the function itself calls what went wrong in it.
    var name: String?

    init(_ message: String, type: String?, detail: String? = nil) {
        self.message = message
        self.type = type
        self.detail = detail
    }

    /// Every AppSync service that takes too long is reported like this.
    static let timedOut = CallFailure("Execution timed out.", type: "ExecutionTimeout")

    /// A text of somebody else's for a message: its start where it is too long.
    static func shortened(_ text: String) -> String { text.shortened(to: FunctionLimits.messageBytesMax) }
}

extension CallFailure {
    /// Why a service could not be called over HTTP.
    ///
    /// - Parameter url: what the log calls the URL.
    init(_ error: OutsideError, at endpoint: String, naming url: String) {
        switch error {
        case .timedOut(let milliseconds):
            self = .timedOut
            detail = "no answer from \(endpoint) within \(milliseconds) ms"
        case .invalidURL(let reason):
            self.init(
                "The URL of the HTTP call is not valid", type: "Http:BadRequestException",
                detail: "\(url) is not valid: \(reason)")
        case .unreachable(let reason):
            self.init(
                "The HTTP service cannot be reached", type: "Http:ServiceUnavailableException",
                detail: "\(endpoint) cannot be reached: \(reason)")
        case .tooLarge(let bytesMax):
            self.init("The answer has more than \(bytesMax) bytes", type: "Http:BadGatewayException")
        }
    }
}
