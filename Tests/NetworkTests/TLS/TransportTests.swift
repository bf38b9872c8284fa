import Glibc
import Testing

@testable import Network

@Suite("A transport that offers TLS")
struct TransportTests {
    private static func pair() -> (Int32, Int32) {
        var descriptors: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        precondition(socketpair(AF_UNIX, type, 0, &descriptors) == 0)
        return (descriptors[0], descriptors[1])
    }

    @Test("tells of bytes that the socket does not tell of any more")
    func hasMore() throws {
        let (clientEnd, serverEnd) = Self.pair()
        let context = try TestCertificates.client()
        var client = try Transport(FileDescriptor(owning: clientEnd), securedBy: context, host: "localhost")
        var server = Transport(FileDescriptor(owning: serverEnd), offering: try TestCertificates.server())
        var buffer = [UInt8](repeating: 0, count: 10)
        let sent = Array("0123456789abcdefghijklmno".utf8)
        var received: [UInt8] = []
        for _ in 0..<10 {
            if received.isEmpty { _ = sent.withUnsafeBytes { client.write($0) } }
            guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ server.read(into: $0) }) else { continue }
            received += buffer[..<count]
            let hasMore = server.hasMore
            #expect(hasMore == (received.count < sent.count))
            if !hasMore { break }
        }
        #expect(received == sent)
        let isSecure = server.isSecure
        #expect(isSecure)
    }

    @Test("tells of an end that comes with the last bytes")
    func end() throws {
        let (clientEnd, serverEnd) = Self.pair()
        let context = try TestCertificates.client()
        var client = try Transport(FileDescriptor(owning: clientEnd), securedBy: context, host: "localhost")
        var server = Transport(FileDescriptor(owning: serverEnd), offering: try TestCertificates.server())
        var buffer = [UInt8](repeating: 0, count: 100)
        for _ in 0..<4 {
            _ = [UInt8](repeating: 1, count: 1).withUnsafeBytes { client.write($0) }
            if case .bytes = buffer.withUnsafeMutableBytes({ server.read(into: $0) }) { break }
        }
        _ = [UInt8](repeating: 1, count: 1).withUnsafeBytes { client.write($0) }
        client.close(isOrderly: true)
        guard case .bytes = buffer.withUnsafeMutableBytes({ server.read(into: $0) }) else {
            Issue.record("no bytes")
            return
        }
        let hasMore = server.hasMore
        #expect(hasMore)
        guard case .ended = buffer.withUnsafeMutableBytes({ server.read(into: $0) }) else {
            Issue.record("no end")
            return
        }
    }

    @Test("stays plain when the first byte is not that of TLS, and waits for it before it writes")
    func plain() throws {
        let (clientEnd, serverEnd) = Self.pair()
        let client = FileDescriptor(owning: clientEnd)
        var server = Transport(FileDescriptor(owning: serverEnd), offering: try TestCertificates.server())
        var buffer = [UInt8](repeating: 0, count: 10)
        guard case .wouldBlock = [UInt8](repeating: 1, count: 1).withUnsafeBytes({ server.write($0) }) else {
            Issue.record("it wrote before it knew how")
            return
        }
        let waits = server.writeWaitsForReading
        #expect(waits)
        #expect(write(client.raw, "GET", 3) == 3)
        guard case .bytes(3) = buffer.withUnsafeMutableBytes({ server.read(into: $0) }) else {
            Issue.record("it did not read the whole")
            return
        }
        let isSecure = server.isSecure
        #expect(!isSecure)
        guard case .bytes(1) = [UInt8](repeating: 1, count: 1).withUnsafeBytes({ server.write($0) }) else {
            Issue.record("it did not write")
            return
        }
    }
}
