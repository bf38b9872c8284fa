import Access
import Blueprint
import Engine
import JSON
import Network
import Realtime

/// Lets subscribers in by the API's modes and rules. One for each loop.
struct EngineGate: RealtimeGate {
    let engine: Engine
    let desk: CallerDesk
    /// The models of the subscriptions that Amplify makes, by field.
    let models: [String: ModelAccess]
    let typeName: String

    init(_ engine: Engine, _ desk: CallerDesk, of blueprint: Blueprint) {
        self.engine = engine
        self.desk = desk
        typeName = blueprint.roots.subscription
        var models: [String: ModelAccess] = [:]
        for model in blueprint.models {
            guard let access = engine.policy.model(model.name) else { continue }
            for subscription in model.operations.subscriptions { models[subscription.name] = access }
        }
        self.models = models
    }

    func identify(_ credentials: RealtimeCredentials) async -> Identification {
        let request: CredentialRequest
        let fields = ListedFields(credentials.fields)
        switch credentials.purpose {
        case .connection:
            request = CredentialRequest(path: "\(Route.graphql.path)/connect", fields: fields, body: Array("{}".utf8))
        case .operation(let text):
            request = CredentialRequest(path: Route.graphql.path, fields: fields, body: Array(text.utf8))
        }
        do throws(Refusal) {
            let identity = try await desk.identity(of: request)
            return .accepted(
                RealtimeCaller(
                    identity: identity, expiresAtMilliseconds: identity.expiresAtSeconds.map { $0 &* 1000 }))
        } catch {
            return .refused(
                RealtimeRefusal(errorType: error.errorType, message: error.message, errorCode: error.status))
        }
    }

    func admit(_ caller: RealtimeCaller, to subscription: SubscriptionRequest) async -> Admission {
        guard let identity = caller.identity as? Identity else { return .denied(.unauthorized) }
        let refusal = RealtimeRefusal.field(subscription.field, of: subscription.typeName)
        let access = engine.policy.caller(identity)
        guard engine.policy.demand(type: typeName, field: subscription.field).isMet(by: access) else {
            return .denied(
                RealtimeRefusal(errorType: Refusal.permissionDenied.errorType, message: Refusal.permissionDenied.message))
        }
        guard engine.policy.gate(type: typeName, field: subscription.field).admits(access) else {
            return .denied(refusal)
        }
        if let field = engine.policy.field(type: typeName, field: subscription.field),
            field.decision(for: access) != .allow
        {
            return .denied(refusal)
        }
        guard let model = models[subscription.field] else { return .granted(SubscriptionGrant()) }
        let outcome = model.listen.outcome(for: access, hasClientFilter: subscription.hasClientFilter) {
            subscription.arguments[$0]?.string
        }
        switch outcome {
        case .deny: return .denied(refusal)
        case .start(let predicate, _):
            return .granted(SubscriptionGrant(filter: predicate.map(EventFilter.init)))
        }
    }

    func respond(to operation: OperationRequest, for caller: RealtimeCaller) async -> OperationAnswer {
        guard let identity = caller.identity as? Identity else { return .refused(.unauthorized) }
        switch engine.answer(operation.body, from: Requester(identity), on: desk.engine) {
        case .response(let bytes), .invalid(let bytes): return .response(bytes)
        case .refused(let error):
            return .refused(RealtimeRefusal(errorType: error.errorType, message: error.message))
        case .unauthorized(let message):
            return .refused(RealtimeRefusal(errorType: "UnauthorizedException", message: message))
        case .pending(let answer): return .response(await answer.response())
        }
    }
}

extension Identity {
    /// When the token that proved it runs out, in seconds since 1970.
    fileprivate var expiresAtSeconds: Int64? { token?.claims["exp"]?.number.flatMap { Int64(exactly: $0.rounded()) } }
}

extension EventFilter {
    /// What the rules ask of an event: that one of its fields names the caller.
    fileprivate init(_ predicate: AccessPredicate) {
        self = .any(
            predicate.anyOf.map { condition in
                condition.isList
                    ? .any(condition.values.map { .condition(condition.field, .contains, [.text($0)]) })
                    : .condition(condition.field, .in, condition.values.map { .text($0) })
            })
    }
}
