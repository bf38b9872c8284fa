import Glibc
import Network
import Testing

/// Measures the whole process, so it runs alone: HOMEPORT_MEASURE=1 swift test --filter TLSMemoryTests
@Suite("Idle TLS sessions", .enabled(if: getenv("HOMEPORT_MEASURE") != nil, "HOMEPORT_MEASURE is not set"))
struct TLSMemoryTests {
    private static let sessions = 400
    private static let bytesMax = 16 * 1024

    /// Resident pages: the second number of the kernel's line.
    private static var residentBytes: Int {
        guard let stream = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(stream) }
        var line = [UInt8]()
        while case let byte = fgetc(stream), byte != EOF { line.append(UInt8(truncatingIfNeeded: byte)) }
        let pages =
            String(decoding: line, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    @Test("cost little memory each when nothing is on its way")
    func idle() throws {
        let (client, server) = (try TestCertificates.client(), try TestCertificates.server())
        var kept: [TLSHolder] = []
        kept.append(try TLSHolder(client, server))
        let before = Self.residentBytes
        for _ in 0..<Self.sessions { kept.append(try TLSHolder(client, server)) }
        let each = (Self.residentBytes - before) / Self.sessions
        print("\(each) bytes for an idle session of a server")
        #expect(each < Self.bytesMax)
        withExtendedLifetime(kept) {}
    }
}

/// A server's session that has exchanged a request and an answer; its client is gone, both sockets are open.
private final class TLSHolder {
    private var server: TLSSession
    private let descriptors: [Int32]

    init(_ clientContext: TLSContext, _ serverContext: TLSContext) throws {
        var descriptors: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        precondition(socketpair(AF_UNIX, type, 0, &descriptors) == 0)
        var client = try TLSSession(connecting: clientContext, over: descriptors[0], host: "localhost")
        var server = try TLSSession(serving: serverContext, over: descriptors[1])
        for _ in 0..<4 {
            _ = client.handshake()
            _ = server.handshake()
        }
        precondition(client.handshake() == .done && server.handshake() == .done)
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = buffer.withUnsafeBytes { client.write($0) }
        while case .done = buffer.withUnsafeMutableBytes({ server.read(into: $0) }) {}
        _ = buffer.withUnsafeBytes { server.write($0) }
        while case .done = buffer.withUnsafeMutableBytes({ client.read(into: $0) }) {}
        precondition(buffer.withUnsafeMutableBytes { server.read(into: $0) } == .wantsRead)
        self.server = server
        self.descriptors = descriptors
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
