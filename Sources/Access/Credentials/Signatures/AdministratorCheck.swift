/// Tells whether requests are signed by somebody who may do what they ask of a service: an administrator, or one of the app's
/// functions to which its project gives that.
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

    /// The signer of a request, who need not be allowed anything.
    package func principal(of request: CredentialRequest, now: Int64) throws(Refusal) -> IAMPrincipal {
        try signers.principal(of: request, now: now)
    }

    /// What of a request's caller is asked further; nil: an administrator may do everything. `action` names what it wants to do.
    package func rights(
        of request: CredentialRequest, for action: String, now: Int64
    ) throws(Refusal) -> FunctionRights? {
        let principal = try signers.principal(of: request, now: now)
        guard principal.role == .administrator else {
            throw .accessDenied(principal.userARN, action: "\(service):\(action)")
        }
        return principal.rights
    }

    /// Why a request may not be answered; nil where it may.
    ///
    /// - Parameter demands: what it asks for, all of which a function needs. Who asks for nothing is refused: it is a service that has
    ///   forgotten to say what its operation does.
    package func refusal(
        of request: CredentialRequest, for action: String, now: Int64, demands: () -> [RightsDemand]
    ) -> Refusal? {
        do throws(Refusal) {
            guard let rights = try rights(of: request, for: action, now: now) else { return nil }
            return rights.refusal(of: demands(), of: service, action)
        } catch {
            return error
        }
    }
}
