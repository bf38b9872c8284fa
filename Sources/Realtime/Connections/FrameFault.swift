/// What becomes of a frame under tests.
package enum FrameFault: Sendable, Equatable {
    /// It is never sent.
    case lose
    /// It is sent later, and what comes behind it too.
    case delay(milliseconds: Int64)
}
