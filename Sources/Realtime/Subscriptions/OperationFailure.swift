import Engine
import GraphQL
import JSON

/// Why an operation did not begin, or ended: what each protocol says in a form of its own.
package struct OperationFailure: Error, Sendable, Equatable {
    /// One error, as far as a WebSocket tells it: validation and coercion have a message only.
    package struct Entry: Sendable, Equatable {
        let errorType: String?
        let message: String
    }

    let entries: [Entry]
    /// AppSync writes the errors of its own limits as one object, not as a list.
    let isLimit: Bool
    /// The status that HTTP would have given it.
    let status: Int

    private init(_ entries: [Entry], isLimit: Bool = false, status: Int = 200) {
        self.entries = entries
        self.isLimit = isLimit
        self.status = status
    }

    init(_ errorType: String?, _ message: String, status: Int = 200) {
        self.init([Entry(errorType: errorType, message: message)], status: status)
    }

    init(_ errors: [GraphQLError]) {
        self.init(errors.map { Entry(errorType: $0.resolver?.errorType, message: $0.message) })
    }

    init(_ refusal: RealtimeRefusal) {
        self.init(refusal.errorType, refusal.message, status: refusal.errorCode)
    }

    private static func limit(_ errorType: String, _ message: String) -> OperationFailure {
        OperationFailure([Entry(errorType: errorType, message: message)], isLimit: true, status: 429)
    }

    /// A document that this channel does not carry. `kind` is what it is instead, or nothing when nobody can tell.
    static func unsupported(_ kind: String) -> OperationFailure {
        OperationFailure("UnsupportedOperation", "\(kind) not supported through the realtime channel", status: 400)
    }

    static func duplicate(_ id: String) -> OperationFailure {
        OperationFailure("DuplicatedOperationError", "Duplicated operation with id \(id)")
    }

    static func tooMany(_ max: Int) -> OperationFailure {
        limit("MaxSubscriptionsReachedError", "Max number of \(max) subscriptions reached")
    }

    /// It ran, and is none of the API that is served now.
    static let schemaHasChanged = OperationFailure(
        "SchemaChanged", "The schema has changed: this subscription is not one of it any more, or not yours",
        status: 400)

    /// It ran, and has perhaps not got all that it should have: whoever subscribes anew reads what has changed.
    static let eventsAreMissing = OperationFailure(
        "EventsMissing", "Events may be missing: subscribe again, and read what has changed", status: 503)

    /// The loop has no room for more.
    static let overloaded = limit("LimitExceededError", "Rate limit exceeded")

    func note(in note: OperationNote) {
        for entry in entries { note.refuse(entry.errorType ?? ErrorName.validation) }
    }

    /// As AppSync's `payload` has it: `{"errors":[…]}`.
    var payload: JSONValue {
        let errors = entries.map(Self.value)
        return ["errors": isLimit ? errors.first ?? .null : .array(errors)]
    }

    /// As `graphql-transport-ws` has it: a list of GraphQL errors.
    package var list: JSONValue { .array(entries.map(Self.errorValue)) }

    /// As the older protocol has it: one object.
    var first: JSONValue { entries.first.map(Self.errorValue) ?? .object(JSONObject()) }

    private static func value(_ entry: Entry) -> JSONValue {
        var object = JSONObject()
        if let type = entry.errorType { object.set("errorType", to: .string(type)) }
        object.set("message", to: .string(entry.message))
        return .object(object)
    }

    private static func errorValue(_ entry: Entry) -> JSONValue {
        var object = JSONObject([("message", .string(entry.message))])
        if let type = entry.errorType { object.set("errorType", to: .string(type)) }
        return .object(object)
    }
}
