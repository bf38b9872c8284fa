import Channels
import Network

/// What a protocol does on a WebSocket. All calls come on the loop's thread.
protocol RealtimeSession: OperationOwner, LoopBound {
    /// What it has in common with the others.
    var link: SessionLink { get }
    /// The first call.
    func begin()
    /// A text came. The answer is another session when that one has to go on, with this text first.
    func received(_ text: [UInt8]) -> (any RealtimeSession)?
    /// The connection is over. The last call.
    func ended()
}

extension RealtimeSession {
    var loop: EventLoop { link.loop }

    var carrier: any EventCarrier { link }

    func ended() {}
}

/// The WebSocket of a client: finds the protocol that the handshake asked for and passes on what comes.
final class RealtimeSocket: WebSocketHandler {
    private let realtime: Realtime
    private var handshake: RealtimeHandshake?
    private var session: (any RealtimeSession)?
    private var shard: RealtimeShard?

    init(_ realtime: Realtime, _ handshake: RealtimeHandshake) {
        self.realtime = realtime
        self.handshake = handshake
    }

    func webSocketDidOpen(_ connection: WebSocketConnection) {
        // What it showed is not kept longer than it takes to find out who it is.
        guard let handshake, let shard = realtime.shard(of: connection.loop) else {
            return connection.close(WebSocketClose(.internalError, "no place for this connection"))
        }
        self.handshake = nil
        self.shard = shard
        shard.counters.add(1, to: .connectionsOpened)
        let protocolName = handshake.dialect?.rawValue ?? "none"
        shard.report(.connected(connection.identifier, peer: connection.peer, protocolName: protocolName))
        // Without a subprotocol it is AppSync's that is spoken.
        let dialect = handshake.dialect ?? (handshake.isForChannels ? .channels : .appSync)
        connection.stopCode = dialect.stopCode
        let link = { (framing: EventFraming) in
            SessionLink(
                connection, shard, framing, handshake.credentials, protocolName: protocolName,
                endOfLifeCode: dialect.endOfLifeCode, errorCode: dialect.errorCode,
                outboundBytesMax: dialect == .channels
                    ? max(shard.limits.outboundBytes, ChannelLimits.unreadBytesMax) : shard.limits.outboundBytes)
        }
        let session: any RealtimeSession =
            switch dialect {
            case .transport: TransportSession(link(.next))
            case .appSync: AppSyncSession(link(.data), hasProtocol: handshake.dialect != nil)
            case .channels: ChannelSession(link(.channel), shard.channels, hasProtocol: handshake.dialect != nil)
            }
        self.session = session
        session.begin()
    }

    func webSocket(_ connection: WebSocketConnection, didReceiveText text: [UInt8]) {
        guard let successor = session?.received(text) else { return }
        session = successor
        successor.begin()
        _ = successor.received(text)
    }

    func webSocketDidClose(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {
        session?.link.end()
        session?.ended()
        session = nil
        guard let shard else { return }
        shard.counters.add(1, to: .connectionsClosed)
        shard.report(.closed(connection.identifier, reason: Self.text(of: ending)))
    }

    private static func text(of ending: WebSocketEnding) -> String {
        switch ending {
        case .closedByPeer(let close): "by the client: \(text(of: close))"
        case .closedByUs(let close): "by us: \(text(of: close))"
        case .lost: "the connection was lost"
        }
    }

    private static func text(of close: WebSocketClose) -> String {
        let code = close.code.map { "\($0.rawValue)" } ?? "no code"
        return close.reason.isEmpty ? code : "\(code) \(close.reason)"
    }
}
