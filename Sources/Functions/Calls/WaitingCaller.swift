import Network

/// Somebody who waits for a function, and may stop to. On the loop of the functions.
final class WaitingCaller: LoopBound, @unchecked Sendable {
    let loop: EventLoop
    private var invocation: PendingInvocation?
    private var alarm: TimerToken?
    private var hasGivenUp = false

    init(_ loop: EventLoop) { self.loop = loop }

    func wait(for invocation: PendingInvocation, milliseconds: Int?) {
        checkLoop()
        self.invocation = invocation
        if hasGivenUp { return giveUp() }
        alarm = milliseconds.map { milliseconds in
            loop.schedule(at: MonotonicTime.now.advanced(byMilliseconds: milliseconds)) { [weak self] in
                self?.alarm = nil
                self?.giveUp()
            }
        }
    }

    /// It waits no longer. A function that runs goes on.
    func giveUp() {
        checkLoop()
        hasGivenUp = true
        invocation?.finish(.givenUp)
    }

    func hasAnswer() {
        checkLoop()
        if let alarm { loop.cancel(alarm) }
        alarm = nil
        invocation = nil
    }
}
