/// Tells who has signed a request to one of the services beside the API. The signature is over everything that decides what the
/// request does: host, date, target and body.
package struct SignerCheck: Sendable {
    private let signatures: SignatureVerifier

    /// - Parameters:
    ///   - credentials: the keys that are configured.
    ///   - given: those that are given out for a time.
    ///   - service: what a signature must be for, in that region; nil: in any.
    package init(
        _ credentials: [PrincipalCredential], _ given: (any TemporaryCredentials)?, service: String, region: String?
    ) {
        var demands = SignatureDemands(service: service)
        demands.region = region
        demands.skewSeconds = AccessLimits.administratorSkewSeconds
        // Not the content type, which JavaScript's SDK 2 never signs: the target says what the body is.
        demands.signedFields = [
            "x-amz-client-context", "x-amz-content-sha256", "x-amz-date", "x-amz-invocation-type",
            "x-amz-security-token", "x-amz-target",
        ]
        demands.singleFields = demands.signedFields + ["authorization", "content-type", "host"]
        demands.isHostExact = true
        demands.takesAnySessionOnThisMachine = false
        var signatures = SignatureVerifier(credentials, demands)
        signatures.temporary = given
        self.signatures = signatures
    }

    package func principal(of request: CredentialRequest, now: Int64) throws(Refusal) -> IAMPrincipal {
        guard let text = request.fields.only("authorization"), SignatureHeader.begins(text) else {
            throw .missingSignature
        }
        guard case .principal(let principal) = try signatures.identity(of: request, signedBy: text, now: now).proof
        else { throw .unknownAccessKey }
        return principal
    }
}
