import Blueprint
import Channels

extension ConfigurationKey {
    /// Channels beside the graph: AppSync Events.
    static let eventAPI: [ConfigurationKey] = [
        ConfigurationKey(
            "eventApi.connect", modeList, \.eventAPI.connect,
            "The authorization modes that may connect to channels (`auth.default`). Setting a key of `eventApi` turns on "
                + "`POST /event` and `/event/realtime`."),
        ConfigurationKey(
            "eventApi.publish", modeList, \.eventAPI.publish,
            "The authorization modes that may publish (`auth.default`)."),
        ConfigurationKey(
            "eventApi.subscribe", modeList, \.eventAPI.subscribe,
            "The authorization modes that may subscribe (`auth.default`)."),
        ConfigurationKey(
            "eventApi.namespaces",
            .map(
                .object([
                    ConfigurationField(
                        "publish", modeList, "The modes that may publish in it, in place of `eventApi.publish`."),
                    ConfigurationField(
                        "subscribe", modeList, "The modes that may subscribe in it, in place of `eventApi.subscribe`."),
                    ConfigurationField(
                        "code", .path, "The file of its handlers: a module that exports `onPublish` or `onSubscribe`."),
                    ConfigurationField("text", .text, "Or the code itself."),
                    ConfigurationField(
                        "onPublish", .object(handler), "The function that decides about events, or that the code calls."
                    ),
                    ConfigurationField(
                        "onSubscribe", .object(handler), "The same of subscriptions."),
                ])), \.eventAPI.namespaces,
            "The namespaces of channels by name, with those of the project. A channel's first segment is its namespace."
        ),
    ]

    private static let modeList = ConfigurationKind.list(
        .choice([AuthMode.apiKey, .userPools, .iam, .oidc, .lambda].map(\.rawValue)))

    private static let handler = [
        ConfigurationField("function", .text, "A name of `functions`."),
        ConfigurationField(
            "dataSource", .text, "Or the data source that the code works on; a name of `resolvers.dataSources`."),
        ConfigurationField(
            "mode", .choice(["REQUEST_RESPONSE", "EVENT"]),
            "Whether the function's answer decides (`REQUEST_RESPONSE`), or nobody waits for it."),
    ]
}
