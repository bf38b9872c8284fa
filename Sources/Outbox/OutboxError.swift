import Cloud
import Store

/// Why a call of the outbox is refused, in the words of the services.
package typealias OutboxError = CloudError

extension CloudError {
    /// Of the database: its words are for the log.
    init(_ error: any Error) {
        self =
            switch StoreFault(of: error) {
            case .unavailable: .away
            case .busy: .busy
            case .value(let fault): .invalid("Invalid value. \(fault).")
            case .failed: .failed(because: "the message could not be kept: \(error)")
            }
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
