import JSON

/// Tells who has signed a request to one of the services beside the API. The signature is over everything that decides what the
/// request does: host, date, target and body.
package struct SignerCheck: Sendable {
    private let signatures: SignatureVerifier
    /// True if the signature has to be over the type of the body too.
    private let demandsType: Bool

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
        // Not the content type, which some SDKs never sign: see `checkType`.
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
        demandsType = ByteText(service) == ByteText(Self.administration)
    }

    /// The service whose requests change users: there the type is signed as well.
    private static let administration = "cognito-idp"

    package func principal(of request: CredentialRequest, now: Int64) throws(Refusal) -> IAMPrincipal {
        let read = request.fields.withOnly("authorization") { text in
            SignatureHeader.begins(text)
                ? Result { () throws(Refusal) in try SignatureHeader(text) } : .failure(.missingSignature)
        }
        guard let header = try read?.get() else { throw .missingSignature }
        if demandsType { try Self.checkType(of: request, signedBy: header) }
        guard case .principal(let principal) = try signatures.identity(of: request, signedBy: header, now: now).proof
        else { throw .unknownAccessKey }
        return principal
    }

    /// SDKs that never sign the type of a body, by how they begin to tell what they are: JavaScript's second version, which the functions of
    /// many projects call, and PHP's.
    private static let clientsWithoutType = ["aws-sdk-nodejs/2.", "aws-sdk-js/2.", "aws-sdk-php/"]

    /// Throws where nobody has signed the type of the body. Who never does so may say the one that the service has, and no other.
    private static func checkType(of request: CredentialRequest, signedBy header: SignatureHeader) throws(Refusal) {
        let types = request.fields.values(of: "content-type")
        guard !types.isEmpty, !header.signs("content-type") else { return }
        let names = request.fields.values(of: "user-agent") + request.fields.values(of: "x-amz-user-agent")
        let signsNone = names.contains { name in clientsWithoutType.contains { name.utf8.starts(with: $0.utf8) } }
        guard signsNone, types.allSatisfy({ $0.utf8.starts(with: "application/x-amz-json-1.".utf8) }) else {
            throw .incompleteSignature("'content-type' must be a 'SignedHeader' in the AWS Authorization.")
        }
    }
}
