import Glibc
import Network
import Synchronization
import TestSupport
import Testing

/// A line to a PostgreSQL on this machine that passes whole messages on, in both directions, and ends or holds up a connection behind a given one.
///
///     node ── startup, Q, P, B, E, S … ──▶ │ counted │ ──▶ PostgreSQL
///          ◀── R, S, K, Z, 1, 2, D, C … ── │         │ ◀──
///
/// Messages of all connections are counted together. The one that is reached is passed on whole, and nothing behind it. It takes no TLS.
package final class CutLine: Sendable {
    package enum Fault: Sendable {
        /// Ends the connection, for both sides.
        case cut
        /// Lets nothing of this direction pass for a while.
        case delay(Duration)
        /// Ends all connections, and takes no others until `open`: to the server, the process at this end is gone.
        case death
    }

    package let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let state = Mutex(State())

    private struct State {
        var isOver = false
        var isDead = false
        var messageCount = 0
        var fault: (at: Int, kind: Fault)?
        var faultCount = 0
        var lines: [ObjectIdentifier: Line] = [:]
    }

    /// A connection: both ends, which are closed when neither direction uses them any more.
    private final class Line: Sendable {
        let client: Int32
        let server: Int32

        init(_ client: Int32, _ server: Int32) { (self.client, self.server) = (client, server) }

        func cut() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }

        deinit {
            Glibc.close(client)
            Glibc.close(server)
        }
    }

    package init(to target: UInt16) throws {
        self.target = target
        let listener = Self.socket()
        _ = SocketAddress.loopback(port: 0).withSystemAddress { bind(listener, $0, $1) }
        try #require(listen(listener, 64) == 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &length) }
        }
        (self.listener, port) = (listener, UInt16(bigEndian: address.sin_port))
        BlockingThread.detach { [self] in accept() }
    }

    private static func socket() -> Int32 {
        Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// Has a fault come behind so many further messages. One that is still to come is replaced.
    package func arm(_ fault: Fault, behind messages: Int) {
        state.withLock { $0.fault = ($0.messageCount + max(1, messages), fault) }
    }

    /// Takes connections again.
    package func open() { state.withLock { $0.isDead = false } }

    /// How many faults there were.
    package var faultCount: Int { state.withLock { $0.faultCount } }

    package var messageCount: Int { state.withLock { $0.messageCount } }

    package func close() {
        let lines = state.withLock { state in
            state.isOver = true
            return Array(state.lines.values)
        }
        for line in lines { line.cut() }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            let line = Line(client, Self.socket())
            let isConnected =
                SocketAddress.loopback(port: target).withSystemAddress { connect(line.server, $0, $1) } == 0
            let (isOver, isTaken) = state.withLock { state in
                let isTaken = isConnected && !state.isOver && !state.isDead
                if isTaken { state.lines[ObjectIdentifier(line)] = line }
                return (state.isOver, isTaken)
            }
            if isOver { break }
            guard isTaken else { continue }
            // As on a network: what is small goes out at once.
            for socket in [line.client, line.server] {
                var one: Int32 = 1
                setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
            }
            BlockingThread.detach { [self] in pass(line, from: line.client, to: line.server, beginsWithStartup: true) }
            BlockingThread.detach { [self] in pass(line, from: line.server, to: line.client, beginsWithStartup: false) }
        }
        Glibc.close(listener)
    }

    /// Passes messages on until one end is gone or the connection is cut.
    private func pass(_ line: Line, from source: Int32, to goal: Int32, beginsWithStartup: Bool) {
        var waiting: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var isStartup = beginsWithStartup
        reading: while true {
            let count = read(source, &bytes, bytes.count)
            guard count > 0 else { break }
            waiting += bytes[..<count]
            // As many whole messages as there are, up to one with a fault.
            var sent = 0
            while true {
                var end = sent
                var fault: Fault?
                while fault == nil, let next = Self.end(ofMessageAt: end, in: waiting, isStartup: isStartup) {
                    (end, isStartup) = (next, false)
                    fault = countedFault()
                }
                guard end > sent else { break }
                guard Self.send(waiting[sent..<end], to: goal) else { break reading }
                sent = end
                switch fault {
                case .cut?: break reading
                case .death?:
                    die()
                    break reading
                case .delay(let time)?: pause(time, because: "a line that is slow")
                case nil: break
                }
            }
            waiting.removeFirst(sent)
        }
        line.cut()
        state.withLock { _ = $0.lines.removeValue(forKey: ObjectIdentifier(line)) }
    }

    /// The place behind a message; nil where it has not come whole.
    private static func end(ofMessageAt place: Int, in bytes: [UInt8], isStartup: Bool) -> Int? {
        // The first message of a client has no letter.
        let head = place + (isStartup ? 0 : 1)
        guard bytes.count >= head + 4 else { return nil }
        let end = head + bytes[head..<head + 4].reduce(0) { $0 << 8 | Int($1) }
        return bytes.count >= end ? end : nil
    }

    /// Ends all connections, and takes no others until `open`.
    package func die() {
        let lines = state.withLock { state in
            state.isDead = true
            return Array(state.lines.values)
        }
        for line in lines { line.cut() }
    }

    private func countedFault() -> Fault? {
        state.withLock { state in
            state.messageCount += 1
            guard let fault = state.fault, fault.at <= state.messageCount else { return nil }
            state.fault = nil
            state.faultCount += 1
            return fault.kind
        }
    }

    private static func send(_ bytes: ArraySlice<UInt8>, to goal: Int32) -> Bool {
        bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                let count = Glibc.send(
                    goal, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
