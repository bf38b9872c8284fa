import GraphQL

/// Subscriptions with a handler of their own.
extension SDLReading {
    /// In the order of their names.
    var handledSubscriptions: [HandledSubscription] {
        let root = schema.roots.subscription
        let declared = schema.objects[root]?.fields ?? []
        return resolvers.filter { $0.key.type == root }.sorted { $0.key.field < $1.key.field }.map { path, resolver in
            var position = declared.first { $0.name.text == path.field }?.name.position ?? .none
            var steps: [CustomHandler] = []
            if case .scripts(let handlers) = resolver {
                steps = handlers
                if let first = handlers.first, first.position.isKnown { position = first.position }
            }
            return HandledSubscription(
                field: path.field, handlers: steps, handler: resolver.handlerText, position: position)
        }
    }

    mutating func warnOfSubscriptions() {
        for subscription in handledSubscriptions where subscription.handlers.isEmpty {
            log.warning(
                subscription.refusal(typeName: schema.roots.subscription), at: subscription.position,
                step: .resolvers(.function), hint: HandledSubscription.hint)
        }
    }
}
