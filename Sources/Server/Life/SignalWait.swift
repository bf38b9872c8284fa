import Glibc
import Network
import Synchronization

/// Waits for the signals by which people and systems steer a server, from the beginning of its start.
///
/// They are blocked in every thread, and one thread takes them one after the other: so what they cause runs in ordinary
/// code, where anything may be called, and not in a signal handler. The same thread sees to it that a stop has an end: it
/// waits for no other, so that the process ends in time whatever the others do.
final class SignalWait: Sendable {
    /// Logs that the time for a stop is over, and ends the process.
    typealias End = @Sendable () -> Never

    /// A signal that asks for the end.
    struct Stop: Sendable {
        let number: Int32
        let name: String
    }

    private static let stopping = [Stop(number: SIGTERM, name: "SIGTERM"), Stop(number: SIGINT, name: "SIGINT")]

    private let stopMilliseconds: Int
    private let whenRepeated: @Sendable () -> Void
    private let whenLate: End
    private let state = Mutex(State())

    /// The handlers, and the signals that came before there were any. The lock is never held while a handler runs.
    private struct State {
        var reload: (@Sendable () -> Void)?
        var stop: (@Sendable (Stop) -> Void)?
        var mustReload = false
        var stopSignal: Stop?
    }

    /// - Parameters:
    ///   - stopMilliseconds: how long after the first signal that asks for the end the process may live.
    ///   - whenRepeated: called at a second one, before the process ends at once.
    ///   - whenLate: called when that time is over.
    init(
        stopMilliseconds: Int, whenRepeated: @escaping @Sendable () -> Void = {}, whenLate: @escaping End
    ) {
        self.stopMilliseconds = stopMilliseconds
        self.whenRepeated = whenRepeated
        self.whenLate = whenLate
    }

    /// Called first of all, before any thread is made: threads inherit what is blocked.
    static func block() {
        var set = Self.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        ignoreFailures()
    }

    /// Has what would end the process be an error of a call.
    static func ignoreFailures() {
        // A client that is gone, or a file system that is full, is an error of a call and not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in stopping { sigaddset(&set, signal.number) }
        sigaddset(&set, SIGHUP)
        return set
    }

    /// Begins to take signals. What they ask for is kept until `serve`.
    func begin() throws(SystemError) {
        let work = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let outcome = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<SignalWait>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        guard outcome == 0 else {
            work.release()
            throw SystemError(call: "pthread_create", code: outcome)
        }
        pthread_detach(thread)
    }

    /// The signal that asked for the end, if there was one.
    var stopSignal: Stop? { state.withLock { $0.stopSignal } }

    /// Calls `reload` at each SIGHUP and `stop` at the first signal that asks for the end, at once if it has come already.
    /// Neither may wait for anybody.
    func serve(reload: @escaping @Sendable () -> Void, stop: @escaping @Sendable (Stop) -> Void) {
        let (mustReload, stopSignal) = state.withLock { state in
            (state.reload, state.stop) = (reload, stop)
            return (state.mustReload, state.stopSignal)
        }
        if let stopSignal { return stop(stopSignal) }
        if mustReload { reload() }
    }

    private func run() -> Never {
        var deadline: MonotonicTime?
        while true {
            guard let number = Self.next(until: deadline) else {
                if let deadline, deadline <= .now { whenLate() }
                continue
            }
            guard let signal = Self.stopping.first(where: { $0.number == number }) else {
                let reload = state.withLock { state in
                    state.mustReload = true
                    return state.reload
                }
                if deadline == nil { reload?() }
                continue
            }
            if deadline != nil {
                whenRepeated()
                ProcessEnd.now(signal: number)
            }
            deadline = MonotonicTime.now.advanced(byMilliseconds: stopMilliseconds)
            let stop = state.withLock { state in
                state.stopSignal = signal
                return state.stop
            }
            stop?(signal)
        }
    }

    /// The next signal; nil when there is none until the deadline, or the wait was interrupted.
    private static func next(until deadline: MonotonicTime?) -> Int32? {
        var set = Self.set
        guard let deadline else {
            var number: Int32 = 0
            return sigwait(&set, &number) == 0 ? number : nil
        }
        let left = deadline.nanoseconds(since: .now)
        var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
        let number = sigtimedwait(&set, nil, &time)
        return number > 0 ? number : nil
    }
}
