import Glibc
import Network

/// Waits for the signals by which people and systems steer a server.
///
/// They are blocked in every thread, and one thread takes them one after the other: so what they cause runs in ordinary
/// code, where anything may be called, and not in a signal handler.
struct SignalWait: Sendable {
    private static let stopping: [(number: Int32, name: String)] = [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT")]

    /// Called first of all, before any thread is made: threads inherit what is blocked.
    static func block() {
        var set = Self.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
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

    /// Calls `reload` at each SIGHUP and `stop` at the first signal that asks for the end; the second one ends the process.
    func begin(reload: @escaping @Sendable () -> Void, stop: @escaping @Sendable (_ name: String) -> Void)
        throws(SystemError)
    {
        let work = Unmanaged.passRetained(Work(reload: reload, stop: stop))
        var thread = pthread_t()
        let outcome = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        guard outcome == 0 else {
            work.release()
            throw SystemError(call: "pthread_create", code: outcome)
        }
        pthread_detach(thread)
    }

    private final class Work: Sendable {
        private let reload: @Sendable () -> Void
        private let stop: @Sendable (String) -> Void

        init(reload: @escaping @Sendable () -> Void, stop: @escaping @Sendable (String) -> Void) {
            self.reload = reload
            self.stop = stop
        }

        func run() -> Never {
            var set = SignalWait.set
            var isStopping = false
            while true {
                var number: Int32 = 0
                guard sigwait(&set, &number) == 0 else { continue }
                guard let signal = SignalWait.stopping.first(where: { $0.number == number }) else {
                    reload()
                    continue
                }
                if isStopping { ProcessEnd.now(signal: number) }
                isStopping = true
                stop(signal.name)
            }
        }
    }
}
