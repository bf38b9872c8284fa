import CSystem
import Glibc
import Threads

/// One request to `/health`, with a deadline for all of it. It blocks: this is for a process that does nothing else.
enum HealthProbe {
    /// Why there is no answer.
    struct Failure: Error {
        let reason: String
    }

    /// More than any status line.
    private static let responseBytesMax = 512

    /// The HTTP status of the answer.
    static func status(of address: ListenAddress, milliseconds: Int) throws(Failure) -> Int {
        let deadline = SystemClock.monotonic.milliseconds + Int64(milliseconds)
        let socket = try connected(to: address, deadline)
        defer { close(socket) }
        let request = "GET /health HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n"
        var rest = Array(request.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, homeport_send_quietly) }
            if sent > 0 { rest = rest.dropFirst(sent) } else { try wait(for: POLLOUT, socket, deadline) }
        }
        var response: [UInt8] = []
        while response.count < responseBytesMax, !response.contains(UInt8(ascii: "\n")) {
            var part = [UInt8](repeating: 0, count: responseBytesMax)
            let received = recv(socket, &part, part.count, 0)
            if received > 0 {
                response += part.prefix(received)
            } else if received == 0 {
                break
            } else {
                try wait(for: POLLIN, socket, deadline)
            }
        }
        let words = String(decoding: response, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw Failure(reason: "expected an HTTP answer, found something else")
        }
        return status
    }

    private static func connected(to address: ListenAddress, _ deadline: Int64) throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(address.host, "\(address.port)", &hints, &found)
        guard status == 0, let first = found else {
            throw Failure(reason: "expected an address: \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(first) }
        var failure = Failure(reason: "no address")
        var next: UnsafeMutablePointer<addrinfo>? = first
        while let candidate = next?.pointee {
            next = candidate.ai_next
            do throws(Failure) {
                return try connected(to: candidate, deadline)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private static func connected(to candidate: addrinfo, _ deadline: Int64) throws(Failure) -> Int32 {
        let socket = Glibc.socket(
            candidate.ai_family, candidate.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        do throws(Failure) {
            if connect(socket, candidate.ai_addr, candidate.ai_addrlen) != 0 {
                guard errno == EINPROGRESS else { throw Failure(reason: String(cString: strerror(errno))) }
                try wait(for: POLLOUT, socket, deadline)
                var problem: Int32 = 0
                var length = socklen_t(MemoryLayout<Int32>.size)
                getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &length)
                guard problem == 0 else { throw Failure(reason: String(cString: strerror(problem))) }
            }
            return socket
        } catch {
            close(socket)
            throw error
        }
    }

    /// Waits until the socket is ready, after a call that said that it would block. Any other problem ends it.
    private static func wait(for event: Int32, _ socket: Int32, _ deadline: Int64) throws(Failure) {
        let problem = errno
        guard [EAGAIN, EINTR, EINPROGRESS].contains(problem) else {
            throw Failure(reason: String(cString: strerror(problem)))
        }
        let left = deadline - SystemClock.monotonic.milliseconds
        guard left > 0 else { throw Failure(reason: "no answer in time") }
        var entry = pollfd(fd: socket, events: Int16(event), revents: 0)
        let ready = poll(&entry, 1, Int32(clamping: left))
        if ready == 0 { throw Failure(reason: "no answer in time") }
        if ready < 0, errno != EINTR { throw Failure(reason: String(cString: strerror(errno))) }
    }
}
