/// The words in which a service refuses calls, where services differ.
package struct ServiceWords: Sendable {
    /// The type of the error for members that break their constraints.
    package var invalid = "ValidationException"
    /// The type of the error for a body that cannot be read.
    package var unreadable = "SerializationException"
    /// What a refusal shows of a member that is missing.
    package var missing = "Value"
    /// The text before the types of errors in answers.
    package var space = ""
    /// What the refusal of an unknown operation adds.
    package var hint = ""
    /// True if answers spell the message with a capital letter as well.
    package var hasCapitalMessage = false

    package init() {}
}
