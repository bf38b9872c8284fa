import Glibc
import Network

/// A client and a server on the two ends of a pair of sockets, driven by one thread.
struct TLSPeers: ~Copyable {
    var client: TLSSession
    var server: TLSSession
    let clientDescriptor: Int32
    let serverDescriptor: Int32

    init(client: TLSContext, server: TLSContext, host: String) throws {
        var descriptors: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        precondition(socketpair(AF_UNIX, type, 0, &descriptors) == 0)
        let clientSession = try TLSSession(connecting: client, over: descriptors[0], host: host)
        let serverSession = try TLSSession(serving: server, over: descriptors[1])
        self.client = clientSession
        self.server = serverSession
        clientDescriptor = descriptors[0]
        serverDescriptor = descriptors[1]
    }

    deinit {
        close(clientDescriptor)
        close(serverDescriptor)
    }

    /// Shakes hands until both sides are done or one has failed.
    mutating func shakeHands() -> (client: TLSSession.HandshakeResult, server: TLSSession.HandshakeResult) {
        for _ in 0..<20 {
            let clientResult = client.handshake()
            let serverResult = server.handshake()
            if case .failed = clientResult { return (clientResult, server.handshake()) }
            if case .failed = serverResult { return (client.handshake(), serverResult) }
            if clientResult == .done, serverResult == .done { return (.done, .done) }
        }
        return (client.handshake(), server.handshake())
    }

    /// All that the server can read now.
    mutating func serverReads() -> (bytes: [UInt8], end: TLSSession.ReadResult) { Self.readAll(&server) }
    mutating func clientReads() -> (bytes: [UInt8], end: TLSSession.ReadResult) { Self.readAll(&client) }

    private static func readAll(_ session: inout TLSSession) -> (bytes: [UInt8], end: TLSSession.ReadResult) {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let result = chunk.withUnsafeMutableBytes { session.read(into: $0) }
            guard case .done(let count) = result else { return (bytes, result) }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}
