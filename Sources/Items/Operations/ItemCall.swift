import Glibc
import JSON

/// One call: what is wanted, and what it says.
package struct ItemCall: Sendable {
    /// `GetItem` and the like.
    package let operation: String
    /// Whether it is one of those of streams, which are a service of their own.
    package let isOfStreams: Bool
    package let body: [UInt8]
    /// Why what the call asks for is refused to whoever makes it; nil: they may do everything.
    package var refusal: (@Sendable ([ItemDemand]) -> ItemError?)?

    private static let tables: StaticString = "DynamoDB_20120810."
    private static let streams: StaticString = "DynamoDBStreams_20120810."

    /// What targets of these services have before their point.
    package static let services = [tables, streams].map { String("\($0)".dropLast()) }

    package init(target: String, body: [UInt8]) {
        var target = target
        // Hot path: nearly all calls are for the tables.
        let (ofTables, ofStreams) = target.withUTF8 { target in
            func operation(of service: StaticString) -> String? {
                let count = service.utf8CodeUnitCount
                guard target.count >= count, let start = target.baseAddress,
                    memcmp(start, service.utf8Start, count) == 0
                else { return nil }
                return String(decoding: UnsafeBufferPointer(rebasing: target[count...]), as: UTF8.self)
            }
            let ofTables = operation(of: Self.tables)
            return (ofTables, ofTables == nil ? operation(of: Self.streams) : nil)
        }
        isOfStreams = ofStreams != nil
        self.operation = ofTables ?? ofStreams ?? ""
        self.body = body
    }
}

/// What a call comes to.
package struct ItemAnswer: Sendable {
    /// What it says: written already, or as values, for who wants those.
    private enum Content: Sendable {
        case bytes([UInt8])
        case object(JSONObject)
    }

    package let status: Int
    private let content: Content
    /// What the log is told, where it went wrong.
    package var reason: String?

    init(_ content: JSONObject) {
        status = 200
        self.content = .object(content)
    }

    init(status: Int = 200, body: [UInt8]) {
        self.status = status
        content = .bytes(body)
    }

    /// Its text, written where it is not yet.
    package var body: [UInt8] {
        switch content {
        case .bytes(let bytes): bytes
        case .object(let object): JSONWriter.bytes(of: .object(object))
        }
    }

    /// Whether it takes a loop long to look at all of it. What is not written yet may be anything.
    package var isLong: Bool {
        if case .bytes(let bytes) = content { bytes.count > TableLimits.pageBytesMax } else { false }
    }

    /// The same with its text written here.
    package var written: ItemAnswer {
        guard case .object = content else { return self }
        var answer = ItemAnswer(status: status, body: body)
        answer.reason = reason
        return answer
    }

    /// Its values, read where they are written; nil: it has none.
    package var object: JSONObject? {
        switch content {
        case .bytes(let bytes): (try? JSONReader.value(of: bytes, limits: Self.limits))?.object
        case .object(let object): object
        }
    }

    private static let limits = JSONLimits(bytesMax: .max, nestingMax: 2 * ItemLimits.readNestingMax)

    package init(_ error: ItemError, status: Int = 400) {
        self.status = status
        var content = JSONObject([("__type", .string("\(error.space)#\(error.type)"))])
        if !error.reasons.isEmpty {
            content.set("CancellationReasons", to: .array(error.reasons.map(\.json)))
        }
        // SDKs look for either; each service has its own.
        content.set(error.type == "SerializationException" ? "Message" : "message", to: .string(error.message))
        if let item = error.item { content.set("Item", to: item.json) }
        self.content = .object(content)
        reason = "\(error)"
    }

    /// What went wrong here is no caller's business.
    static func internalError(_ reason: String) -> ItemAnswer {
        var answer = ItemAnswer(
            ItemError(
                type: "InternalServerError",
                message: "The request processing has failed because of an unknown error, exception or failure."),
            status: 500)
        answer.reason = reason
        return answer
    }
}

extension ItemError {
    /// What stands before the name of an error.
    fileprivate var space: String {
        switch type {
        case "ValidationException": "com.amazon.coral.validate"
        case "SerializationException", "UnknownOperationException", "MissingAuthenticationTokenException",
            "UnrecognizedClientException", "InvalidSignatureException", "AccessDeniedException",
            "IncompleteSignatureException", "ThrottlingException", "ExpiredTokenException":
            "com.amazon.coral.service"
        default: "com.amazonaws.dynamodb.v20120810"
        }
    }

    static let unknownOperation = ItemError(
        type: "UnknownOperationException", message: "An unknown operation was requested.")

    /// A body that is null.
    static let nothingToCreate = ItemError(type: "InvalidParameterValue", message: "createTableRequest was null")

    static let noTable = ItemError(
        type: "ResourceNotFoundException", message: "Requested resource not found")

    static func noTable(_ name: String) -> ItemError {
        ItemError(
            type: "ResourceNotFoundException", message: "Requested resource not found: Table: \(name) not found")
    }

    /// The name of an index that it cannot have.
    static func wrongName(_ name: String, at member: String) -> ItemError {
        .parameter(
            "Value '\(name)' at '\(member)' failed to satisfy constraint: Member must satisfy regular expression pattern: "
                + "[a-zA-Z0-9_.-]+, and have a length from \(TableLimits.nameBytes.lowerBound) to "
                + "\(TableLimits.nameBytes.upperBound)")
    }

    static let wrongName = ItemError.validation(
        "Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and may contain only the "
            + "characters a-z, A-Z, 0-9, '_', '-', and '.'")
}

extension CancellationReason {
    fileprivate var json: JSONValue {
        var content = JSONObject([("Code", .string(code))])
        if let message { content.set("Message", to: .string(message)) }
        if let item { content.set("Item", to: item.json) }
        return .object(content)
    }
}
