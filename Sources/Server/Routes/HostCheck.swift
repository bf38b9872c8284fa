import Glibc
import JSON
import Network

/// Decides whether the name by which a client calls this server is one of its names.
///
/// A web page of a stranger can make its own name stand for 127.0.0.1 and then, in the eyes of the browser, call itself
/// when it calls this server. Its name is in the `host` field, so a name that is not ours is refused. An address in
/// numbers cannot be made to stand for another: the ones that lead here are accepted.
struct HostCheck: Sendable {
    private let names: Set<ByteText>
    private let addresses: Set<SocketAddress.Host>
    private let acceptsEveryAddress: Bool

    /// By these addresses emulators of phones reach the machine that they run on: Android's, and Genymotion's.
    private static let emulatorAddresses = ["10.0.2.2", "10.0.3.2"]

    /// By this name containers reach the machine that they run on. Nobody can make it stand for another in the whole
    /// internet's names: `internal` is reserved.
    private static let containerHost = "host.docker.internal"

    init(allowedHosts: [String], boundTo bound: [SocketAddress]) {
        names = Set((allowedHosts + [Self.containerHost]).map { ByteText(Self.normalized($0)) })
        addresses = Set((bound + Self.emulatorAddresses.compactMap { SocketAddress(numeric: $0, port: 0) }).map(\.host))
        acceptsEveryAddress = bound.contains { $0.isUnspecified }
    }

    /// Returns whether a request is meant for this server.
    func accepts(_ head: HTTPRequestHead) -> Bool {
        if Self.isPlain(head) { return true }
        guard let authority = head.authority ?? (head.minorVersion == 0 ? "localhost" : nil) else { return false }
        return accepts(authority)
    }

    /// Returns whether a request names this machine in one of the two ways in which nearly every client on it does.
    static func isPlain(_ head: HTTPRequestHead) -> Bool {
        head.withHostField { isLocal($0, "localhost") || isLocal($0, "127.0.0.1") } ?? false
    }

    /// Returns whether an authority ("host" or "host:port") is a name or an address of this machine's own, under which no other
    /// machine can reach it. The addresses of emulators stand for their machine's loopback address.
    static func isLoopback(_ authority: String) -> Bool {
        guard let host = host(of: authority) else { return false }
        if let address = SocketAddress(numeric: host, port: 0) {
            return address.isLoopback || emulatorAddresses.contains(host)
        }
        return isLocalName(normalized(host))
    }

    private static let nameBytesMax = 253
    private static let labelBytesMax = 63

    /// Whether that is `localhost`, or a name below it. Its parts have letters, digits, dashes and underscores: `evil.example/.localhost` would
    /// lead to another host once it stands in a link or an issuer.
    private static func isLocalName(_ name: String) -> Bool {
        guard name == "localhost" || name.hasSuffix(".localhost"), name.utf8.count <= nameBytesMax else { return false }
        return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...labelBytesMax).contains(label.count) && label.allSatisfy(isOfName)
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Returns whether that is the name, alone or with a port.
    static func isLocal(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        guard bytes.count >= count, let start = bytes.baseAddress, memcmp(start, name.utf8Start, count) == 0 else {
            return false
        }
        guard bytes.count > count else { return true }
        guard bytes[count] == UInt8(ascii: ":"), bytes.count > count + 1 else { return false }
        var port = 0
        for byte in bytes[(count + 1)...] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return false }
            port = port * 10 + Int(byte - UInt8(ascii: "0"))
            guard port <= UInt16.max else { return false }
        }
        return true
    }

    /// Returns whether a request for this authority ("host" or "host:port") is meant for this server.
    func accepts(_ authority: String) -> Bool {
        guard let host = Self.host(of: authority) else { return false }
        if let address = SocketAddress(numeric: host, port: 0) {
            return address.isLoopback || acceptsEveryAddress || addresses.contains(address.host)
                || names.contains(ByteText(host))
        }
        let name = Self.normalized(host)
        return Self.isLocalName(name) || names.contains(ByteText(name))
    }

    /// The host without port and brackets; nil when it is not well formed.
    private static func host(of authority: String) -> String? {
        let bytes = authority.utf8
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let rest = authority[bytes.index(after: end)...]
            guard rest.isEmpty || isPort(rest) else { return nil }
            return String(authority[bytes.index(after: bytes.startIndex)..<end])
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return authority }
        return isPort(authority[colon...]) ? String(authority[..<colon]) : nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        let number = String(Substring(text.utf8.dropFirst())).plainNumber
        return text.utf8.first == UInt8(ascii: ":") && number.map { $0 <= UInt16.max } ?? false
    }

    /// Names are the same in any case, and with the dot of the root at their end.
    private static func normalized(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
