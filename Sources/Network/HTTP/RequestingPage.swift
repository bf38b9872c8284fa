/// Which web page a request comes from, as the browser says it. No page can change these headers.
///
/// `Origin` alone does not say it: browsers leave it out of images, links and typed addresses. `Sec-Fetch-Site` is on those too.
/// A cookie with `SameSite=Strict` says less than either: to it, all ports of a machine are one site.
package enum RequestingPage: Sendable {
    /// A program, or a browser that is too old to say.
    case none
    /// No page: a person typed the address, or followed a bookmark.
    case typed
    /// A page of this server's own origin.
    case own
    /// A page of another origin: another site, another port, or a sandboxed page.
    case foreign

    /// - Parameter authority: the name and port by which the browser has called the server; nil: no page is its own.
    package init(of head: HTTPRequestHead, at authority: String?) {
        var page = RequestingPage.none
        for site in head.fields.values(of: "sec-fetch-site" as StaticString) {
            switch Array(site.utf8) {
            case Array("same-origin".utf8): page = .own
            case Array("none".utf8): page = .typed
            default:
                self = .foreign
                return
            }
        }
        for origin in head.fields.values(of: "origin" as StaticString) {
            guard let authority, Self.isOwn(origin, authority) else {
                self = .foreign
                return
            }
            if case .none = page { page = .own }
        }
        self = page
    }

    /// The scheme does not matter: whoever has the name and the port has the page in either.
    private static func isOwn(_ origin: String, _ authority: String) -> Bool {
        guard let scheme = schemes.first(where: { origin.utf8.starts(with: $0.utf8) }) else { return false }
        return origin.utf8.dropFirst(scheme.utf8.count).lazy.map(HTTPCharacters.lowercased)
            .elementsEqual(authority.utf8.lazy.map(HTTPCharacters.lowercased))
    }

    private static let schemes = ["http://", "https://"]
}
