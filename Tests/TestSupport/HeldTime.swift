#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How long a thread works on something, as it would in a release build: the thread's processor time, divided by what this build takes
/// longer for a mixture of Swift's code and the libraries', which are never slow.
public enum HeldTime {
    /// What the work takes of the thread that runs it, in milliseconds; the least of some tries, since others disturb.
    public static func milliseconds(tries: Int = 3, _ work: () throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<tries {
            let begin = threadNanoseconds
            try work()
            least = min(least, Double(threadNanoseconds - begin) / 1_000_000)
        }
        return least / factor
    }

    /// The processor time that the calling thread has had.
    public static var threadNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// How much longer it takes here: 1 for a release build, a dozen or so for one with checks.
    ///
    /// Measured by a walk over bytes as rooms do it. All of it is Swift's code, so it takes some 0.4 ms there and seventy times as long
    /// here; a fifth of that is what a mixture takes.
    public static let factor: Double = {
        let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var least = Double.infinity
        for _ in 0..<5 {
            let begin = threadNanoseconds
            var kept: [UInt8] = []
            kept.reserveCapacity(bytes.count)
            var state = 0
            for byte in bytes {
                while state > 0, byte != UInt8(truncatingIfNeeded: state) { state /= 2 }
                if byte & 1 == 0 { state += 1 }
                kept.append(byte)
            }
            precondition(kept.count == bytes.count)
            least = min(least, Double(threadNanoseconds - begin) / 1_000_000)
        }
        return max(1, least / 2)
    }()
}
