import JSON
import Network

/// Whether a request comes from the console's own page, or from a program that is no browser.
///
/// A cookie with `SameSite=Strict` does not say so: to it all ports of a machine are one site, and any page that a developer has
/// open on another port would act for whoever is signed in. A browser says by itself where a request comes from, and no
/// page can change that.
enum OriginCheck {
    static func isOwn(_ head: HTTPRequestHead, _ visit: ConsoleVisit) -> Bool {
        let isReading = head.method == .get || head.method == .head
        if let site = head.fields["sec-fetch-site"] {
            // `none` is a person who typed the address: they may look, and a download begins so.
            guard site == "same-origin" || site == "none" && isReading else { return false }
        }
        let origins = head.fields.values(of: "origin" as StaticString)
        guard origins.allSatisfy({ isOwn($0, visit) }) else { return false }
        return true
    }

    /// The scheme does not matter: whoever has the name and the port has the page in either.
    private static func isOwn(_ origin: String, _ visit: ConsoleVisit) -> Bool {
        guard let authority = visit.authority else { return false }
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { origin.hasPrefix($0) }) else { return false }
        let named = origin.dropFirst(scheme.count).lowercased()
        return ByteText(named) == ByteText(authority.lowercased())
    }
}
