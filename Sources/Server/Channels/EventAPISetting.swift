import Blueprint
import Channels
import JSON

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

extension NamespaceSetting: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard value.object != nil else { return nil }
        self.init()
        publish = value["publish"].flatMap { [AuthMode](configured: $0) }
        subscribe = value["subscribe"].flatMap { [AuthMode](configured: $0) }
        code = value["code"]?.string
        text = value["text"]?.string
        onPublish = value["onPublish"].map(Handler.init(configured:))
        onSubscribe = value["onSubscribe"].map(Handler.init(configured:))
    }
}

extension NamespaceSetting.Handler {
    fileprivate init(configured value: JSONValue) {
        function = value["function"]?.string
        dataSource = value["dataSource"]?.string
        isEvent = value["mode"]?.string.map { $0 == "EVENT" }
    }
}
