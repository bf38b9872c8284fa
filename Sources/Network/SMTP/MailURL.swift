/// Where mails are handed over: `smtp://user:password@mail.example.com:587`, or `smtps://` where TLS begins with the connection.
///
/// Neither it nor what may be wrong with it ever shows the password, nor any piece of the text that may be a part of it.
package struct MailURL: Sendable, Equatable, CustomStringConvertible {
    /// The use of TLS with `smtp://`.
    package enum StartTLS: Sendable, Equatable {
        /// Always but on this machine.
        case unlessLocal
        case always
        case never
    }

    /// True if TLS begins with the connection.
    package let isSecure: Bool
    /// A name in lower case, or an address in numbers without brackets.
    package let host: String
    package let port: UInt16
    package let credentials: MailCredentials?
    package let startTLS: StartTLS

    package static let bytesMax = 4_096
    private static let usualPort: UInt16 = 587
    private static let usualSecurePort: UInt16 = 465

    package init(_ text: String) throws(MailURLError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.bytesMax else { throw .tooLong(limit: Self.bytesMax) }
        guard let schemeEnd = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[schemeEnd...].starts(with: "://".utf8)
        else { throw .noScheme }
        switch String(decoding: bytes[..<schemeEnd], as: UTF8.self).lowercased() {
        case "smtp": isSecure = false
        case "smtps": isSecure = true
        default: throw .noScheme
        }
        if let offset = bytes.firstIndex(where: { !HTTPURL.isAllowed($0) }) { throw .badCharacter(offset: offset) }
        let rest = bytes[(schemeEnd + 3)...]
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let parts = rest[..<end].split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let place = parts.last, !rest[end...].contains(UInt8(ascii: "@")) else {
            throw .unescaped
        }
        credentials = parts.count == 2 ? try Self.credentials(parts[0]) : nil
        (host, port) = try Self.place(place, usualPort: isSecure ? Self.usualSecurePort : Self.usualPort)
        startTLS = try Self.startTLS(rest[end...], isSecure: isSecure)
        if startTLS == .never, credentials != nil, !Self.isLocal(host) { throw .passwordInClear }
    }

    package var description: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        let user = credentials == nil ? "" : "********@"
        let query: String =
            switch startTLS {
            case .unlessLocal: ""
            case .always: "?starttls=always"
            case .never: "?starttls=never"
            }
        return "\(isSecure ? "smtps" : "smtp")://\(user)\(name):\(port)\(query)"
    }

    private static func credentials(_ text: ArraySlice<UInt8>) throws(MailURLError) -> MailCredentials {
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .noPassword }
        return MailCredentials(user: try decoded(parts[0]), password: try decoded(parts[1]))
    }

    private static func decoded(_ text: ArraySlice<UInt8>) throws(MailURLError) -> String {
        guard HTTPPercentCoding.isValid(text) else { throw .unescaped }
        let decoded = HTTPPercentCoding.decoded(text)
        // What is no UTF-8 has been replaced by a sign for it, and was not what somebody meant.
        guard !decoded.unicodeScalars.contains(where: { $0 == "\u{FFFD}" || $0.properties.generalCategory == .control })
        else { throw .badCredentials }
        return decoded
    }

    private static func place(_ text: ArraySlice<UInt8>, usualPort: UInt16) throws(MailURLError) -> (String, UInt16) {
        do throws(HTTPURLError) {
            let (host, port) = try HTTPURL.split(text)
            return (host, try HTTPURL.port(port) ?? usualPort)
        } catch {
            throw error == .badPort ? .badPort : .badHost
        }
    }

    private static func startTLS(_ rest: ArraySlice<UInt8>, isSecure: Bool) throws(MailURLError) -> StartTLS {
        let query = rest.first == UInt8(ascii: "/") ? rest.dropFirst() : rest
        if query.isEmpty { return .unlessLocal }
        guard !isSecure else { throw .rest }
        switch String(decoding: query, as: UTF8.self) {
        case "?starttls=always": return .always
        case "?starttls=never": return .never
        default: throw .rest
        }
    }

    /// Returns whether the host is this machine by whatever resolver.
    private static func isLocal(_ host: String) -> Bool {
        host == "localhost" || SocketAddress(numeric: host, port: 0)?.isLoopback == true
    }
}

/// Why a text is no mail server's URL.
package enum MailURLError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    case noScheme
    case badCharacter(offset: Int)
    case unescaped
    case noPassword
    case badCredentials
    case badHost
    case badPort
    case rest
    case passwordInClear

    package var description: String {
        switch self {
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .noScheme: "it starts with neither smtp:// nor smtps://"
        case .badCharacter(let offset): "byte \(offset) must be written as a percent escape"
        case .unescaped: "@, :, /, ? and % in user and password are written as %40, %3A, %2F, %3F and %25"
        case .noPassword: "before the @ stand a user and a password, as user:password"
        case .badCredentials: "user and password are UTF-8 without control characters"
        case .badHost:
            "its host is neither a domain name nor an address (of version 6 in brackets), "
                + "or a character of user or password is not written as a percent escape"
        case .badPort:
            "its port is not a number from 1 to 65535, or a character of the password is not written as a percent escape"
        case .rest: "behind host and port stands nothing, or with smtp:// ?starttls=always or ?starttls=never"
        case .passwordInClear:
            "with ?starttls=never it has no user and password unless its host is localhost: they would go over the network in clear"
        }
    }
}
