import JSON
import Network

/// The sender of a request that came through a proxy, and its address.
///
/// Anybody can write the fields in which proxies tell that (`X-Forwarded-For`, `-Proto`, `-Host`). They count only in what
/// comes from an address that is configured as a proxy's, and there only the last value: those before it may be the client's.
struct Forwarding: Sendable {
    private let proxies: [AddressRange]
    /// How many addresses of a chain of proxies are looked at.
    private static let chainMax = 32

    init(_ proxies: [AddressRange]) {
        self.proxies = proxies
    }

    /// The address of the client: the last in the chain that is no proxy's.
    func client(of head: HTTPRequestHead, from peer: SocketAddress) -> String { client(of: head.fields, from: peer) }

    /// The same of the fields of a request's head.
    func client(of fields: HTTPFields, from peer: SocketAddress) -> String {
        guard isProxy(peer) else { return peer.hostText }
        var client = peer
        let chain = fields.values(of: "x-forwarded-for" as StaticString).flatMap(Self.values)
        for value in chain.reversed().prefix(Self.chainMax) {
            guard let address = Self.address(value) else { break }
            client = address
            guard isProxy(address) else { break }
        }
        return client.hostText
    }

    /// Scheme and authority by which the client has called the server; nil where the request names none.
    func base(of head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool) -> String? {
        guard let authority = authority(of: head, from: peer) else { return nil }
        let told = isProxy(peer) ? Self.last(head.fields.values(of: "x-forwarded-proto" as StaticString)) : nil
        let scheme =
            switch told?.lowercased() {
            case "https": "https"
            case "http": "http"
            default: isSecure ? "https" : "http"
            }
        return "\(scheme)://\(authority)"
    }

    /// The authority by which the client has called the server.
    func authority(of head: HTTPRequestHead, from peer: SocketAddress) -> String? {
        guard isProxy(peer) else { return head.authority }
        return Self.last(head.fields.values(of: "x-forwarded-host" as StaticString)) ?? head.authority
    }

    /// Returns whether a proxy says by which authority the client has called the server.
    func isTold(_ head: HTTPRequestHead, from peer: SocketAddress) -> Bool {
        isProxy(peer) && Self.last(head.fields.values(of: "x-forwarded-host" as StaticString)) != nil
    }

    func isProxy(_ peer: SocketAddress) -> Bool {
        proxies.contains { $0.contains(peer.host) }
    }

    private static func last(_ values: [String]) -> String? {
        values.last.flatMap { Self.values($0).last }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func values(_ field: String) -> [String] {
        let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return field.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { part in
            let start = part.drop(while: blank)
            let end = start.lastIndex { !blank($0) }.map { start.index(after: $0) } ?? start.startIndex
            return String(Substring(start[..<end]))
        }
    }

    /// An address as proxies write it: alone, or with a port.
    private static func address(_ text: String) -> SocketAddress? {
        if let address = SocketAddress(numeric: text, port: 0) { return address }
        let bytes = text.utf8
        if bytes.first == UInt8(ascii: "["), let end = bytes.firstIndex(of: UInt8(ascii: "]")) {
            return SocketAddress(numeric: String(text[bytes.index(after: bytes.startIndex)..<end]), port: 0)
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return SocketAddress(numeric: String(text[..<colon]), port: 0)
    }
}
