import Access
import Engine
import GraphQL
import JSON

/// Who lets clients in: what this room asks of those who know the API's modes and rules. Each loop has its own, and all
/// calls come on that loop.
package protocol RealtimeGate: Sendable {
    /// Who is calling, by what a handshake, a `start` or a `connection_init` carried.
    func identify(_ credentials: RealtimeCredentials) async -> Identification

    /// Whether a caller may have a subscription, and which of its events.
    func admit(_ caller: Identity, to subscription: SubscriptionRequest) async -> Admission

    /// The same, with the reasons told to the story of whoever looks on.
    func admit(
        _ caller: Identity, to subscription: SubscriptionRequest, noting note: OperationNote
    ) async -> Admission

    /// What the rules say against a subscription, without asking handlers of the app's own; nil: nothing.
    func refusal(
        of caller: Identity, for subscription: SubscriptionRequest, telling trace: DecisionTrace
    ) -> RealtimeRefusal?

    /// Whether an argument of a subscription is a filter with operators, rather than a value that a field must have. Asked
    /// on any thread.
    func isFilter(_ argument: String, of subscription: String) -> Bool

    /// The answer to a query or mutation, for the protocols that carry them. What is noted of it is for the log.
    func respond(
        to operation: OperationRequest, for caller: Identity, noting note: OperationNote
    ) async -> OperationAnswer

    /// The number under which a subscription is logged and counted.
    func number(ofSubscription field: String) -> Int
}

extension RealtimeGate {
    /// Amplify calls it so, and what knows of no blueprint knows no other.
    package func isFilter(_ argument: String, of subscription: String) -> Bool { argument == "filter" }

    package func number(ofSubscription field: String) -> Int { RootFields.noOperation }

    package func admit(
        _ caller: Identity, to subscription: SubscriptionRequest, noting note: OperationNote
    ) async -> Admission {
        await admit(caller, to: subscription)
    }

    package func refusal(
        of caller: Identity, for subscription: SubscriptionRequest, telling trace: DecisionTrace
    ) -> RealtimeRefusal? { nil }
}

/// What a client showed of itself: fields as HTTP has them, names in lower case.
package struct RealtimeCredentials: Sendable, Equatable {
    /// What they are for. A signature covers it.
    package enum Purpose: Sendable, Equatable {
        /// Opening a connection: signed as `POST <endpoint>/connect` with the body `{}`.
        case connection
        /// One operation: signed as `POST <endpoint>` with this text, the exact string of `payload.data`, as body.
        case operation(String)
    }

    package var fields: [(name: String, value: String)]
    package var purpose: Purpose
    /// The host and port that the client has reached; a signature may be over it.
    package var authority: String?
    /// Whether the connection was opened from this machine, under one of its own names, and not through a proxy.
    package var areFromThisMachine: Bool
    /// The address of the client, where it is known.
    package var peer: String?

    package init(
        fields: [(name: String, value: String)], purpose: Purpose = .connection, authority: String? = nil,
        areFromThisMachine: Bool = false
    ) {
        self.fields = fields.map { ($0.name.inLowerCaseASCII, $0.value) }
        self.purpose = purpose
        self.authority = authority
        self.areFromThisMachine = areFromThisMachine
    }

    /// The value of the first field of that name, which is written in lower case.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Whether one of the fields tells who is calling.
    var tellsSomething: Bool { fields.contains { $0.name == "x-api-key" || $0.name == "authorization" } }

    package static func == (left: RealtimeCredentials, right: RealtimeCredentials) -> Bool {
        left.purpose == right.purpose
            && left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
    }
}

extension Identity {
    /// When what proved it runs out, in milliseconds since 1970. What rests on it ends a little before.
    var expiresAtMilliseconds: Int64? {
        expires.map { seconds in
            let (milliseconds, isFarAway) = seconds.multipliedReportingOverflow(by: 1_000)
            return isFarAway ? .max : milliseconds
        }
    }
}

/// The answer to who is calling.
package enum Identification: Sendable {
    case accepted(Identity)
    case refused(RealtimeRefusal)
}

/// Why somebody is not let in, as the client reads it.
package struct RealtimeRefusal: Sendable, Hashable {
    package let errorType: String
    package let message: String
    /// The number that a refused handshake has beside.
    package let errorCode: Int
    /// What was wrong with the credential, for whoever runs the server: clients are not told.
    package let reason: String?

    package init(errorType: String, message: String, errorCode: Int = 401, reason: String? = nil) {
        self.reason = reason
        self.errorType = errorType
        self.message = message
        self.errorCode = errorCode
    }

    package static let unauthorized = RealtimeRefusal(
        errorType: "UnauthorizedException", message: "You are not authorized to make this call.")

    /// The subscription is one that this server cannot serve to anybody.
    static func notImplemented(_ message: String) -> RealtimeRefusal {
        RealtimeRefusal(errorType: "NotImplemented", message: message, errorCode: 501)
    }

    /// The caller may not have that subscription.
    package static func field(_ name: String, of type: String = "Subscription") -> RealtimeRefusal {
        RealtimeRefusal(errorType: Refusals.errorType, message: Refusals.message(field: name, type: type))
    }
}

/// A subscription that somebody asks for.
package struct SubscriptionRequest: Sendable {
    /// The field of the subscription type, such as `onCreateTodo`.
    package let field: String
    /// The subscription type's name.
    package let typeName: String
    /// Its arguments, `filter` included: a null that is written is there, what is not written is not.
    package let arguments: JSONObject
    /// Whether the client has a filter that asks for something.
    package let hasClientFilter: Bool
    /// Every field of an object type that it selects, itself included.
    package let selected: Set<FieldCoordinate>
    /// The fields of an event that its arguments and its filter compare.
    package let compared: Set<FieldCoordinate>
    /// What is selected of its events, and what of the document says so: for handlers of the app's own.
    let selection: EventSelection
    let selections: [SelectionSet]
    let variables: VariableValues
    /// The fields of the head or the message that it came with.
    var headers: [(name: String, value: String)] = []
}

/// A field of an object type.
package struct FieldCoordinate: Sendable, Hashable {
    package let type: String
    package let name: String

    package init(type: String, name: String) {
        self.type = type
        self.name = name
    }
}

/// What of a field's value an event shows a subscriber, where that is not all of it. The rest is null, without an error.
package enum FieldGuard: Sendable, Hashable {
    /// Nothing.
    case nothing
    /// The value, if the object that has the field is like this.
    case ofObjects(EventFilter)
    /// The record that a relation leads to, or those of its items that are like this.
    case ofRecords(EventFilter, isMany: Bool)
}

/// The answer to whether a caller may have a subscription.
package enum Admission: Sendable {
    case granted(SubscriptionGrant)
    case denied(RealtimeRefusal)
}

/// What a caller may have of a subscription.
package struct SubscriptionGrant: Sendable, Hashable {
    /// What an event has to be like beside what the client asks for. With it, arguments filter no longer: a fact of
    /// AppSync's enhanced filters.
    package var filter: EventFilter?
    /// What it has to be like because of the fields that the client compares. It leaves arguments as they are.
    package var comparison: EventFilter?
    /// What the payload of an invalidation has to be like to end it; nil: none ends it.
    package var invalidation: EventFilter?
    /// Callers of one class get the same for the same question. It need not tell filters apart.
    package var accessClass: String
    /// Fields that the caller may not ask for: null, with AppSync's error.
    package var hidden: Set<FieldCoordinate>
    /// Fields that show the caller less than the one who made the change, by what a query would show them.
    package var guards: [FieldCoordinate: [FieldGuard]] = [:]

    package init(filter: EventFilter? = nil, accessClass: String = "", hidden: Set<FieldCoordinate> = []) {
        self.filter = filter
        self.accessClass = accessClass
        self.hidden = hidden
    }
}

/// The answer to a query or mutation.
package enum OperationAnswer: Sendable {
    /// The bytes of `{"data":…}`, perhaps with errors in it.
    case response([UInt8])
    /// It could not be tried at all.
    case refused(RealtimeRefusal)
}
