/// How much the outbox takes.
package enum OutboxLimits {
    /// A call, with its mail in base64.
    package static let bodyBytesMax = 16 << 20
    /// A mail that somebody else has put together.
    static let mailBytesMax = 10 << 20
    /// The readers of one mail.
    static let readersMax = 50
    /// The mails of one call for many.
    static let bulkMax = 50
    /// The attachments of the mails of such a call, counted for each.
    static let bulkAttachedBytesMax = 40 << 20
    /// The bytes of messages that one change of the database has; a message with more has one of its own. So the only writer is not
    /// held for long.
    static let changeBytesMax = 16 << 20
    static let headersMax = 15
    static let attachmentsMax = 50
    /// The type of an attachment, and by which a page names it.
    static let typeBytesMax = 78
    static let noteBytesMax = 1_000
    /// The text of a message to a telephone.
    static let textBytesMax = 1_600
    /// The bounds of messages to a topic.
    static let noticeBytesMax = 256 << 10
    /// The messages of one call for several.
    static let batchMax = 10
    static let entryIDBytesMax = 80
    /// The bounds of a follower's filter policy: the policy, its keys, and how many ways there are to meet it.
    static let policyBytesMax = 32 << 10
    static let policyKeysMax = 5
    static let policyCombinationsMax = 150
    /// The name of a topic's sender in mails.
    static let titleBytesMax = 100
    static let subjectBytesMax = 2_000
    /// The characters of a subject of a message to a topic.
    static let noticeSubjectMax = 100
    /// The digits of a token that confirms a subscription.
    static let tokenDigitsMin = 64
    static let templatesMax = 10_000
    static let templateBytesMax = 500 << 10
    static let templateNestingMax = 16
    /// The pieces that a template may be filled with, those of lists in lists among them.
    static let templateStepsMax = 20_000
    /// The size of a filled template.
    static let renderedBytesMax = 2 << 20
    static let nameBytesMax = 256
    static let topicsMax = 1_000
    static let tagsMax = 50
    static let tagKeyCharactersMax = 128
    static let tagValueCharactersMax = 256
    /// An attribute of a topic, such as its policy.
    static let attributeBytesMax = 30_720
    /// A message's group, and by which it is known again.
    static let orderBytesMax = 128
    /// How long a message of a topic that is first in, first out is known again.
    static let duplicateMilliseconds: Int64 = 5 * 60_000
    static let followersMax = 100
    static let pageMax = 100
    package static let parametersMax = 4_096
    static let nestingMax = 32

    /// Messages that are kept, the latest.
    static let messagesMax: Int64 = 1_000
    /// Messages that wait for somebody to take them over.
    static let waitingMax: Int64 = 20_000
    /// After how many new ones the old ones go.
    static let messagesPerSweep: Int64 = 50
    /// The part of a mail that is shown as its text.
    static let shownBytesMax = 64 << 10
    static let readMilliseconds: Int64 = 5_000
}
