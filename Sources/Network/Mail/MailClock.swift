import Threads

/// The time of day as a sender of mails needs it, and its alarms.
package protocol MailClock: Sendable {
    /// Milliseconds since 1970.
    var milliseconds: Int64 { get }
    /// Calls the action on the loop, where this is called as well, when so much time has passed; what it answers cancels that.
    func alarm(after milliseconds: Int64, on loop: EventLoop, _ action: @escaping @Sendable () -> Void) -> () -> Void
}

/// The machine's clock and the loop's timers.
package struct SystemMailClock: MailClock {
    package init() {}

    package var milliseconds: Int64 { SystemClock.wall.milliseconds }

    package func alarm(
        after milliseconds: Int64, on loop: EventLoop, _ action: @escaping @Sendable () -> Void
    ) -> () -> Void {
        let token = loop.schedule(at: MonotonicTime.now.advanced(byMilliseconds: Int(clamping: milliseconds)), action)
        return { loop.cancel(token) }
    }
}
