import EventPatterns
import JSON
import Network

/// Those who follow a topic, with what was read of their filters, for one message or for several.
struct NoticeReaders: Sendable {
    private struct NoticeReader: Sendable {
        let follower: TopicFollower
        let filter: NoticeFilter?
    }

    private let readers: [NoticeReader]
    private let sender: MailParty

    /// - Parameter title: what mails call their sender; nil: as SNS does.
    init(_ followers: [TopicFollower], title: String?) throws(OutboxError) {
        var readers: [NoticeReader] = []
        for follower in followers {
            let filter = try follower.policy.map { policy throws(OutboxError) in
                try NoticeFilter.read(policy, over: follower.scope)
            }
            readers.append(NoticeReader(follower: follower, filter: filter ?? nil))
        }
        self.readers = readers
        sender = try Self.sender(title)
    }

    /// The sender of mails with that title.
    static func sender(_ title: String?) throws(OutboxError) -> MailParty {
        let usual = try MailWish.party("AWS Notifications <no-reply@sns.amazonaws.com>")
        guard let title, !title.isEmpty else { return usual }
        guard title.utf8.count <= OutboxLimits.titleBytesMax, title.unicodeScalars.allSatisfy({ $0.isShown }),
            // As it is read again when the mail goes out.
            let party = try? MailParty("\(title) <\(usual.address.text)>")
        else { throw OutboxError("InvalidParameter", "Invalid parameter: DisplayName") }
        return party
    }

    /// The message to those whose filters let it through.
    func letters(_ notice: Notice, now: Int64) throws(OutboxError) -> [OutgoingLetter] {
        var letters: [OutgoingLetter] = []
        let steps = MatchingSteps.ofMessage
        var bodies: [ByteText: JSONValue?] = [:]
        for reader in readers {
            if let filter = reader.filter {
                var body: JSONValue?
                if filter.isOfBody {
                    // The text of each way is read once.
                    let way = ByteText(reader.follower.way)
                    body = bodies[way] ?? notice.body(for: reader.follower.way)
                    bodies[way] = .some(body)
                }
                guard try filter.passes(attributes: notice.attributes.values, body: body, steps) else { continue }
            }
            letters.append(try letter(notice, to: reader.follower, now: now))
        }
        return letters
    }

    private func letter(
        _ notice: Notice, to follower: TopicFollower, now: Int64
    ) throws(OutboxError) -> OutgoingLetter {
        let text = notice.text(for: follower.way)
        switch follower.way {
        case "sms": return OutgoingLetter(text: text, to: follower.endpoint, id: notice.id)
        case "lambda":
            return OutgoingLetter(
                id: notice.id, service: "sns", medium: .function, sender: notice.topic, readers: [follower.endpoint],
                subject: notice.subject ?? "",
                text: JSONWriter.text(of: notice.event(for: "\(notice.topic):\(follower.id)")))
        case "sqs":
            return OutgoingLetter(
                id: notice.id, service: "sns", medium: .function, sender: notice.topic, readers: [follower.endpoint],
                subject: notice.subject ?? "",
                text: JSONWriter.text(
                    of: notice.queued(
                        for: "\(notice.topic):\(follower.id)", isRaw: follower.isRaw,
                        isOrdered: follower.endpoint.hasSuffix(".fifo"))))
        default:
            var wish = try MailWish(
                from: sender.address.text, to: ["ToAddresses": [.string(follower.endpoint)]], answersTo: [])
            wish.letter.from = sender
            try wish.fill(
                subject: notice.subject ?? "AWS Notification Message",
                text: follower.way == "email" ? text : JSONWriter.text(of: notice.envelope), html: nil)
            var letter = wish.outgoing(notice.id, now: now)
            letter.service = "sns"
            return letter
        }
    }
}

extension OutgoingLetter {
    /// A text to a telephone.
    init(text: String, to number: String, id: String) {
        self.init(id: id, service: "sns", medium: .sms, sender: "", readers: [number], subject: "", text: text)
    }
}
