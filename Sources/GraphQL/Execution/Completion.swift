/// What became of the place of a value. Specification: section 6.4.3, CompleteValue().
package enum Completion: Sendable {
    /// A value stands there.
    case written
    /// Null stands there, and may.
    case null
    /// Null stands there and must not: what is around it is to become null. An error has said so.
    case broken
}
