/// Where a request comes from, as far as it decides which credentials count.
package enum RequestSource: Sendable {
    /// Another machine, or a name that is not this machine's own, or a proxy: anybody.
    case elsewhere
    /// A web page of another origin, in a browser on this machine: any page that its user happens to visit.
    case foreignPage
    /// Anything else on this machine.
    case thisMachine
}

extension PrincipalCredential {
    /// From where the credentials count.
    package enum Reach: Sendable {
        case anywhere
        /// They are no secret: requests from this machine only. Web pages of any origin may use them, as apps do that are worked on.
        case thisMachine
        /// They are no secret and may do everything: programs on this machine, and no web page of another origin.
        case programsOfThisMachine
    }

    /// Why the credentials do not count for a request from there; nil: they do.
    package func fault(from source: RequestSource) -> String? {
        switch (reach, source) {
        case (.anywhere, _), (_, .thisMachine), (.thisMachine, .foreignPage): nil
        case (_, .elsewhere): "these keys count on this machine only"
        case (.programsOfThisMachine, .foreignPage):
            "these keys count for programs only, and a web page of another origin sent this"
        }
    }
}
