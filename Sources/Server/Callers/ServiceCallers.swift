import Access
import Crypto

/// The callers of the services that share the port: administrators, and the app's functions with the keys that they are given.
struct ServiceCallers: Sendable {
    private let administrators: [PrincipalCredential]
    private let functions: FunctionRoles?

    /// - Parameter own: those of the server itself, for what resolvers ask of it by its own address.
    init(_ configuration: Configuration, _ functions: FunctionRoles?, _ own: PrincipalCredential? = nil) {
        administrators = configuration.administrators + [own].compactMap { $0 }
        self.functions = functions
    }

    init(administrators: [PrincipalCredential]) { (self.administrators, functions) = (administrators, nil) }

    /// Credentials that nobody but this server knows, as long as it runs.
    static func ownCredential() -> PrincipalCredential {
        let id = "ASIA" + Base32.text(of: RandomBytes.make(count: keyBytes))
        return PrincipalCredential(
            secret: Base64.text(of: RandomBytes.make(count: secretBytes), .standard),
            principal: IAMPrincipal(role: .administrator, accessKeyID: id))
    }

    private static let keyBytes = 10
    private static let secretBytes = 32

    /// - Parameters:
    ///   - service: what a signature must be for.
    ///   - region: where it must be for; nil: anywhere.
    func of(_ service: String, in region: String? = nil) -> AdministratorCheck {
        AdministratorCheck(administrators, functions, service: service, region: region)
    }
}
