/// The words in which a service refuses calls, where services differ.
package final class ServiceWords: Sendable {
    /// The error for members that break their constraints, and that for a body that cannot be read.
    let invalid: CloudError
    let unreadable: CloudError
    /// The text that stands for a missing member in a refusal.
    let missing: String
    /// The refusal of a call without a required member, where it is no fault among others.
    let absence: (@Sendable (_ member: String) -> CloudError)?
    /// The text before the types of errors in answers; exceptions may have another.
    let space: String
    let exceptionSpace: String
    /// The end of the refusal of an unknown operation.
    let hint: String
    /// True if answers spell the message with a capital letter as well.
    let hasCapitalMessage: Bool
    /// True if answers have the code of the protocol of forms in a field.
    let hasQueryErrors: Bool
    /// The status of a call that its caller may not make, and the code of forms for it.
    let refusedStatus: Int
    let denied: String
    /// The refusal of a body that is too long, where it is another than that of one that cannot be read.
    let tooLong: CloudError?
    /// True if answers name the side that an error is of: `User` or `Server`.
    let namesSide: Bool

    /// The code of forms that most services have for a call that its caller may not make.
    package static let denied = "AccessDenied"

    package init(
        invalid: CloudError = CloudError("ValidationException", ""),
        unreadable: CloudError = CloudError("SerializationException", ""), missing: String = "Value",
        absence: (@Sendable (_ member: String) -> CloudError)? = nil, space: String = "",
        exceptionSpace: String? = nil, hint: String = "", hasCapitalMessage: Bool = false,
        hasQueryErrors: Bool = false, refusedStatus: Int = 400, denied: String = ServiceWords.denied,
        tooLong: CloudError? = nil, namesSide: Bool = false
    ) {
        (self.invalid, self.unreadable, self.missing, self.absence) = (invalid, unreadable, missing, absence)
        (self.space, self.exceptionSpace, self.hint) = (space, exceptionSpace ?? space, hint)
        (self.hasCapitalMessage, self.hasQueryErrors) = (hasCapitalMessage, hasQueryErrors)
        (self.refusedStatus, self.denied, self.tooLong, self.namesSide) = (refusedStatus, denied, tooLong, namesSide)
    }

    func invalid(_ message: String) -> CloudError { CloudError(invalid.type, code: invalid.code, message) }

    func unreadable(_ message: String, status: Int = 400) -> CloudError {
        CloudError(unreadable.type, code: unreadable.code, message, status: status)
    }

    func space(of type: String) -> String { type.utf8.reversed().starts(with: Self.ending) ? exceptionSpace : space }

    private static let ending = Array("Exception".utf8.reversed())
}
