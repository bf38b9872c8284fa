import Crypto
import JSON
import Network

/// What the upgrade request of a client says: the protocol it speaks, and what it shows of itself.
///
/// Three places can hold the authorization, a flat object of header names and values. The first of them that is there
/// counts, even if it cannot be read:
///
///     Sec-WebSocket-Protocol: graphql-ws, header-<base64url>      amplify-js, Flutter
///     /graphql/realtime?header=<base64>&payload=e30=              gql, older clients
///     x-api-key: …                                                Swift, Android
package struct RealtimeHandshake: Sendable, Equatable {
    /// The protocols that share the endpoint, by the subprotocol that names them.
    package enum Dialect: String, Sendable, CaseIterable {
        /// AppSync's, and the older one of the same name: told apart by the first `start`.
        case appSync = "graphql-ws"
        case transport = "graphql-transport-ws"
        /// That of Events, at an endpoint of its own.
        case channels = "aws-appsync-event-ws"

        /// The code of a close after which the client is to come back: the server stops.
        ///
        /// Amplify's client for Swift connects again after 1006, 1008 and 1011 only, and says nothing of any other end. The
        /// client of `graphql-transport-ws` takes 1011 for fatal.
        var stopCode: WebSocketCloseCode {
            switch self {
            case .appSync: .internalError
            case .transport: .goingAway
            case .channels: .normal
            }
        }

        /// The same where a connection has lived as long as it may.
        var endOfLifeCode: WebSocketCloseCode {
            switch self {
            case .appSync: .internalError
            case .transport, .channels: .normal
            }
        }

        /// The same behind an error that ends the connection.
        var errorCode: WebSocketCloseCode {
            switch self {
            case .appSync, .transport: .policyViolation
            case .channels: .normal
            }
        }
    }

    /// Nil when the client offered no protocol that is spoken here.
    package let dialect: Dialect?
    package let credentials: RealtimeCredentials
    /// True if it came to the endpoint of Events.
    let isForChannels: Bool

    private static let subprotocolPrefix = "header-"

    package init(
        subprotocols: [String], query: String, fields: [(name: String, value: String)], authority: String? = nil,
        isFromThisMachine: Bool = false, isForChannels: Bool = false
    ) {
        self.isForChannels = isForChannels
        dialect =
            (isForChannels ? Self.channelSubprotocol(of: subprotocols) : Self.subprotocol(of: subprotocols))
            .flatMap(Dialect.init)
        credentials = RealtimeCredentials(
            fields: Self.object(subprotocols: subprotocols, query: query) ?? fields, authority: authority,
            areFromThisMachine: isFromThisMachine)
    }

    package init(_ head: HTTPRequestHead, isFromThisMachine: Bool = false, isForChannels: Bool = false) {
        let offered = head.fields.values(of: "sec-websocket-protocol").flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).map { name in
                String(decoding: name.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }, as: UTF8.self)
            }
        }
        self.init(
            subprotocols: offered, query: head.query, fields: OwnCookies.hidden(in: head.fields.all),
            authority: head.authority, isFromThisMachine: isFromThisMachine, isForChannels: isForChannels)
    }

    /// The subprotocol to answer with: never the one that carries credentials.
    package static func subprotocol(of offered: [String]) -> String? {
        let isAppSync = offered.contains { $0.hasPrefix(subprotocolPrefix) }
        if offered.contains(Dialect.transport.rawValue), !isAppSync { return Dialect.transport.rawValue }
        return offered.contains(Dialect.appSync.rawValue) ? Dialect.appSync.rawValue : nil
    }

    /// The same at the endpoint of Events.
    package static func channelSubprotocol(of offered: [String]) -> String? {
        offered.contains(Dialect.channels.rawValue) ? Dialect.channels.rawValue : nil
    }

    /// The object of the subprotocol or of the query; nil when neither is there.
    private static func object(subprotocols: [String], query: String) -> [(name: String, value: String)]? {
        if let entry = subprotocols.first(where: { $0.hasPrefix(subprotocolPrefix) }) {
            return object(base64: entry.dropFirst(subprotocolPrefix.count))
        }
        let parameters = HTTPPercentCoding.parameters(of: query)
        return parameters.first { $0.name == "header" }.map { object(base64: Substring($0.value)) }
    }

    private static func object(base64 text: Substring) -> [(name: String, value: String)] {
        guard let bytes = Base64.lenientBytes(of: text.utf8) else { return [] }
        do throws(JSONError) {
            return try JSONReader.value(of: bytes).headerFields
        } catch {
            return []
        }
    }
}

extension JSONValue {
    /// The members of an object that can be header fields.
    var headerFields: [(name: String, value: String)] {
        (object ?? JSONObject()).compactMap { member in member.value.string.map { (member.key, $0) } }
    }

    /// What a `connection_init` of a general client shows: at the top level, under `headers`, or in AppSync's
    /// `authorization`.
    var initFields: [(name: String, value: String)] {
        headerFields + (self["headers"]?.headerFields ?? []) + (self["authorization"]?.headerFields ?? [])
    }
}
