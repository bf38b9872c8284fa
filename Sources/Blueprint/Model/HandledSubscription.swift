import GraphQL

/// A subscription with a handler of its own, which may filter events or decide who may subscribe.
package struct HandledSubscription: Sendable, Hashable {
    package let field: String
    /// The steps that run when somebody subscribes; none: its handler is nothing that runs here, and it is refused.
    package let handlers: [CustomHandler]
    /// What its handler is, as the end of "… has".
    let handler: String
    let position: Position

    /// What is told of one that is refused, to its author and to clients.
    package func refusal(typeName: String) -> String {
        "\(field) on type \(typeName) has \(handler), which this server cannot run"
    }

    static let hint =
        "Subscriptions to it are refused with NotImplemented: without its handler everybody would get every event. Take the "
        + "handler out, or write it in JavaScript or Velocity."
}

extension FieldResolver {
    /// What a handler of a subscription is, as the end of "… has".
    var handlerText: String {
        switch self {
        case .functions(let calls): "a function (\(calls.map(\.name).joined(separator: ", ")))"
        case .http(let call): "an HTTP call (\(call.url))"
        case .sql: "an SQL statement"
        case .predictions: "@predictions"
        case .generation(let settings): "a generation (\(settings.model))"
        case .conversation(let conversation, _): "a conversation (\(conversation.assistant.model))"
        case .scripts(let handlers), .steps(let handlers, _):
            "a handler of its own (\(handlers.map(\.entry).joined(separator: ", ")))"
        }
    }
}
