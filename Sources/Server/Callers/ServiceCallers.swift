import Access

/// Who may call the services that share the port: administrators, and the app's functions with the keys that they are given.
struct ServiceCallers: Sendable {
    private let administrators: [PrincipalCredential]
    private let functions: FunctionRoles?

    init(_ configuration: Configuration, _ functions: FunctionRoles?) {
        administrators = configuration.administrators
        self.functions = functions
    }

    /// - Parameters:
    ///   - service: what a signature must be for.
    ///   - region: where it must be for; nil: anywhere.
    func of(_ service: String, in region: String? = nil) -> AdministratorCheck {
        AdministratorCheck(administrators, functions, service: service, region: region)
    }
}
