// Channels: AppSync Events, without sockets and without callers. This is the room's front page.
//
//     a message ─▶ ChannelMessage ─▶ ChannelName, ChannelAPI ─▶ ChannelPublish ─▶ HandlerAnswer ─▶ PublishReport
//                                                                                     │
//                                                                                     ▼
//                                             ChannelTable: the subscriptions that a channel's events go to
//
//     ChannelName        `/default/room`, and `/default/*` for subscriptions
//     ChannelAPI         namespaces, and the modes that may connect, publish and subscribe
//     ChannelMessage     what a client says on a WebSocket
//     ChannelFrame       what the server says
//     ChannelPublish     the events of one publish, checked
//     HandlerAnswer      what a namespace's handler makes of them
//     ChannelFault       why something is refused, in AppSync's words
//     ChannelLimits      the one table of limits
//
// Nothing here is durable: an event is delivered to the subscriptions of the moment, and forgotten.

import Blueprint
import JSON

/// The API of channels: its namespaces, and who may connect, publish and subscribe.
package struct ChannelAPI: Sendable, Equatable {
    /// The modes of callers that may connect.
    package var connect: [AuthMode]
    /// The modes that may publish and subscribe where a namespace has no list of its own.
    package var publish: [AuthMode]
    package var subscribe: [AuthMode]
    private let namespaces: [ByteText: ChannelNamespace]

    package init(
        connect: [AuthMode], publish: [AuthMode], subscribe: [AuthMode], namespaces: [ChannelNamespace]
    ) {
        self.connect = connect
        self.publish = publish
        self.subscribe = subscribe
        self.namespaces = Dictionary(texts: namespaces.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The namespace of that name, compared as bytes.
    package subscript(name: String) -> ChannelNamespace? { namespaces[name] }

    /// Every mode that some operation allows.
    package var modes: [AuthMode] {
        let all = namespaces.values.reduce(into: Set(connect + publish + subscribe)) { all, namespace in
            all.formUnion((namespace.publish ?? []) + (namespace.subscribe ?? []))
        }
        return AuthMode.allCases.filter(all.contains)
    }

    /// The modes of callers that may do something. A namespace's list replaces the API's.
    package func modes(for operation: ChannelOperation, in namespace: ChannelNamespace?) -> [AuthMode] {
        switch operation {
        case .connect: connect
        case .publish: namespace?.publish ?? publish
        case .subscribe: namespace?.subscribe ?? subscribe
        }
    }
}

/// A namespace: the first segment of its channels' names.
package struct ChannelNamespace: Sendable, Equatable {
    package let name: String
    /// The modes that may publish and subscribe in it; nil: the API's.
    package var publish: [AuthMode]?
    package var subscribe: [AuthMode]?

    package init(_ name: String, publish: [AuthMode]? = nil, subscribe: [AuthMode]? = nil) {
        self.name = name
        self.publish = publish
        self.subscribe = subscribe
    }

    /// Returns whether a namespace may have that name: one segment of a channel's.
    package static func isName(_ text: String) -> Bool {
        ChannelName(text).map { $0.segments == [text] && !$0.isWildcard } ?? false
    }

    package static func == (left: ChannelNamespace, right: ChannelNamespace) -> Bool {
        left.name == right.name && left.publish == right.publish && left.subscribe == right.subscribe
    }
}

/// An operation on the API of channels.
package enum ChannelOperation: Sendable, CaseIterable {
    case connect, publish, subscribe

    /// Its name in `requestContext.operation`, for an authorizer.
    package var authorizerName: String {
        switch self {
        case .connect: "EVENT_CONNECT"
        case .publish: "EVENT_PUBLISH"
        case .subscribe: "EVENT_SUBSCRIBE"
        }
    }

    /// The action of IAM.
    package var action: String {
        switch self {
        case .connect: "appsync:EventConnect"
        case .publish: "appsync:EventPublish"
        case .subscribe: "appsync:EventSubscribe"
        }
    }

    /// `info.operation` of handlers.
    package var handlerName: String {
        switch self {
        case .connect: "CONNECT"
        case .publish: "PUBLISH"
        case .subscribe: "SUBSCRIBE"
        }
    }
}
