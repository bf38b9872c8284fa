import CSystem
import Glibc
import Network

/// A blocking client that sends exactly the bytes it is told to, on a thread of its own where a test needs that.
package final class RawClient: @unchecked Sendable {
    // Safe to share: a test sends from one thread and reads from another at the most.

    /// Longer than a test waits for its turn on a busy machine, shorter than most tests may take: what did not come is told
    /// in the place where it was waited for.
    private static let patienceSeconds = 90

    private let descriptor: Int32
    private var received: [UInt8] = []

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package convenience init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        self.init(receiveBuffer: receiveBuffer)
        try connect(port: port)
    }

    package static func unconnected() throws -> RawClient { RawClient(receiveBuffer: nil) }

    private init(receiveBuffer: Int32?) {
        // A program that another test starts must not get it: the connection would stay open when this side closes it.
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        var timeout = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    package func connect(port: UInt16) throws {
        let outcome = SocketAddress.loopback(port: port).withSystemAddress {
            Glibc.connect(descriptor, $0, $1)
        }
        guard outcome == 0 else { throw Failure(description: "connect: \(errno)") }
    }

    deinit { close(descriptor) }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, homeport_send_quietly)
            }
            guard count > 0 else { throw Failure(description: "send: \(errno)") }
            sent += count
        }
    }

    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Everything up to the end of the connection.
    package func readToEnd() throws -> String {
        while try readSome() {}
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads until the text has come, and answers everything up to its end.
    package func read(through end: String) throws -> String {
        let end = Array(end.utf8)
        // A stream that says something every now and then could be waited on for ever.
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            guard ContinuousClock.now < deadline else {
                throw Failure(
                    description: "it has not come after \(String(decoding: received.suffix(2_000), as: UTF8.self))")
            }
            if let place = received.firstRange(of: end) {
                defer { received.removeFirst(place.upperBound) }
                return String(decoding: received[..<place.upperBound], as: UTF8.self)
            }
            guard try readSome() else {
                throw Failure(description: "the connection ended after \(String(decoding: received, as: UTF8.self))")
            }
        }
    }

    /// One answer: its head, and a body of the length that it tells.
    package func readAnswer() throws -> (head: String, body: String) {
        let (head, body) = try readAnswerBytes()
        return (head, String(decoding: body, as: UTF8.self))
    }

    /// The same with a body that is no text.
    package func readAnswerBytes() throws -> (head: String, body: [UInt8]) {
        let head = try read(through: "\r\n\r\n")
        let length = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
        let count = length.flatMap { Int($0.dropFirst("content-length: ".count)) } ?? 0
        while received.count < count, try readSome() {}
        guard received.count >= count else { throw Failure(description: "the body is too short") }
        defer { received.removeFirst(count) }
        return (head, Array(received.prefix(count)))
    }

    /// What has come by then and was not read yet: nil when nothing has, no bytes at the end of the connection.
    package func bytes(until deadline: ContinuousClock.Instant) throws -> [UInt8]? {
        if received.isEmpty {
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, Int32(max(1, min(left.rounded(.up), 60_000)))) > 0 else { return nil }
            guard try readSome() else { return [] }
        }
        defer { received = [] }
        return received
    }

    /// Reads what there is; false at the end of the connection.
    private func readSome() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure(description: "recv: \(errno)") }
        received.append(contentsOf: buffer[..<count])
        return count > 0
    }
}
