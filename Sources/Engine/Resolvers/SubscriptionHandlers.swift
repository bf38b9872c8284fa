import Access
import GraphQL
import JSON
import Resolvers

/// What the handlers of a subscription say when somebody subscribes.
package struct SubscriptionSaying: Sendable {
    package struct Refusal: Sendable {
        package let type: String
        package let message: String
    }

    /// Why nobody may have it, or not this one.
    package var error: Refusal?
    /// Which events it gets, in place of its arguments.
    package var filter: JSONValue?
    /// What ends it.
    package var invalidationFilter: JSONValue?

    init() {}

    init(_ failure: CallFailure) {
        error = Refusal(type: failure.type ?? "Unhandled", message: failure.message)
    }
}

/// What the handlers of a subscription are told of it.
package struct SubscriptionCall: Sendable {
    let field: String
    let arguments: JSONObject
    let variables: VariableValues
    /// What is selected, as the document has it, and as values of it are written.
    let selections: [SelectionSet]
    let plan: ValuePlan
    /// The fields of the head or the message that it came with.
    let headers: [(name: String, value: String)]

    package init(
        field: String, arguments: JSONObject, variables: VariableValues, selections: [SelectionSet], plan: ValuePlan,
        headers: [(name: String, value: String)]
    ) {
        self.field = field
        self.arguments = arguments
        self.variables = variables
        self.selections = selections
        self.plan = plan
        self.headers = headers
    }
}

extension Engine {
    /// Runs the handlers of a subscription, for one who wants to have it. Called on the loop of the shard.
    package func subscribing(
        by subscription: SubscriptionCall, for identity: Identity, on shard: EngineShard
    ) async -> SubscriptionSaying {
        let type = blueprint.roots.subscription
        let field = subscription.field
        guard let handlers = blueprint.handledSubscriptions.first(where: { $0.field == field })?.handlers,
            let place = shard.callPlace(in: self)
        else {
            return SubscriptionSaying(
                CallFailure("\(field) on type \(type) cannot be served here", type: "NotImplemented"))
        }
        let program = ResolverProgram(handlers, of: type, field, types.functions)
        var call = FieldCall(
            arguments: subscription.arguments,
            caller: FieldCaller { FieldCaller.Told(identity, from: [], fields: subscription.headers) },
            path: ResponsePath([.name(field)]),
            clock: CallClock(end: Timestamp.monotonicMilliseconds + settings.limits.milliseconds))
        call.variables = subscription.variables
        call.plan = subscription.plan
        if program.readsSelection { call.selectionText = subscription.selections.printed }
        var run = ResolverRun(program, call, place)
        do throws(CallFailure) {
            let outcome = try await run.outcome()
            var said = SubscriptionSaying()
            if case .value(_, let errors) = outcome, let first = errors.first {
                said.error = SubscriptionSaying.Refusal(
                    type: first.resolver?.errorType ?? "Unhandled", message: first.message)
            }
            said.filter = run.effects.subscriptionFilter
            said.invalidationFilter = run.effects.invalidationFilter
            return said
        } catch {
            return SubscriptionSaying(error)
        }
    }

    /// Make the ends of pages of tables into tokens, and back.
    var tableCursors: TableRequest.Cursors {
        let seal = store.cursors
        return TableRequest.Cursors(
            token: { seal.token(of: $0, scope: $1) }, position: { try? seal.plain(of: $0, scope: $1) })
    }
}
