import Threads

/// A sleep of somebody on a loop, until a time comes or somebody says that there is something to do. What is said while nobody
/// sleeps ends the next sleep before it begins.
package final class WakeableSleep: LoopBound, @unchecked Sendable {
    // Safe to share: all of it is touched on the loop alone.
    package let loop: EventLoop
    private let clock: any MailClock
    private var isWoken = false
    private var isStopped = false
    private var sleeper: CheckedContinuation<Void, Never>?
    private var cancelAlarm: (() -> Void)?

    package init(on loop: EventLoop, clock: any MailClock) {
        self.loop = loop
        self.clock = clock
    }

    /// From here on it counts what is said: called before one looks for something to do.
    package func begin() {
        checkLoop()
        isWoken = false
    }

    package func wake() {
        checkLoop()
        isWoken = true
        end()
    }

    /// Ends this sleep and all to come.
    package func stop() {
        checkLoop()
        isStopped = true
        end()
    }

    /// - Parameters:
    ///   - time: when it ends; nil: not before somebody says so.
    ///   - milliseconds: how long it is at the most, whatever comes; nil: no time is too long.
    package func sleep(until time: Int64?, atMost milliseconds: Int64?) async {
        checkLoop()
        let now = max(0, clock.milliseconds)
        if let time, time <= now { return }
        await withCheckedContinuation { continuation in
            guard !isStopped, !isWoken else { return continuation.resume() }
            sleeper = continuation
            guard let left = [time.map { $0 - now }, milliseconds].compactMap(\.self).min() else { return }
            cancelAlarm = clock.alarm(after: left, on: loop) { [self] in end() }
        }
    }

    private func end() {
        checkLoop()
        cancelAlarm?()
        cancelAlarm = nil
        let sleeper = self.sleeper
        self.sleeper = nil
        sleeper?.resume()
    }
}
