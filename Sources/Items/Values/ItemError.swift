import JSON

/// Why DynamoDB refuses a request: the name of the error, as SDKs know it, and its text.
package struct ItemError: Error, Sendable {
    /// The name, such as `ValidationException`.
    package let type: String
    package let message: String
    /// The item that did not fulfil a condition, where the request asked for it.
    package var item: Item?
    /// What became of each part of a transaction that was cancelled.
    package var reasons: [CancellationReason] = []

    package init(type: String, message: String, item: Item? = nil, reasons: [CancellationReason] = []) {
        self.type = type
        self.message = message
        self.item = item
        self.reasons = reasons
    }

    /// The server of the database does not answer.
    static let away = ItemError(type: "ServiceUnavailable", message: "The service is temporarily unavailable.")
}

/// What became of one part of a transaction that was cancelled: its code is `None` where it was not the one that failed.
package struct CancellationReason: Sendable {
    package let code: String
    package let message: String?
    package var item: Item?

    package init(code: String, message: String? = nil, item: Item? = nil) {
        self.code = code
        self.message = message
        self.item = item
    }

    package static var none: CancellationReason { CancellationReason(code: "None") }
}

extension ItemError {
    /// A request that breaks a rule.
    package static func validation(_ message: String) -> ItemError {
        ItemError(type: "ValidationException", message: message)
    }

    /// The same for values, whose refusals all begin alike.
    package static func invalidValues(_ message: String) -> ItemError {
        validation("One or more parameter values were invalid: " + message)
    }

    /// How the service begins the refusal of a parameter of a write, and of one that breaks the form of its kind.
    static let parameterFault = "1 validation error detected: "

    /// A parameter that breaks the form of its kind.
    static func parameter(_ message: String) -> ItemError { validation(parameterFault + message) }

    /// A parameter that is missing.
    static func absent(_ member: String) -> ItemError {
        parameter("Value null at '\(member)' failed to satisfy constraint: Member must not be null")
    }

    /// The same as the service says it of the parameters of a write of one item.
    var ofParameters: ItemError {
        guard type == "ValidationException", !message.utf8.starts(with: Self.parameterFault.utf8) else { return self }
        return ItemError(type: type, message: Self.parameterFault + message, item: item, reasons: reasons)
    }

    /// JSON that has another form than the request: a list for a text, say.
    package static func serialization(_ message: String) -> ItemError {
        ItemError(type: "SerializationException", message: message)
    }

    /// An insertion where there is an item.
    static let duplicate = ItemError(
        type: "DuplicateItemException", message: "Duplicate primary key exists in table")

    /// A condition that did not hold.
    package static func conditionFailed(_ item: Item? = nil) -> ItemError {
        ItemError(
            type: "ConditionalCheckFailedException", message: "The conditional request failed", item: item)
    }
}

extension ItemError: CustomStringConvertible {
    package var description: String { "\(type): \(message)" }
}
