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
    static func shortened(_ text: String) -> String {
        guard text.utf8.count > FunctionLimits.messageBytesMax else { return text }
        return String(decoding: text.utf8.prefix(FunctionLimits.messageBytesMax), as: UTF8.self) + "…"
    }
}
