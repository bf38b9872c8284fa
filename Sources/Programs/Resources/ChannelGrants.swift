import Blueprint
import Project
import Script

/// The rights that methods of an API of channels and of its namespaces give: `api.grantPublish(fn)`, `namespace.grantSubscribe(fn)`.
enum ChannelGrants {
    private static let actions = [
        "grantPublish": ["appsync:EventPublish"], "grantSubscribe": ["appsync:EventSubscribe"],
        "grantPublishAndSubscribe": ["appsync:EventPublish", "appsync:EventSubscribe"],
        "grantPubSub": ["appsync:EventPublish", "appsync:EventSubscribe"], "grantConnect": ["appsync:EventConnect"],
    ]

    /// The statement of a call; nil: the method is none of these, and gives nothing that could be read.
    ///
    /// - Parameters:
    ///   - namespace: the namespace whose method it is; nil: it is a method of the API.
    ///   - arn: the ARN of the API.
    static func statement(
        _ method: String, ofNamespace namespace: String?, _ arn: String, _ arguments: [ProgramValue]
    ) -> FunctionGrants.Statement? {
        let channels = "\(arn)/channelNamespace/"
        if let actions = actions[method] {
            if let namespace { return FunctionGrants.Statement(actions, on: [.text(channels + namespace)]) }
            return FunctionGrants.Statement(actions, on: [.text(method == "grantConnect" ? arn : "\(channels)*")])
        }
        // `api.grant(fn, AppSyncEventResource.ofChannelNamespace('chat'), 'appsync:EventPublish')`
        guard method == "grant", namespace == nil, arguments.count > 2 else { return nil }
        var statement = FunctionGrants.Statement([], on: [])
        for value in arguments.dropFirst(2) {
            if case .text(let text) = value { statement.actions.append(text.string) }
        }
        guard let resource = arguments[1].opaque, case .call(let given) = resource.making,
            case .member(_, let kind)? = resource.function?.making
        else { return nil }
        switch kind {
        case "forAPI": statement.resources = [.text(arn)]
        case "all", "allChannelNamespaces": statement.resources = [.text("\(channels)*")]
        case "ofChannelNamespace":
            guard case .text(let name)? = given.first else { return nil }
            statement.resources = [.text(channels + name.string)]
        default: return nil
        }
        return statement
    }
}
