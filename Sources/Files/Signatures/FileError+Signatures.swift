/// What is wrong with how a request is signed.
extension FileError {
    package static let signatureDoesNotMatch = FileError(
        403, "SignatureDoesNotMatch",
        "The request signature we calculated does not match the signature you provided. Check your key and signing method."
    )
    package static let invalidAccessKeyID = FileError(
        403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.")
    package static let invalidToken = FileError(
        400, "InvalidToken", "The provided token is malformed or otherwise invalid.")
    package static let expiredToken = FileError(400, "ExpiredToken", "The provided token has expired.")
    package static let requestTimeTooSkewed = FileError(
        403, "RequestTimeTooSkewed",
        "The difference between the request time and the server's time is too large.")
    static let unsupportedMechanism = FileError.invalidRequest(
        "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.")
    static let severalMechanisms = FileError.invalidArgument(
        "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified"
    )

    static func accessDenied(_ message: String) -> FileError { FileError(403, "AccessDenied", message) }

    static func malformedHeader(_ message: String) -> FileError {
        FileError(400, "AuthorizationHeaderMalformed", "The authorization header is malformed; \(message)")
    }

    static func malformedLink(_ message: String) -> FileError {
        FileError(400, "AuthorizationQueryParametersError", message)
    }

    /// Fields that came and that nobody has signed.
    static func notSigned(_ name: String) -> FileError {
        accessDenied("There were headers present in the request which were not signed").with("HeadersNotSigned", name)
    }
}
