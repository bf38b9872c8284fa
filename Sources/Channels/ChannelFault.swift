import JSON

/// Why something is refused, in AppSync's words.
package struct ChannelFault: Error, Sendable, Equatable {
    /// The status of the answer over HTTP.
    package let status: Int
    package let type: String
    /// The type on a WebSocket, where AppSync has another one there.
    package let socketType: String
    /// Nil where AppSync says no more than the type.
    package let message: String?
    /// The reason, for the log alone: clients do not see it.
    package let reason: String?

    package init(_ status: Int, _ type: String, socket: String? = nil, _ message: String?, reason: String? = nil) {
        self.status = status
        self.type = type
        socketType = socket ?? type
        self.message = message
        self.reason = reason
    }

    package static func == (left: ChannelFault, right: ChannelFault) -> Bool {
        left.status == right.status && left.type == right.type && left.socketType == right.socketType
            && left.message == right.message
    }

    /// The entry of `errors` over HTTP.
    package var entry: JSONValue { entry(type) }

    func entry(_ type: String) -> JSONValue {
        var entry = JSONObject([("errorType", .string(type))])
        if let message { entry.set("message", to: .string(message)) }
        return .object(entry)
    }

    // MARK: Callers

    private static let unauthorizedType = "UnauthorizedException"

    /// The caller is not of a mode that may do this.
    package static func unauthorized(because reason: String) -> ChannelFault {
        ChannelFault(401, unauthorizedType, "You are not authorized to make this call.", reason: reason)
    }

    /// There is no such namespace, or a handshake is refused. AppSync has no text for these.
    package static func unauthorizedSilently(because reason: String) -> ChannelFault {
        ChannelFault(401, unauthorizedType, nil, reason: reason)
    }

    /// The API of channels was taken away while the client was connected.
    package static let noAPI = unauthorizedSilently(because: "there is no API of channels any more")

    // MARK: Input

    private static let badRequest = "BadRequestException"
    private static let invalidInput = "InvalidInputError"

    package static let badChannel = ChannelFault(400, badRequest, "Invalid Channel Format")
    package static let wildcardPublish = ChannelFault(
        400, badRequest, "Invalid Channel Format: a wildcard is not a channel to publish to")
    package static let notJSON = ChannelFault(400, "InvalidEventException", "Event should be a valid JSON string")
    package static let unreadable = input("Request body is not valid: expected {\"channel\": ..., \"events\": [...]}")
    package static let noEvents = input(
        "input has no events: expected a list of 1 to \(ChannelLimits.eventsMax) strings")
    package static let tooManyEvents = input("input exceeded \(ChannelLimits.eventsMax) event limit")
    package static let largeEvent = input("input exceeded \(ChannelLimits.eventBytesMax / 1024) KB event size limit")

    private static func input(_ message: String) -> ChannelFault {
        ChannelFault(400, badRequest, socket: invalidInput, message)
    }

    package static let badID = ChannelFault(
        400, invalidInput,
        "Invalid operation id: expected 1 to \(ChannelLimits.idCharactersMax) letters, digits, - _ and +")
    package static let badMessage = ChannelFault(400, invalidInput, "The message is not a JSON object with a type")

    package static func unsupported(_ type: String) -> ChannelFault {
        ChannelFault(400, "UnsupportedOperation", "\(type) is not supported")
    }

    package static func unknownOperation(_ id: String) -> ChannelFault {
        ChannelFault(400, "UnknownOperationError", "Unknown operation id \(id)")
    }

    package static func duplicate(_ id: String) -> ChannelFault {
        ChannelFault(400, "DuplicatedOperationError", "Duplicated operation with id \(id)")
    }

    package static func tooManySubscriptions(_ max: Int) -> ChannelFault {
        ChannelFault(429, "MaxSubscriptionsReachedError", "Max number of \(max) subscriptions reached")
    }

    package static let overloaded = ChannelFault(429, "LimitExceededError", "Rate limit exceeded")

    /// Several servers pass on events by their database, and that one does not take them.
    package static func unavailable(because reason: String) -> ChannelFault {
        ChannelFault(503, "ServiceUnavailableException", "The service is not available: try again", reason: reason)
    }

    /// A subscription ran, and has perhaps not got all that it should have.
    package static let eventsAreMissing = ChannelFault(
        503, "EventsMissing", "Events may be missing: subscribe again, and read what has changed")

    // MARK: Handlers

    /// `util.unauthorized()` of a handler.
    package static func refused(_ operation: ChannelOperation) -> ChannelFault {
        operation == .subscribe
            ? ChannelFault(401, unauthorizedType, socket: "Unauthorized", "You are not authorized to make this call.")
            : unauthorized(because: "the handler called util.unauthorized()")
    }

    /// `util.error(text, type)` of a handler, or `{"error": text}` of a function.
    package static func custom(_ message: String, type: String? = nil) -> ChannelFault {
        ChannelFault(403, type ?? "CustomErrorException", message)
    }

    /// A handler failed otherwise, or answered with something that is no answer.
    package static func failed(_ operation: ChannelOperation, because reason: String) -> ChannelFault {
        operation == .subscribe
            ? ChannelFault(
                500, "SubscriptionProcessingError", "There was an error processing the operation", reason: reason)
            : ChannelFault(500, "MessageProcessingError", "There was an error processing the message", reason: reason)
    }

    /// A function failed, or answered with something that is no answer.
    package static func dependency(because reason: String) -> ChannelFault {
        ChannelFault(502, "DependencyFailedException", "Unable to process request", reason: reason)
    }
}
