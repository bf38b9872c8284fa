import Access
import Blueprint
import Engine
import GraphQL
import JSON
import Network

/// The gate of an API with rules: callers as its modes recognise them, subscriptions as its rules allow them, queries and
/// mutations as its engine answers them. One for each loop.
package struct AccessGate: RealtimeGate {
    /// Who is calling, by the modes of the API.
    package typealias Recogniser = @Sendable (CredentialRequest) async -> Result<Identity, Refusal>

    private let engine: Engine
    private let shard: EngineShard
    /// The model of each subscription that was made for one.
    private let models: [ByteText: String]
    /// The subscriptions by which answers of language models come.
    private let answers: Set<ByteText>
    /// The subscriptions with handlers of their own, by name. Where there is a refusal, nothing here runs them.
    private let handled: [ByteText: RealtimeRefusal?]
    private let recognise: Recogniser
    private let explain: Explainer
    /// The numbers of subscriptions in the log, by name.
    private let numbers: [ByteText: Int]

    /// Who wants to know the reasons of denials; nil: nobody.
    package typealias Explainer = @Sendable (Identity) -> Explanation?

    /// - Parameter shard: that of the loop.
    package init(
        _ engine: Engine, _ blueprint: Blueprint, on shard: EngineShard, explain: @escaping Explainer = { _ in nil },
        recognise: @escaping Recogniser
    ) {
        self.engine = engine
        self.shard = shard
        self.recognise = recognise
        self.explain = explain
        numbers = engine.rootFields.subscriptions
        handled = Dictionary(
            texts: blueprint.handledSubscriptions.map {
                (
                    $0.field,
                    $0.handlers.isEmpty
                        ? .notImplemented($0.refusal(typeName: blueprint.roots.subscription)) : nil
                )
            }, uniquingKeysWith: { first, _ in first })
        answers = Set(texts: blueprint.conversations.map(\.subscription))
        models = Dictionary(
            texts: blueprint.models.flatMap { model in model.operations.subscriptions.map { ($0.name, model.name) } },
            uniquingKeysWith: { first, _ in first })
    }

    // MARK: Who is calling

    package func identify(_ credentials: RealtimeCredentials) async -> Identification {
        switch await recognise(Self.request(credentials)) {
        case .success(let identity):
            .accepted(identity)
        case .failure(let refusal):
            .refused(
                RealtimeRefusal(
                    errorType: refusal.errorType, message: refusal.message, errorCode: refusal.status,
                    reason: refusal.reason))
        }
    }

    /// What clients sign: not the upgrade, but a request that is never made.
    static func request(_ credentials: RealtimeCredentials) -> CredentialRequest {
        credentials.request(at: "/graphql", connectingAt: "/graphql/connect")
    }

    // MARK: What they may have

    /// The generator gives the subscriptions of models a filter, and nothing else has one, whatever it is called.
    package func isFilter(_ argument: String, of subscription: String) -> Bool {
        argument == "filter" && models[subscription] != nil
    }

    package func admit(_ identity: Identity, to subscription: SubscriptionRequest) async -> Admission {
        await admit(identity, to: subscription, telling: nil)
    }

    package func admit(
        _ identity: Identity, to subscription: SubscriptionRequest, noting note: OperationNote
    ) async -> Admission {
        await admit(identity, to: subscription, telling: note.story?.trace)
    }

    package func refusal(
        of identity: Identity, for subscription: SubscriptionRequest, telling trace: DecisionTrace
    ) -> RealtimeRefusal? {
        guard case .denied(let refusal) = admission(of: engine.policy.caller(identity, trace: trace), to: subscription)
        else { return nil }
        return refusal
    }

    private func admit(
        _ identity: Identity, to subscription: SubscriptionRequest, telling trace: DecisionTrace?
    ) async -> Admission {
        let explanation = explain(identity)
        let asker = engine.policy.caller(identity, trace: explanation?.trace ?? trace)
        let admission = admission(of: asker, to: subscription)
        guard case .granted(let grant) = admission else {
            explanation?.tell()
            return admission
        }
        guard let refusal = handled[subscription.field] else { return admission }
        if let refusal { return .denied(refusal) }
        return await handled(subscription, grant, for: identity)
    }

    /// What the subscription's own handlers make of a grant: they may refuse it, or say which events it gets.
    private func handled(
        _ subscription: SubscriptionRequest, _ grant: SubscriptionGrant, for identity: Identity
    ) async -> Admission {
        let call = SubscriptionCall(
            field: subscription.field, arguments: subscription.arguments, variables: subscription.variables,
            selections: subscription.selections, plan: subscription.selection.fieldPlan,
            headers: subscription.headers)
        let said = await engine.subscribing(by: call, for: identity, on: shard)
        if let error = said.error {
            return .denied(RealtimeRefusal(errorType: error.type, message: error.message, errorCode: 400))
        }
        var grant = grant
        do throws(FilterArgument.Refusal) {
            if let filter = said.filter {
                let own = try FilterGroups.filter(filter)
                grant.filter = grant.filter?.and(own) ?? own
            }
            if let filter = said.invalidationFilter { grant.invalidation = try FilterGroups.filter(filter) }
        } catch {
            return .denied(RealtimeRefusal(errorType: "BadRequestException", message: error.message, errorCode: 400))
        }
        return .granted(grant)
    }

    private func admission(of asker: Caller, to subscription: SubscriptionRequest) -> Admission {
        let policy = engine.policy
        var demand: IAMDemand = []
        for field in subscription.selected { demand.formUnion(policy.demand(type: field.type, field: field.name)) }
        guard demand.isMet(by: asker) else {
            let refusal = Refusal.permissionDenied
            return .denied(RealtimeRefusal(errorType: refusal.errorType, message: refusal.message))
        }
        let denied = Admission.denied(.field(subscription.field, of: subscription.typeName))
        let hidden = subscription.selected.filter {
            !policy.gate(type: $0.type, field: $0.name).admits(asker)
        }
        guard !hidden.contains(FieldCoordinate(type: subscription.typeName, name: subscription.field)) else {
            return denied
        }
        var grant = SubscriptionGrant(hidden: hidden)
        for coordinate in subscription.selected where coordinate.type != subscription.typeName {
            let guards = guards(of: coordinate, for: asker)
            if !guards.isEmpty { grant.guards[coordinate] = guards }
        }
        var comparing: Admission?
        for compared in subscription.compared {
            switch policy.right(to: compared.name, of: compared.type).decision(for: asker) {
            case .allow: break
            case .filter(let predicate):
                let filter = EventFilter(predicate)
                grant.comparison = grant.comparison?.and(filter) ?? filter
            // Which events come would tell what is in the field.
            case .deny, .narrow: comparing = .denied(.field(compared.name, of: compared.type))
            }
        }
        if let model = models[subscription.field] {
            let outcome = policy.model(model)?.listen.outcome(
                for: asker, hasClientFilter: subscription.hasClientFilter,
                argument: { subscription.arguments[$0]?.string })
            guard case .start(let filter, _) = outcome else { return denied }
            grant.filter = filter.map(EventFilter.init) ?? membership(asked: subscription, of: model)
            return comparing ?? .granted(grant)
        }
        switch policy.field(type: subscription.typeName, field: subscription.field)?.decision(for: asker) {
        case nil, .allow?:
            if answers.contains(ByteText(subscription.field)) {
                guard let filter = Self.ownAnswers(to: asker.identity, subscription.arguments) else { return denied }
                grant.filter = filter
            }
            return comparing ?? .granted(grant)
        case .filter(let predicate)?:
            grant.filter = EventFilter(predicate)
            return comparing ?? .granted(grant)
        default: return denied
        }
    }

    /// What arguments ask of events where one of them names a member of a list, as an owner does in version 1 where a
    /// record has several; nil where each is a value that a field must have.
    private func membership(asked subscription: SubscriptionRequest, of name: String) -> EventFilter? {
        guard !subscription.hasClientFilter, let model = engine.blueprint.model(named: name) else { return nil }
        let given = subscription.arguments.members.filter { !isFilter($0.key, of: subscription.field) }
        let isMember = { (field: String) in model.field(named: field)?.isList ?? false }
        guard given.contains(where: { isMember($0.key) && !$0.value.isNull }) else { return nil }
        return .all(
            given.map { argument in
                .condition(argument.key, isMember(argument.key) ? .contains : .eq, [FilterValue(argument.value)])
            })
    }

    /// Of the answers of language models everybody gets those to themselves, in the conversation that they name; nil: none.
    private static func ownAnswers(to identity: Identity, _ arguments: JSONObject) -> EventFilter? {
        guard identity.mode == .userPools, let token = identity.token, let subject = token.subject else { return nil }
        var names = [subject]
        if let name = token.username { names += ["\(subject)::\(name)", name] }
        return .all([
            .condition("owner", .in, names.map { .text(ByteText($0)) }),
            .equals("conversationId", FilterValue(arguments["conversationId"] ?? .null)),
        ])
    }

    /// What of a field the caller is shown, by what a query would show them: whoever made the change may have seen more.
    private func guards(of field: FieldCoordinate, for asker: Caller) -> [FieldGuard] {
        var guards: [FieldGuard] = []
        switch engine.policy.field(type: field.type, field: field.name)?.decision(for: asker) {
        case nil, .allow?: break
        case .filter(let predicate)?: guards.append(.ofObjects(EventFilter(predicate)))
        case .deny?, .narrow?: guards.append(.nothing)
        }
        guard let relation = engine.policy.model(field.type)?.relation(field.name), !relation.isSharedInEvents else {
            return guards
        }
        switch relation.decision(for: asker, source: { _ in nil }) {
        case .allow: break
        case .filter(let predicate):
            guards.append(.ofRecords(EventFilter(predicate), isMany: relation.isMany))
        case .narrow(let conditions):
            let parts = conditions.map { EventFilter.equals($0.field, .text($0.value)) }
            guards.append(.ofRecords(.all(parts), isMany: relation.isMany))
        case .deny: guards.append(.nothing)
        }
        return guards
    }

    // MARK: Queries and mutations

    package func number(ofSubscription field: String) -> Int {
        numbers[field] ?? engine.rootFields.number(of: .subscription, CollectionOfOne(field))
    }

    package func respond(
        to operation: OperationRequest, for identity: Identity, noting note: OperationNote
    ) async -> OperationAnswer {
        let requester = Requester(identity, explanation: explain(identity), note: note)
        return await told(engine.answer(operation.body, from: requester, on: shard), note)
    }

    private func told(_ answer: Engine.Answer, _ note: OperationNote) async -> OperationAnswer {
        switch answer {
        case .response(let bytes): return .response(bytes)
        case .invalid(let bytes):
            note.refuse(ErrorName.validation)
            return .response(bytes)
        case .pending(let pending): return .response(await pending.response())
        case .preparing(let preparation): return await told(preparation.answer(), note)
        case .refused(let error):
            return refused(RealtimeRefusal(errorType: error.errorType, message: error.message), note)
        case .unauthorized(let message, _):
            return refused(RealtimeRefusal(errorType: "UnauthorizedException", message: message), note)
        }
    }

    private func refused(_ refusal: RealtimeRefusal, _ note: OperationNote) -> OperationAnswer {
        note.refuse(refusal.errorType)
        return .refused(refusal)
    }
}

extension EventFilter {
    /// What rules ask of an event.
    init(_ predicate: AccessPredicate) {
        let parts = predicate.anyOf.map { condition in
            let values = condition.values.map(FilterValue.text)
            let one: FilterOperator = condition.isList ? .contains : .eq
            let several: FilterOperator = condition.isList ? .containsAny : .in
            return EventFilter.condition(condition.field, values.count == 1 ? one : several, values)
        }
        self = parts.count == 1 ? parts[0] : .any(parts)
    }
}

extension RealtimeCredentials {
    /// The request that they sign, which is never made.
    package func request(at path: String, connectingAt connection: String, identifier: String = "") -> CredentialRequest
    {
        let (path, body) =
            switch purpose {
            case .connection: (connection, "{}")
            case .operation(let text): (path, text)
            }
        // A socket may be a page's: keys for programs alone do not count on it.
        let source: RequestSource = areFromThisMachine ? .foreignPage : .elsewhere
        return CredentialRequest(
            path: path, fields: ListedFields(fields, source: source), body: Array(body.utf8),
            authority: authority ?? self["host"], identifier: identifier)
    }
}
