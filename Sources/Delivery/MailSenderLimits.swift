import Network

/// Every limit of a sender of mails, in one place. Its connection has those of `SMTPLimits`.
package struct MailSenderLimits: Sendable, Equatable {
    /// When a mail is tried again: not for ever, and with a bound on the tries too, since somebody may set the clock back.
    package var retries = RetryPolicy(
        BackOff(firstMilliseconds: 30_000, longestMilliseconds: 3_600_000), triesMax: 100,
        ageMilliseconds: 3 * 24 * 3_600_000)
    /// Mails that are asked of the queue at once.
    package var batchMails = 16
    /// Mails that are sent over one connection: servers commonly end it after a hundred.
    package var mailsPerConnection = 50
    /// How long nothing is sent after a connection failed, however many mails wait and come.
    package var serverPauseMilliseconds: Int64 = 30_000
    /// How long it takes until a queue that failed is asked again.
    package var queuePauseMilliseconds: Int64 = 5_000
    /// The longest that is waited for a mail's time before the clock is looked at again: somebody may have set it.
    package var lookMilliseconds: Int64 = 60_000
    /// True if the queue is also looked through after that time when nothing is due: others may fill it without a word.
    package var looksWhenIdle = false

    package init() {}

    /// Those of a sender for several nodes: any of them fills the queue, and none has to say so.
    package static let amongNodes: MailSenderLimits = {
        var limits = MailSenderLimits()
        (limits.lookMilliseconds, limits.looksWhenIdle) = (2_000, true)
        return limits
    }()
}
