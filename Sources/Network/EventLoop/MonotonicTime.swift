import Threads

/// A moment on the clock that never goes back, in nanoseconds since an arbitrary start.
package struct MonotonicTime: Sendable, Comparable, Hashable {
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    package static var now: MonotonicTime {
        let time = SystemClock.monotonic
        return MonotonicTime(
            nanoseconds: UInt64(bitPattern: time.seconds) &* 1_000_000_000 &+ UInt64(bitPattern: time.nanoseconds))
    }

    /// A moment that never comes: a deadline for what may take for ever.
    package static let never = MonotonicTime(nanoseconds: .max)

    package func advanced(byMilliseconds milliseconds: Int) -> MonotonicTime {
        let (delta, hasOverflowed) = UInt64(max(0, milliseconds)).multipliedReportingOverflow(by: 1_000_000)
        let (sum, isTooLate) = nanoseconds.addingReportingOverflow(delta)
        return hasOverflowed || isTooLate ? .never : MonotonicTime(nanoseconds: sum)
    }

    /// Nanoseconds from the other moment to this one, 0 when the other is later.
    package func nanoseconds(since other: MonotonicTime) -> UInt64 {
        nanoseconds > other.nanoseconds ? nanoseconds - other.nanoseconds : 0
    }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
