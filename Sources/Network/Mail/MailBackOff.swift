/// When a mail that was not taken is tried again: a little later each time (`BackOff`), and not for ever.
package struct MailBackOff: Sendable, Equatable {
    package var firstMilliseconds: Int64 = 30_000
    package var longestMilliseconds: Int64 = 3_600_000
    /// How long after it was put into the queue a mail is given up.
    package var givenUpMilliseconds: Int64 = 3 * 24 * 3_600_000
    /// The same in tries: where somebody sets the clock back, time alone would not end them.
    package var triesMax = 100

    package init() {}

    /// The next try of a mail that was not taken just now.
    func retry(of mail: QueuedMail, now: Int64) -> MailRetry {
        guard mail.tries < triesMax - 1 else { return .never }
        let delay = BackOff(firstMilliseconds: firstMilliseconds, longestMilliseconds: longestMilliseconds)
            .delay(after: Int64(mail.tries))
        let (next, isTooLate) = now.addingReportingOverflow(delay)
        let (age, isTooOld) = next.subtractingReportingOverflow(mail.created)
        guard !isTooLate, !isTooOld, age <= givenUpMilliseconds, next < mail.expires ?? .max else { return .never }
        return .at(next)
    }
}
