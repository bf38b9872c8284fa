import Cloud
import Crypto
import JSON
import Store

/// Topics that are first in, first out: each message has a group, in which all come in their order, and comes once.
extension NoticeService {
    static let orderedEnding = ".fifo"

    /// A message of a topic of either kind.
    static func notice(
        _ input: CallInput, id: String, topic: String, _ details: TopicDetails, time: Int64
    ) throws(OutboxError) -> Notice {
        var notice = try Notice(input, id: id, topic: topic, time: time)
        let duplicateID = input.given("MessageDeduplicationId")
        guard details.isOrdered else {
            guard duplicateID == nil else {
                throw invalid(
                    "MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not valid for this topic type"
                )
            }
            if let group = notice.group { try check(group, "MessageGroupId") }
            return notice
        }
        guard let group = notice.group else {
            throw invalid("The MessageGroupId parameter is required for FIFO topics")
        }
        try check(group, "MessageGroupId")
        if let duplicateID { try check(duplicateID, "MessageDeduplicationId") }
        guard let known = duplicateID ?? ofContent(notice, details) else {
            throw invalid(
                "The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"
            )
        }
        let isOfGroup = details["FifoThroughputScope"] == "MessageGroup"
        notice.order = NoticeOrder(
            group: group, duplicateID: known, key: isOfGroup ? "\(group)\n\(known)" : "\n\(known)")
        return notice
    }

    private static func ofContent(_ notice: Notice, _ details: TopicDetails) -> String? {
        guard details["ContentBasedDeduplication"] == "true" else { return nil }
        return Hexadecimal.text(of: Digest.sha256.of(Array(notice.message.utf8)))
    }

    /// Letters, digits and punctuation.
    private static func check(_ text: String, _ name: String) throws(OutboxError) {
        guard text.utf8.count <= OutboxLimits.orderBytesMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw invalid("\(name) Reason: The value is not valid")
        }
    }

    /// A message with its place, and what is sent of it. The same message is not sent again.
    static func placed(
        _ notice: Notice, _ topic: String, _ readers: NoticeReaders, in session: WriteSession, now: Int64
    ) throws -> ([OutgoingLetter], Notice) {
        guard let order = notice.order else { return (try readers.letters(notice, now: now), notice) }
        var placed = notice
        let place = try session.place(order, of: topic, id: notice.id, now: now)
        (placed.id, placed.order) = (place.id, place.order)
        return (place.isKnown ? [] : try readers.letters(placed, now: now), placed)
    }

    /// The answer to a publisher.
    static func told(_ notice: Notice) -> JSONObject {
        var told = JSONObject([("MessageId", .string(notice.id))])
        if let order = notice.order { told.set("SequenceNumber", to: .string(order.sequence)) }
        return told
    }
}
