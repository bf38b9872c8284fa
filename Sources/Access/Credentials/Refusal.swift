import JSON

/// Why a request is refused as a whole: nobody has been recognised, so nothing of it is answered.
package struct Refusal: Error, Sendable, Equatable {
    package let status: Int
    package let errorType: String
    package let message: String
    /// What was wrong with the credential, for whoever runs the server: AppSync does not tell its clients.
    package private(set) var reason: String?

    private init(status: Int, errorType: String, message: String) {
        (self.status, self.errorType, self.message) = (status, errorType, message)
    }

    /// The same refusal with its reason.
    package func because(_ reason: String) -> Refusal {
        var refusal = self
        refusal.reason = reason
        return refusal
    }

    /// Two refusals are the same when a client cannot tell them apart.
    package static func == (one: Refusal, other: Refusal) -> Bool {
        one.status == other.status && one.errorType.utf8.elementsEqual(other.errorType.utf8)
            && one.message.utf8.elementsEqual(other.message.utf8)
    }

    private static func unauthorized(_ message: String) -> Refusal {
        Refusal(status: 401, errorType: "UnauthorizedException", message: message)
    }

    private static func forbidden(_ errorType: String, _ message: String) -> Refusal {
        Refusal(status: 403, errorType: errorType, message: message)
    }

    /// Neither a key nor a token nor a signature.
    package static let noCredential = unauthorized("Valid authorization header not provided.")
    /// A credential that is not good, or of a mode that the API does not have.
    package static let notAuthorized = unauthorized("You are not authorized to make this call.")
    package static let unparsableToken = unauthorized("Unable to parse JWT token.")
    package static let expiredToken = unauthorized("Token has expired.")
    /// An IAM principal that has no policy for a part of the operation.
    package static let permissionDenied = unauthorized("Permission denied")

    /// The function that decides about channels failed.
    static func authorizerFailed(_ message: String) -> Refusal {
        Refusal(status: 500, errorType: "AuthorizerFailureException", message: message)
    }

    static let unknownAccessKey = forbidden(
        "UnrecognizedClientException", "The security token included in the request is invalid.")

    /// True where no administrator and no function has the access key.
    package var isOfUnknownKey: Bool { self == .unknownAccessKey }

    /// Keys that were given out for a time, which is over.
    static let expiredCredentials = forbidden(
        "ExpiredTokenException", "The security token included in the request is expired")

    /// A request that must be signed, and is not.
    static let missingSignature = forbidden("MissingAuthenticationTokenException", "Missing Authentication Token")

    /// Somebody who is known and has no right to what they ask for.
    package static func accessDenied(_ principal: String, action: String) -> Refusal {
        forbidden("AccessDeniedException", "User: \(principal) is not authorized to perform: \(action)")
    }

    /// A role that has no right to do something, in IAM's words.
    ///
    /// - Parameter isByStatement: whether a statement denies it; else none allows it.
    package static func accessDenied(
        _ principal: String, action: String, resource: String, isByStatement: Bool
    ) -> Refusal {
        forbidden(
            "AccessDeniedException",
            "User: \(principal) is not authorized to perform: \(action) on resource: \(resource) "
                + (isByStatement
                    ? "with an explicit deny in an identity-based policy"
                    : "because no identity-based policy allows the \(action) action"))
    }

    static func incompleteSignature(_ message: String) -> Refusal {
        forbidden("IncompleteSignatureException", message)
    }

    static func signatureTime(_ message: String) -> Refusal {
        forbidden("InvalidSignatureException", message)
    }

    static func wrongSignature(canonical: String, toSign: String) -> Refusal {
        forbidden(
            "InvalidSignatureException",
            """
            The request signature we calculated does not match the signature you provided. Check your AWS Secret \
            Access Key and signing method. Consult the service documentation for details.

            The Canonical String for this request should have been
            '\(canonical)'

            The String-to-Sign should have been
            '\(toSign)'

            """)
    }
}
