import Cloud
import JSON
import Store

/// Why a call of the queues is refused, in the words of SQS. Its two protocols have two names for most of it.
package typealias QueueError = CloudError

extension CloudError {
    /// Of the database: its words are for the log.
    init(_ error: any Error) {
        self =
            switch StoreFault(of: error) {
            case .unavailable: .away
            case .busy: .busy
            case .value(let fault):
                QueueError(
                    "InvalidMessageContents", code: "InvalidParameterValue",
                    "Invalid characters or values found. \(fault).")
            case .failed: .failed(because: "the queue's data: \(error)")
            }
    }

    /// The words of an error for the log.
    static func words(of error: any Error) -> String {
        (error as? QueueError).map { $0.reason ?? $0.message } ?? "\(error)"
    }

    private static let space = "AWS.SimpleQueueService."

    static let noQueue = QueueError(
        "QueueDoesNotExist", code: "\(space)NonExistentQueue", "The specified queue does not exist.",
        inForms: "The specified queue does not exist for this wsdl version.")

    static func nameTaken(_ attribute: String) -> QueueError {
        QueueError(
            "QueueNameExists", code: "QueueAlreadyExists",
            "A queue already exists with the same name and a different value for attribute \(attribute)")
    }

    static func invalid(_ message: String) -> QueueError {
        QueueError("InvalidParameterValueException", code: "InvalidParameterValue", message)
    }

    static func invalid(_ value: some CustomStringConvertible, of name: String, _ reason: String) -> QueueError {
        invalid("Value \(value) for parameter \(name) is invalid. Reason: \(reason)")
    }

    static func missing(_ name: String) -> QueueError {
        QueueError(
            "MissingRequiredParameterException", code: "MissingParameter",
            "The request must contain the parameter \(name).")
    }

    static func unknownAttribute(_ name: String) -> QueueError {
        QueueError("InvalidAttributeName", "Unknown Attribute \(name).")
    }

    static func attributeValue(_ name: String) -> QueueError {
        QueueError("InvalidAttributeValue", "Invalid value for the parameter \(name).")
    }

    static func noReceipt(_ handle: String) -> QueueError {
        QueueError(
            "ReceiptHandleIsInvalid", "The input receipt handle \"\(handle)\" is not a valid receipt handle.")
    }

    static func noChange(_ handle: String) -> QueueError {
        invalid(
            handle, of: "ReceiptHandle",
            "Message does not exist or is not available for visibility timeout change.")
    }

    static let badContents = QueueError(
        "InvalidMessageContents", "Invalid characters found. \(MessageAttributes.characters)")

    /// What a whole batch is refused with where an entry of an ordered queue lacks its group.
    static let noGroupInBatch = invalid("The request must contain the parameter MessageGroupId.")

    static let noDeduplication = invalid(
        "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly")

    static func noResource(_ parameter: String) -> QueueError {
        QueueError(
            "ResourceNotFoundException",
            "The resource that you specified for the \(parameter) parameter doesn't exist.", status: 404)
    }

    static func tooManyEntries(_ count: Int) -> QueueError {
        QueueError(
            "TooManyEntriesInBatchRequest", code: "\(space)TooManyEntriesInBatchRequest",
            "Maximum number of entries per request are \(QueueLimits.batchMax). You have sent \(count).")
    }

    static func emptyBatch(_ kind: String) -> QueueError {
        QueueError(
            "EmptyBatchRequest", code: "\(space)EmptyBatchRequest",
            "There should be at least one \(kind) in the request.")
    }

    static func repeatedEntry(_ id: String) -> QueueError {
        QueueError(
            "BatchEntryIdsNotDistinct", code: "\(space)BatchEntryIdsNotDistinct", "Id \(id) repeated.")
    }

    static let entryName = QueueError(
        "InvalidBatchEntryId", code: "\(space)InvalidBatchEntryId",
        "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most "
            + "\(QueueLimits.entryNameBytesMax) letters long.")

    static func batchTooLong(_ count: Int) -> QueueError {
        QueueError(
            "BatchRequestTooLong", code: "\(space)BatchRequestTooLong",
            "Batch requests cannot be longer than \(QueueLimits.messageBytesMax) bytes. You have sent \(count) bytes.")
    }

    /// SQS has no end; this server has.
    static let full = QueueError(
        "OverLimit",
        "The queues of this server are full: \(QueueLimits.messagesMax) messages, or \(QueueLimits.bytesMax >> 30) GiB, wait. Receive "
            + "and delete some, or purge a queue.", status: 403)

    static let inFlight = QueueError(
        "OverLimit",
        "Too many messages in flight: a queue has at most \(QueueLimits.inFlightMax) that are received and not deleted.",
        status: 403)

    static let throttled = QueueError(
        "RequestThrottled", "Too many requests wait for messages at the same time.", status: 403)
}
