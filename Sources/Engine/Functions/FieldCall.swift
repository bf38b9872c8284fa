import Blueprint
import GraphQL
import JSON

/// Who asks for a field that is computed elsewhere: the part of a call that is the same for a whole request.
struct FieldCaller: Sendable {
    /// As functions get it: null for callers of an API key.
    var identity: JSONValue
    /// The request's header fields, their names in lower case.
    var headers: JSONObject
    /// The API's own domain, where it has one.
    var domainName: String?

    init(identity: JSONValue = .null, headers: JSONObject = JSONObject(), domainName: String? = nil) {
        self.identity = identity
        self.headers = headers
        self.domainName = domainName
    }

    /// The same from a list of fields: several of one name are joined as HTTP says.
    init(identity: JSONValue, fields: some Sequence<(name: String, value: String)>, domainName: String? = nil) {
        var headers = JSONObject()
        for (name, value) in fields {
            let name = name.lowercased()
            headers.set(name, to: .string((headers[name]?.string).map { "\($0), \(value)" } ?? value))
        }
        self.init(identity: identity, headers: headers, domainName: domainName)
    }

    /// `request` of a function's payload.
    var request: JSONValue {
        .object(
            JSONObject([("headers", .object(headers)), ("domainName", domainName.map(JSONValue.string) ?? .null)]))
    }
}

/// One field that is to be computed: its arguments, the object that it is a field of, and where it stands.
struct FieldCall: Sendable {
    var arguments: JSONObject
    /// The object that the field belongs to, nil for a field of a root type.
    var source: JSONObject?
    var caller: FieldCaller
    var path: ResponsePath
    var locations: [SourceLocation]?
    /// What the calls of its operation may take together.
    let clock: CallClock

    init(
        arguments: JSONObject = JSONObject(), source: JSONObject? = nil, caller: FieldCaller, path: ResponsePath,
        locations: [SourceLocation]? = nil, clock: CallClock = CallClock(end: .max)
    ) {
        self.arguments = arguments
        self.source = source
        self.caller = caller
        self.path = path
        self.locations = locations
        self.clock = clock
    }

    /// How long a call may take that begins now.
    func milliseconds(_ limits: EngineLimits) throws(CallFailure) -> Int {
        guard let milliseconds = clock.milliseconds(limits) else { throw .timedOut }
        return milliseconds
    }

    /// An error at the field, as a resolver makes it.
    func error(_ failure: CallFailure) -> GraphQLError {
        GraphQLError(failure.message, type: failure.type, at: path, locations: locations)
    }
}
