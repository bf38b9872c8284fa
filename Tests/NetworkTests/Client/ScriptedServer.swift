import Glibc
import Network
import Synchronization
import TestSupport

/// A server that does what a test says with each connection, each on a thread of its own: the peer that ours must
/// stand. It blocks, and knows nothing of HTTP.
final class ScriptedServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let accepted = Mutex(0)
    private let open = Mutex<Set<Int32>>([])

    /// The script gets the number of the connection, from 0, and closes nothing.
    init(_ script: @escaping @Sendable (Int, ScriptedPeer) -> Void) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = SocketAddress.loopback(port: 0).withSystemAddress { bind(listener, $0, $1) }
        precondition(listen(listener, 64) == 0, "cannot listen")
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &length) }
        }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        signal(SIGPIPE, SIG_IGN)
        BlockingThread.detach { [self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                let number = accepted.withLock { count in
                    defer { count += 1 }
                    return count
                }
                open.withLock { _ = $0.insert(connection) }
                BlockingThread.detach { [self] in
                    script(number, ScriptedPeer(descriptor: connection))
                    open.withLock { _ = $0.remove(connection) }
                    close(connection)
                }
            }
            // Whoever closed it while this still accepts would let it accept what the next server with that descriptor is sent.
            close(listener)
        }
    }

    /// Connections that have been accepted.
    var connections: Int { accepted.withLock { $0 } }

    var url: String { "http://127.0.0.1:\(port)" }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        open.withLock { $0.forEach { shutdown($0, Int32(SHUT_RDWR)) } }
    }
}

/// The other end of a connection, in a script.
struct ScriptedPeer: Sendable {
    let descriptor: Int32

    /// Reads up to the empty line, and answers what came; nil when the peer is gone. Bodies stay unread.
    func readHead() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard read(descriptor, &byte, 1) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @discardableResult
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Each byte in a packet of its own.
    func sendByteByByte(_ text: String) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        for byte in text.utf8 {
            guard write(descriptor, [byte], 1) == 1 else { return }
        }
    }

    /// Waits until the peer has closed, and reads over what it still sends.
    func waitForEnd() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }

    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }
}
