/// An address taken apart as the URL standard does it. Everything in it is ASCII already.
package struct AddressRecord: Sendable {
    var scheme = ""
    var username = ""
    var password = ""
    /// Nothing where an address has none, empty in `file:///`.
    var host: String?
    var port: UInt16?
    /// Of an address with a path of parts.
    var path: [String] = []
    /// Of an address like `mailto:someone`, whose path means nothing here.
    var opaquePath: String?
    var query: String?
    var fragment: String?

    static func defaultPort(of scheme: String) -> UInt16? {
        switch scheme {
        case "http", "ws": 80
        case "https", "wss": 443
        case "ftp": 21
        default: nil
        }
    }

    static func isSpecial(_ scheme: String) -> Bool { scheme == "file" || defaultPort(of: scheme) != nil }

    var isSpecial: Bool { Self.isSpecial(scheme) }
    var hasCredentials: Bool { !username.isEmpty || !password.isEmpty }
    var cannotHaveCredentials: Bool { host == nil || host == "" || scheme == "file" }

    var pathname: String {
        opaquePath ?? path.map { "/" + $0 }.joined()
    }

    var hostAndPort: String {
        (host ?? "") + (port.map { ":\($0)" } ?? "")
    }

    var origin: String {
        if scheme == "blob", let inner = AddressParser.parse(Array(pathname.utf16)), inner.scheme.hasPrefix("http") {
            return inner.origin
        }
        return Self.defaultPort(of: scheme) == nil ? "null" : "\(scheme)://\(hostAndPort)"
    }

    var text: String {
        var text = scheme + ":"
        if host != nil {
            text += "//"
            if hasCredentials { text += username + (password.isEmpty ? "" : ":" + password) + "@" }
            text += hostAndPort
        } else if opaquePath == nil, path.count > 1, path[0].isEmpty {
            text += "/."
        }
        text += pathname
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }
}
