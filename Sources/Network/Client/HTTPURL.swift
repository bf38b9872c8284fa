/// An absolute `http` or `https` URL, as a request to it needs it.
///
///     https://api.example.com:8443/path?query
///     scheme  host            port target
package struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    package let isSecure: Bool
    /// A name in lower case, or an address in numbers without brackets.
    package let host: String
    package let port: UInt16
    /// Path and query, as they stand in the request line.
    package let target: String

    /// The most bytes of a URL: as many as a server of ours takes in a target.
    package static let bytesMax = 16 * 1024

    /// Reads a URL that is written as RFC 3986 asks for: ASCII, with everything else in percent escapes. A fragment is
    /// left out, as it never goes to a server.
    package init(_ text: String) throws(HTTPURLError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.bytesMax else { throw .tooLong(limit: Self.bytesMax) }
        for (offset, byte) in bytes.enumerated() where !Self.isAllowed(byte) {
            throw .badCharacter(offset: offset)
        }
        guard let schemeEnd = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[schemeEnd...].starts(with: "://".utf8)
        else { throw .noScheme }
        switch String(decoding: bytes[..<schemeEnd], as: UTF8.self).lowercased() {
        case "http": isSecure = false
        case "https": isSecure = true
        case let other: throw .unknownScheme(other)
        }
        let authorityStart = schemeEnd + 3
        let authorityEnd = bytes[authorityStart...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        let authority = bytes[authorityStart..<authorityEnd]
        guard !authority.contains(UInt8(ascii: "@")) else { throw .hasCredentials }
        let (host, portDigits) = try Self.split(authority)
        self.host = host
        port = try Self.port(portDigits) ?? (isSecure ? 443 : 80)
        let target = bytes[authorityEnd...].prefix { $0 != UInt8(ascii: "#") }
        let slash = target.first == UInt8(ascii: "/") ? "" : "/"
        self.target = slash + String(decoding: target, as: UTF8.self)
    }

    /// The value of the `Host` field: the port only where it is not the scheme's own.
    package var authority: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    package var description: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }

    /// Printing ASCII but the few characters that mean something else to some reader of URLs.
    static func isAllowed(_ byte: UInt8) -> Bool {
        HTTPCharacters.isTarget(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    /// Host and port of "host:port" or "[address]:port".
    static func split(_ authority: ArraySlice<UInt8>) throws(HTTPURLError) -> (String, ArraySlice<UInt8>) {
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .badHost }
            let host = String(decoding: authority[(authority.startIndex + 1)..<end], as: UTF8.self)
            guard let address = SocketAddress(numeric: host, port: 0), case .version6 = address.host else {
                throw .badHost
            }
            let rest = authority[(end + 1)...]
            guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { throw .badHost }
            return (address.hostText, rest)
        }
        let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        let name = authority[..<end]
        guard isName(name) else { throw .badHost }
        return (String(decoding: name, as: UTF8.self).lowercased(), authority[end...])
    }

    /// Letters, digits, hyphens, dots, and the underscore that names in container networks have. A name whose last
    /// part starts with a digit must be an address: the resolver would else take "127.1" and "0x7f000001" for one.
    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        guard (1...253).contains(name.count) else { return false }
        var labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        let areLabels = labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    HTTPCharacters.isDigit(byte) || HTTPCharacters.lowercased(byte) &- 0x61 < 26
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                }
        }
        guard areLabels, let first = labels.last?.first else { return false }
        return !HTTPCharacters.isDigit(first)
            || SocketAddress(numeric: String(decoding: name, as: UTF8.self), port: 0) != nil
    }

    /// The number behind the colon; nil when there is none.
    static func port(_ text: ArraySlice<UInt8>) throws(HTTPURLError) -> UInt16? {
        let digits = text.dropFirst()
        guard !digits.isEmpty else { return nil }
        guard digits.count <= 5, digits.allSatisfy(HTTPCharacters.isDigit),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else { throw .badPort }
        return port
    }
}

/// Why a text is no URL that can be requested.
package enum HTTPURLError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    case badCharacter(offset: Int)
    case noScheme
    case unknownScheme(String)
    case hasCredentials
    case badHost
    case badPort

    package var description: String {
        switch self {
        case .tooLong(let limit): "a URL has at most \(limit) bytes"
        case .badCharacter(let offset): "byte \(offset) of the URL must be written as a percent escape"
        case .noScheme: "a URL starts with http:// or https://"
        case .unknownScheme(let scheme): "the scheme of a URL is http or https, not \(scheme)"
        case .hasCredentials: "a URL has no user name or password; give them in a header field"
        case .badHost: "the URL's host is neither a domain name nor an address (of version 6 in brackets)"
        case .badPort: "the URL's port is not a number from 1 to 65535"
        }
    }
}
