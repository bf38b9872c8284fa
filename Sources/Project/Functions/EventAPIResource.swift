/// The API of channels that a project makes: `new EventApi(...)`, or `new CfnApi(...)` with `new CfnChannelNamespace(...)`.
package struct EventAPIResource: Sendable, Equatable {
    /// The modes as the configuration calls them; nil: the project names none.
    package var connect: [String]?
    package var publish: [String]?
    package var subscribe: [String]?
    package var namespaces: [Namespace] = []

    package init(connect: [String]?, publish: [String]?, subscribe: [String]?) {
        (self.connect, self.publish, self.subscribe) = (connect, publish, subscribe)
    }

    package struct Namespace: Sendable, Equatable {
        package let name: String
        package var publish: [String]?
        package var subscribe: [String]?
        /// The code of its handlers, or the file of it.
        package var text: String?
        package var file: String?
        package var onPublish: Handler?
        package var onSubscribe: Handler?

        package init(_ name: String) { self.name = name }
    }

    /// What a handler calls.
    package struct Handler: Sendable, Equatable {
        package var function: String?
        package var dataSource: String?
        /// Whether the function decides by itself, and whether nobody waits for it.
        package var isDirect = false
        package var isEvent = false

        package init(
            function: String? = nil, dataSource: String? = nil, isDirect: Bool = false, isEvent: Bool = false
        ) {
            (self.function, self.dataSource) = (function, dataSource)
            (self.isDirect, self.isEvent) = (isDirect, isEvent)
        }
    }
}
