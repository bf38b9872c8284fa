import Network

/// When something is delivered again that was not taken, and when it is given up.
package struct RetryPolicy: Sendable, Equatable {
    package var backOff: BackOff
    /// Deliveries at the most.
    package var triesMax: Int64
    /// The age at which nothing is delivered again.
    package var ageMilliseconds: Int64

    package init(_ backOff: BackOff, triesMax: Int64 = .max, ageMilliseconds: Int64 = .max) {
        self.backOff = backOff
        self.triesMax = triesMax
        self.ageMilliseconds = ageMilliseconds
    }

    /// The time of the next delivery; nil: there is none.
    ///
    /// - Parameters:
    ///   - tries: deliveries that failed before this one.
    ///   - created: when it began to wait.
    ///   - expires: the time from which on it is of no use.
    package func next(after tries: Int64, since created: Int64, now: Int64, before expires: Int64 = .max) -> Int64? {
        guard tries < triesMax - 1 else { return nil }
        let (next, isTooLate) = now.addingReportingOverflow(backOff.delay(after: tries))
        let (age, isTooOld) = next.subtractingReportingOverflow(created)
        guard !isTooLate, !isTooOld, age <= ageMilliseconds, next < expires else { return nil }
        return next
    }
}
