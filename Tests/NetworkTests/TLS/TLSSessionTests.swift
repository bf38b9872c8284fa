import Glibc
import Network
import TestSupport
import Testing

@Suite("A TLS session")
struct TLSSessionTests {
    private func peers(host: String = "localhost") throws -> TLSPeers {
        try TLSPeers(client: TestCertificates.client(), server: TestCertificates.server(), host: host)
    }

    @Test(
        "shakes hands for every name of its certificate",
        arguments: [
            "localhost", "127.0.0.1", "::1", "api.test", "any.wild.test", "LOCALHOST",
        ])
    func handshake(host: String) throws {
        var peers = try peers(host: host)
        #expect(peers.shakeHands() == (.done, .done))
        #expect(peers.client.version == "TLSv1.3")
        #expect(peers.client.applicationProtocol == "http/1.1")
        #expect(peers.server.applicationProtocol == "http/1.1")
    }

    @Test(
        "refuses a name that its certificate is not for, and says which it is for",
        arguments: [
            "example.com", "10.9.9.9", "a.b.wild.test", "wild.test", "localhost.evil.test",
        ])
    func wrongName(host: String) throws {
        var peers = try peers(host: host)
        guard case .failed(.untrusted(let reason, let names)) = peers.shakeHands().client else {
            Issue.record("the handshake went through")
            return
        }
        #expect(reason.contains("mismatch"))
        #expect(names?.contains("DNS:localhost") == true)
        #expect(peers.client.handshake() == .failed(.untrusted(reason: reason, names: names)), "a failure stays")
    }

    @Test("refuses a certificate of an authority it does not trust")
    func untrusted() throws {
        let folder = TemporaryFolder()
        let other = try CertificateAuthority.renew(in: folder.file("tls"))
        var peers = try TLSPeers(
            client: TLSContext(trusting: .file(other.files.authority)), server: TestCertificates.server(),
            host: "localhost")
        guard case .failed(.untrusted(_, let names)) = peers.shakeHands().client else {
            Issue.record("the handshake went through")
            return
        }
        #expect(names == nil)
    }

    @Test("carries any number of bytes both ways", arguments: [1, 100, 16_384, 16_385, 1_000_000])
    func carries(count: Int) throws {
        var peers = try peers()
        #expect(peers.shakeHands() == (.done, .done))
        let sent = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var written = 0
        var received: [UInt8] = []
        while received.count < count {
            // The bytes move between two attempts, which the session must allow.
            let rest = Array(sent[written...])
            if case .done(let taken) = rest.withUnsafeBytes({ peers.client.write($0) }) { written += taken }
            let (bytes, end) = peers.serverReads()
            #expect(end == .wantsRead)
            received += bytes
        }
        #expect(received == sent)
        let answer: [UInt8] = [1, 2, 3]
        #expect(answer.withUnsafeBytes { peers.server.write($0) } == .done(3))
        #expect(peers.clientReads().bytes == answer)
    }

    @Test("takes what the socket has room for and then waits")
    func waits() throws {
        var peers = try peers()
        #expect(peers.shakeHands() == (.done, .done))
        let bytes = [UInt8](repeating: 7, count: 64 << 20)
        var written = 0
        var result = TLSSession.WriteResult.done(0)
        while case .done(let count) = result {
            written += count
            result = bytes[written...].withUnsafeBytes { peers.client.write($0) }
        }
        #expect(result == .wantsWrite)
        #expect(written < bytes.count)
        #expect(!peers.serverReads().bytes.isEmpty)
        guard case .done = bytes[written...].withUnsafeBytes({ peers.client.write($0) }) else {
            Issue.record("no more was taken")
            return
        }
    }

    @Test("tells a goodbye from a connection that breaks off")
    func ends() throws {
        var orderly = try peers()
        #expect(orderly.shakeHands() == (.done, .done))
        #expect(orderly.client.shutdown() == .done)
        #expect(orderly.serverReads().end == .closed)
        #expect(orderly.server.shutdown() == .done)

        var broken = try peers()
        #expect(broken.shakeHands() == (.done, .done))
        shutdown(broken.clientDescriptor, Int32(SHUT_WR))
        #expect(broken.serverReads().end == .failed(.truncated))
        #expect(broken.server.shutdown() == .done)
    }

    @Test("fails a write to a peer that is gone, and the process lives on")
    func brokenPipe() throws {
        var peers = try peers()
        #expect(peers.shakeHands() == (.done, .done))
        shutdown(peers.clientDescriptor, Int32(SHUT_RD))
        let bytes: [UInt8] = [1]
        #expect(bytes.withUnsafeBytes { peers.server.write($0) } == .failed(.system(EPIPE)))
    }

    @Test(
        "fails on bytes that are not TLS, whole and byte by byte",
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "\u{16}\u{3}\u{1}\u{7f}\u{7f}",
            String(repeating: "\u{0}", count: 64),
        ])
    func notTLS(text: String) throws {
        for isWhole in [true, false] {
            var peers = try peers()
            let bytes = Array(text.utf8)
            var result = TLSSession.HandshakeResult.wantsRead
            for piece in isWhole ? [bytes] : bytes.map({ [$0] }) {
                #expect(write(peers.clientDescriptor, piece, piece.count) == piece.count)
                result = peers.server.handshake()
                if result != .wantsRead { break }
            }
            shutdown(peers.clientDescriptor, Int32(SHUT_WR))
            if result == .wantsRead { result = peers.server.handshake() }
            guard case .failed = result else {
                Issue.record("\(result)")
                continue
            }
        }
    }

    @Test("leaves no error behind that another session would take for its own")
    func separateErrors() throws {
        var failing = try peers(host: "example.com")
        var fine = try peers()
        guard case .failed = failing.shakeHands().client else {
            Issue.record("the handshake went through")
            return
        }
        #expect(fine.shakeHands() == (.done, .done))
        #expect(fine.serverReads().end == .wantsRead)
    }
}
