import Cloud
import Store

/// Why a call of the outbox is refused, in the words of the services.
package typealias OutboxError = CloudError

extension CloudError {
    /// Of the database: its words are for the log.
    init(_ error: any Error) {
        guard (error as? StoreError)?.kind != .away else {
            self = .away
            return
        }
        self.init("InternalFailure", "The message could not be kept: \(error)", status: 500)
    }

    static func invalid(_ message: String) -> OutboxError { OutboxError("InvalidParameterValue", message) }

    /// A member that is demanded where others are as they are.
    static func missing(_ name: String) -> OutboxError {
        OutboxError(
            "ValidationError",
            "1 validation error detected: Value null at '\(name)' failed to satisfy constraint: Member must not be null"
        )
    }

    static let tooManyWaiting = OutboxError("Throttling", "Maximum sending rate exceeded.")
}
