import GraphQL

/// Subscriptions with a handler of their own, which is not run.
extension SDLReading {
    /// In the order of their names.
    var unservedSubscriptions: [UnservedSubscription] {
        let root = schema.roots.subscription
        let declared = schema.objects[root]?.fields ?? []
        return resolvers.filter { $0.key.type == root }.sorted { $0.key.field < $1.key.field }.map { path, resolver in
            var position = declared.first { $0.name.text == path.field }?.name.position ?? .none
            if case .scripts(let handlers) = resolver, let first = handlers.first, first.position.isKnown {
                position = first.position
            }
            return UnservedSubscription(field: path.field, handler: resolver.handlerText, position: position)
        }
    }

    mutating func warnOfSubscriptions() {
        for subscription in unservedSubscriptions {
            log.warning(
                subscription.message(typeName: schema.roots.subscription), at: subscription.position,
                step: .resolvers(.function), hint: UnservedSubscription.hint)
        }
    }
}
