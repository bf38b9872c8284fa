import Blueprint
import Channels
import JSON
import Project

/// The API of channels as it is configured: AppSync Events.
package struct EventAPISetting: Sendable, Equatable {
    /// The modes of callers that may connect, publish and subscribe; nil: the API's default mode.
    package var connect: [AuthMode]?
    package var publish: [AuthMode]?
    package var subscribe: [AuthMode]?
    package var namespaces: [String: NamespaceSetting] = [:]
    /// Whether it is the project's: its policies then say what the roles of the identity pool may do.
    package var isOfProject = false

    /// True if there is such an API.
    package var isThere: Bool {
        connect != nil || publish != nil || subscribe != nil || !namespaces.isEmpty || isOfProject
    }

    /// The modes of all that may be done with channels; empty where there are none.
    func modes(default mode: AuthMode) -> [AuthMode] { isThere ? api(default: mode).modes : [] }

    /// - Parameter mode: the API's default mode.
    func api(default mode: AuthMode) -> ChannelAPI {
        ChannelAPI(
            connect: connect ?? [mode], publish: publish ?? [mode], subscribe: subscribe ?? [mode],
            namespaces: namespaces.sorted { $0.key < $1.key }.map { name, setting in
                ChannelNamespace(name, publish: setting.publish, subscribe: setting.subscribe)
            })
    }
}

/// A namespace of channels as it is configured.
package struct NamespaceSetting: Sendable, Equatable {
    /// What answers for an operation beside the code, or for the code to work on.
    package struct Handler: Sendable, Equatable {
        /// A name of `functions`.
        package var function: String?
        /// Another data source, by its name among `resolvers.dataSources`.
        package var dataSource: String?
        /// Whether nobody waits for the function; nil: it does not decide by itself where there is code.
        package var isEvent: Bool?

        package init() {}
    }

    package var publish: [AuthMode]?
    package var subscribe: [AuthMode]?
    /// The file of its handlers.
    package var code: String?
    /// Or the code itself.
    package var text: String?
    package var onPublish: Handler?
    package var onSubscribe: Handler?

    package init() {}
}

extension NamespaceSetting: SettingObject {
    package static let members: [SettingMember<NamespaceSetting>] = [
        SettingMember("publish", \.publish),
        SettingMember("subscribe", \.subscribe),
        SettingMember("text", \.text),
        SettingMember("code", \.code),
        SettingMember("onPublish", \.onPublish),
        SettingMember("onSubscribe", \.onSubscribe),
    ]

    /// A namespace of a project.
    ///
    /// - Parameter functions: the functions that data sources stand for, by the names of these.
    init(_ namespace: EventAPIResource.Namespace, functions: [ByteText: String]) {
        publish = namespace.publish?.compactMap(AuthMode.init)
        subscribe = namespace.subscribe?.compactMap(AuthMode.init)
        (text, code) = (namespace.text, namespace.file)
        onPublish = namespace.onPublish.map { Handler($0, functions) }
        onSubscribe = namespace.onSubscribe.map { Handler($0, functions) }
    }
}

extension NamespaceSetting.Handler: SettingObject {
    package static let members: [SettingMember<NamespaceSetting.Handler>] = [
        SettingMember("function", \.function),
        SettingMember("dataSource", \.dataSource),
        SettingMember("mode") { value, handler in
            handler.isEvent = value.string == "EVENT"
        } shown: { handler in
            handler.isEvent.map { $0 ? "EVENT" : "REQUEST_RESPONSE" }
        },
    ]

    fileprivate init(_ handler: EventAPIResource.Handler, _ functions: [ByteText: String]) {
        function = handler.function ?? handler.dataSource.flatMap { functions[$0] }
        // A data source that is nowhere fails: a handler is there, and must not be passed over.
        if function == nil { dataSource = handler.dataSource ?? "" }
        if handler.isDirect { isEvent = handler.isEvent }
    }
}
