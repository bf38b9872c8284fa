/// Why a call of the outbox is refused, in the words of the services.
package struct OutboxError: Error, Sendable {
    package let code: String
    package let message: String
    package let status: Int

    init(_ code: String, _ message: String, status: Int = 400) {
        self.code = code
        self.message = message
        self.status = status
    }

    /// Of the database: its words are for the log.
    init(_ error: any Error) {
        self.init("InternalFailure", "The message could not be kept: \(error)", status: 500)
    }

    static func invalid(_ message: String) -> OutboxError { OutboxError("InvalidParameterValue", message) }

    static func missing(_ name: String) -> OutboxError {
        OutboxError(
            "ValidationError",
            "1 validation error detected: Value null at '\(name)' failed to satisfy constraint: Member must not be null"
        )
    }

    static let tooManyWaiting = OutboxError("Throttling", "Maximum sending rate exceeded.")

    static func unknown(_ action: String, of service: String) -> OutboxError {
        OutboxError(
            "InvalidAction",
            action.isEmpty
                ? "The request names no action."
                : "The action \(action) is not one of those of \(service) that are served here.")
    }
}
