import Access

/// The callers of the services that share the port: administrators, and the app's functions and data sources with the keys that they are
/// given.
struct ServiceCallers: Sendable {
    private let administrators: [PrincipalCredential]
    private let given: GivenCredentials?

    /// - Parameter given: the keys of functions and of data sources.
    init(_ configuration: Configuration, _ given: GivenCredentials) {
        (administrators, self.given) = (configuration.administrators, given)
    }

    init(administrators: [PrincipalCredential]) { (self.administrators, given) = (administrators, nil) }

    /// - Parameters:
    ///   - service: what a signature must be for.
    ///   - region: where it must be for; nil: anywhere.
    func of(_ service: String, in region: String? = nil) -> AdministratorCheck {
        AdministratorCheck(administrators, given, service: service, region: region)
    }
}
