/// Tells whether requests are signed by an administrator of a service.
///
/// Only the keys of administrators that are configured count, and, where there are none, those for this machine: a token
/// is nobody here, and so are credentials that an identity pool has given out; the app's functions have keys for a time too. The signature is over everything that decides
/// what the request does: host, date, target, type and body.
package struct AdministratorCheck: Sendable {
    private let signers: SignerCheck
    private let service: String

    /// - Parameters:
    ///   - credentials: those of all principals; who is no administrator is known, and may do nothing.
    ///   - functions: who has given keys to the app's functions.
    ///   - service: what a signature must be for, in that region; nil: in any.
    package init(
        _ credentials: [PrincipalCredential], _ functions: (any TemporaryCredentials)? = nil, service: String,
        region: String?
    ) {
        self.service = service
        signers = SignerCheck(credentials, functions, service: service, region: region)
    }

    /// Why a request is no administrator's; nil for one that is. `action` names what it wants to do.
    package func refusal(of request: CredentialRequest, for action: String, now: Int64) -> Refusal? {
        do throws(Refusal) {
            let principal = try signers.principal(of: request, now: now)
            guard principal.role == .administrator else {
                return .accessDenied(principal.userARN, action: "\(service):\(action)")
            }
            return nil
        } catch {
            return error
        }
    }
}
