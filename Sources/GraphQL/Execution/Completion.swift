/// What became of the place of a value. Specification: section 6.4.3, CompleteValue().
package enum Completion: Sendable {
    /// A value stands there.
    case written
    /// Null stands there, and may.
    case null
    /// Null stands there and must not: what is around it is to become null. An error has said so.
    case broken

    /// Asked behind every value. Other rooms would compare by way of a table of witnesses.
    @inlinable @inline(__always)
    package var isBroken: Bool {
        if case .broken = self { true } else { false }
    }
}
