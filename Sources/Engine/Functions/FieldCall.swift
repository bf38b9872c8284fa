import Blueprint
import GraphQL
import JSON

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
    /// How the caller may be asked for more; nil where a field is computed by itself.
    let requests: CallerRequests?
    /// The variables of its operation, and what is selected of it: for handlers that want to know.
    var variables = VariableValues.none
    var plan: ValuePlan?
    /// What is selected, as the document has it.
    var selectionText = ""
    /// What the app's own steps stand around, where they do.
    var operation: (any SteppedOperation)?
    /// Where invocations of functions wait for those of the same field; nil: nowhere.
    var batches: InvocationBatches?
    /// Told of what handlers ask for beside their value.
    var tellOfEffects: (@Sendable (ResolverEffects) -> Void)?

    init(
        arguments: JSONObject = JSONObject(), source: JSONObject? = nil, caller: FieldCaller, path: ResponsePath,
        locations: [SourceLocation]? = nil, clock: CallClock = CallClock(end: .max),
        requests: CallerRequests? = nil
    ) {
        self.arguments = arguments
        self.source = source
        self.caller = caller
        self.path = path
        self.locations = locations
        self.clock = clock
        self.requests = requests
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
