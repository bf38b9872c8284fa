import JSON
import Store

/// Why a call is refused: Cognito's name for it, and its text. Clients branch on the name and show the text.
package struct PoolError: Error, Sendable, Equatable {
    package let type: String
    package let message: String
    /// For the log: what a person should know, and a caller should not.
    package var reason: String?
    private let storeError: StoreError?
    /// The message about which the app has to be asked before the change can be made.
    private(set) var unworded: UnwordedMessage?

    /// A message to a user: what has happened, as functions are told, and the user's number.
    struct UnwordedMessage: Sendable, Equatable {
        let source: String
        let user: Int64
    }

    package init(_ type: String, _ message: String, reason: String? = nil) {
        self.type = type
        self.message = message
        self.reason = reason
        storeError = nil
    }

    /// The status of its answer.
    package var status: Int {
        switch type {
        case "InternalErrorException": 500
        case "TooManyRequestsException": 429
        case "ServiceUnavailable": 503
        default: 400
        }
    }
}

extension PoolError: RowFailure {
    /// What goes wrong with the database is no caller's business.
    package init(_ error: StoreError) {
        switch StoreFault(error) {
        case .busy:
            type = "TooManyRequestsException"
            message = "Too many requests. Try again later."
        case .unavailable:
            type = "ServiceUnavailable"
            message = "The service is temporarily unavailable."
        case .value(let fault):
            type = "InvalidParameterException"
            message = "\(fault)."
        case .failed:
            type = "InternalErrorException"
            message = "Something went wrong"
        }
        reason = error.message
        storeError = error
    }

    package var ofStore: StoreError? { storeError }
}

extension PoolError {
    /// Undoes a change that sends a message about which the app was not asked.
    static func unworded(_ source: String, _ user: Int64) -> PoolError {
        var error = PoolError("InternalErrorException", "Something went wrong")
        error.reason = "a message was sent without asking the app's functions about it"
        error.unworded = UnwordedMessage(source: source, user: user)
        return error
    }

    static func notAuthorized(_ message: String) -> PoolError { PoolError("NotAuthorizedException", message) }
    static func invalidParameter(_ message: String) -> PoolError { PoolError("InvalidParameterException", message) }
    static func notFound(_ message: String) -> PoolError { PoolError("ResourceNotFoundException", message) }

    static func unknownOperation(_ target: String) -> PoolError {
        let name =
            target.utf8.lastIndex(of: UInt8(ascii: ".")).map { target[target.index(after: $0)...] } ?? target[...]
        let message = "\(name.prefix(operationNameMax)) is none of the operations that are served here."
        return PoolError("UnknownOperationException", message, reason: message)
    }

    private static let operationNameMax = 64

    static let wrongPassword = notAuthorized("Incorrect username or password.")
    static let tooManyPasswords = notAuthorized("Password attempts exceeded")
    static let tooManyAttempts = PoolError(
        "LimitExceededException", "Attempt limit exceeded, please try after some time.")
    static let userNotFound = PoolError("UserNotFoundException", "User does not exist.")
    static let notConfirmed = PoolError("UserNotConfirmedException", "User is not confirmed.")
    static let disabled = notAuthorized("User is disabled.")
    static let resetRequired = PoolError("PasswordResetRequiredException", "Password reset required for the user")
    static let wrongCode = PoolError(
        "CodeMismatchException", "Invalid verification code provided, please try again.")
    static let expiredCode = PoolError(
        "ExpiredCodeException", "Invalid code provided, please request a code again.")
    static let invalidSession = notAuthorized("Invalid session for the user.")
    static let expiredSession = notAuthorized("Invalid session for the user, session is expired.")
    static let usedSession = notAuthorized("Invalid session for the user, session can only be used once.")
    static let unknownDevice = notFound("Device does not exist.")
    static let invalidRefreshToken = notAuthorized("Invalid Refresh Token.")
    static let missingScope = notAuthorized("Access Token does not have required scopes")
    static let invalidAccessToken = notAuthorized("Invalid Access Token")

    static func invalidPassword(_ message: String) -> PoolError { PoolError("InvalidPasswordException", message) }
    static func unknownClient(_ id: String) -> PoolError { notFound("User pool client \(id) does not exist.") }
    static func unknownPool(_ id: String) -> PoolError { notFound("User pool \(id) does not exist.") }
}
