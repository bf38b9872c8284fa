import Network

/// How long no process is started behind starts that have failed: pure. After the first failure the next call tries again at once.
struct StartDelay {
    private var failures = 0
    private(set) var until = MonotonicTime(nanoseconds: 0)

    mutating func failed(now: MonotonicTime) {
        failures += 1
        guard failures > 1 else { return }
        let milliseconds = min(
            RuntimeLimits.firstDelayMilliseconds << min(failures - 2, 16), RuntimeLimits.longestDelayMilliseconds)
        until = now.advanced(byMilliseconds: milliseconds)
    }

    mutating func succeeded() { self = StartDelay() }
}
