import JSON

/// A request for a page, or for one of OAuth's doors.
package struct HostedRequest: Sendable {
    let method: HostedPath.Method
    let path: HostedPath
    /// Nil: malformed.
    let query: FormPairs?
    /// Nil: malformed, or no form.
    let form: FormPairs?
    let cookies: [String]
    let origins: [String]
    let fetchSites: [String]
    let authorizations: [String]
    /// Scheme and authority by which the server was called: one of its own names.
    let base: String
    let isSecure: Bool
    let address: String
    /// True if it comes from the server's own machine, as far as can be seen.
    let isFromThisMachine: Bool

    package static let bodyBytesMax = 64 << 10
    package static let formType = "application/x-www-form-urlencoded"

    /// - Parameters:
    ///   - query: what stands behind the `?`, as it was sent.
    ///   - contentTypes, cookies, origins, fetchSites, authorizations: every value of those fields.
    ///   - base: scheme, host and port by which the server was called.
    package init(
        _ method: HostedPath.Method, _ path: HostedPath, query: String = "", contentTypes: [String] = [],
        body: [UInt8] = [], cookies: [String] = [], origins: [String] = [], fetchSites: [String] = [],
        authorizations: [String] = [], base: String, address: String, isFromThisMachine: Bool = false
    ) {
        self.method = method
        self.path = path
        self.query = FormPairs(query.utf8)
        form =
            switch method {
            case .get: body.isEmpty ? FormPairs() : nil
            case .post: contentTypes.count == 1 && Self.isForm(contentTypes[0]) ? FormPairs(body) : nil
            }
        self.cookies = cookies
        self.origins = origins
        self.fetchSites = fetchSites
        self.authorizations = authorizations
        self.base = base
        isSecure = base.hasPrefix("https:")
        self.address = address
        self.isFromThisMachine = isFromThisMachine
    }

    private static func isForm(_ type: String) -> Bool {
        let name = type.utf8.prefix { $0 != UInt8(ascii: ";") }.filter {
            $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t")
        }
        return ByteText(String(decoding: name, as: UTF8.self).lowercased()) == ByteText(formType)
    }

    /// True if a browser sent this form from a page of ours, as far as its fields tell.
    ///
    /// A page without a referrer has no origin either: its browser sends `null`, and says by `Sec-Fetch-Site` whose it was.
    var isFromOwnPage: Bool {
        guard origins.count <= 1, fetchSites.count <= 1 else { return false }
        let isSameOrigin = fetchSites.first.map { ByteText($0) == "same-origin" }
        guard isSameOrigin ?? true else { return false }
        guard let origin = origins.first else { return true }
        if ByteText(origin) == "null" { return isSameOrigin ?? false }
        if ByteText(origin) == ByteText(base) { return true }
        // In front of a server without TLS may be a proxy that has it.
        return !isSecure && ByteText(origin) == ByteText("https" + base.dropFirst("http".count))
    }
}

/// The answer: a page, a redirect, or JSON for apps.
package struct HostedAnswer: Sendable {
    package var status: Int
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    /// Why it was refused, for the log.
    package var reason: String?
}
