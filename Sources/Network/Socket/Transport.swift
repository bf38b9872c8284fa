import CSystem
import Glibc

/// A connected stream socket that does not block.
struct Transport: ~Copyable {
    private var descriptor: FileDescriptor?
    let raw: Int32

    enum ReadResult {
        case bytes(Int)
        case wouldBlock
        case ended
        case failed(SystemError)
    }

    enum WriteResult {
        case bytes(Int)
        case wouldBlock
        case failed(SystemError)
    }

    init(_ descriptor: consuming FileDescriptor) {
        raw = descriptor.raw
        self.descriptor = consume descriptor
    }

    var isSecure: Bool { false }

    /// Gives the descriptor back to the system now, however long the transport itself lives on.
    mutating func close() {
        descriptor = nil
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        while true {
            let count = recv(raw, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed(SystemError(call: "recv")) }
        }
    }

    mutating func write(_ buffer: UnsafeRawBufferPointer) -> WriteResult {
        while true {
            let count = send(raw, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed(SystemError(call: "send")) }
        }
    }

    /// Sends a part of a file. No bytes means that the file has ended.
    mutating func writeFile(_ file: Int32, offset: Int, count: Int) -> WriteResult {
        while true {
            let sent = homeport_sendfile(raw, file, Int64(offset), count)
            if sent >= 0 { return .bytes(Int(sent)) }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed(SystemError(call: "sendfile")) }
        }
    }

    /// Says that nothing more will be written; what the peer still sends can be read.
    func shutdownWriting() {
        shutdown(raw, Int32(SHUT_WR))
    }
}
