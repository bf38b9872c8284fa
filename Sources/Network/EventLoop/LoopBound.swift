/// An object of one loop: the thread of the loop alone uses it, other threads just hold the reference.
///
/// That is why its classes may be `@unchecked Sendable`. Where one is entered from elsewhere, by a task, a closure or another
/// object, it begins with `checkLoop`.
package protocol LoopBound: AnyObject, Sendable {
    var loop: EventLoop { get }
}

extension LoopBound {
    /// Stops the process when this is another thread. Debug builds, tests among them, look; release builds do not.
    @inline(__always)
    package func checkLoop() {
        assert(loop.isCurrent, "\(Self.self) is used outside of its loop's thread")
    }
}
