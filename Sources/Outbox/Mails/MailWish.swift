import Access
import JSON
import Network

/// A mail as a call asks for it.
struct MailWish: Sendable {
    var letter: MailLetter
    /// Those that no other reader sees.
    var blindCopies: [MailParty] = []

    /// - Parameters:
    ///   - destination: `ToAddresses`, `CcAddresses`, `BccAddresses`.
    init(from source: String, to destination: JSONValue?, answersTo: [String]) throws(OutboxError) {
        letter = MailLetter(from: try Self.party(source), subject: "")
        if let destination {
            letter.to = try Self.parties(destination.texts("ToAddresses"))
            letter.copies = try Self.parties(destination.texts("CcAddresses"))
            blindCopies = try Self.parties(destination.texts("BccAddresses"))
        }
        letter.answersTo = try Self.parties(answersTo)
        let count = letter.to.count + letter.copies.count + blindCopies.count
        guard count > 0 else { throw OutboxError("InvalidParameterValue", "Empty required header 'To'.") }
        guard count <= OutboxLimits.readersMax, answersTo.count <= OutboxLimits.readersMax else {
            throw .invalid("Recipient count exceeds \(OutboxLimits.readersMax).")
        }
    }

    /// The content of the mail, as SES writes it: `Subject`, and `Body` with `Text`, `Html` or both.
    mutating func read(_ message: JSONValue) throws(OutboxError) {
        let (subject, body) = (message["Subject"], message["Body"])
        try fill(
            subject: subject?["Data"]?.string ?? "", text: body?["Text"]?["Data"]?.string,
            html: body?["Html"]?["Data"]?.string)
    }

    mutating func fill(subject: String, text: String?, html: String?) throws(OutboxError) {
        guard subject.utf8.count <= OutboxLimits.subjectBytesMax else {
            throw .invalid("The subject has at most \(OutboxLimits.subjectBytesMax) bytes.")
        }
        guard (text?.utf8.count ?? 0) + (html?.utf8.count ?? 0) <= OutboxLimits.mailBytesMax else {
            throw Self.tooLong
        }
        (letter.subject, letter.text, letter.html) = (subject, text, html)
    }

    /// Once the texts are there: they count too.
    mutating func add(_ extras: MailExtras) throws(OutboxError) {
        let texts = (letter.text?.utf8.count ?? 0) + (letter.html?.utf8.count ?? 0)
        guard texts + extras.bytes <= OutboxLimits.mailBytesMax else { throw Self.tooLong }
        (letter.fields, letter.parts) = (extras.fields, extras.parts)
    }

    static let tooLong = OutboxError.invalid("Message length is more than \(OutboxLimits.mailBytesMax) bytes long.")

    /// The mail for the queue.
    func outgoing(_ id: String, now: Int64) -> OutgoingLetter {
        OutgoingLetter(
            id: id, service: "ses", medium: .email, sender: letter.from.description,
            readers: (letter.to + letter.copies + blindCopies).map(\.address).eachOnce.map(\.text),
            subject: letter.subject, text: Self.shown(letter.text ?? ""), html: letter.html.map(Self.shown),
            mail: letter.bytes(identifier: id, seconds: now / 1_000))
    }

    /// The start of a text. Each reader's row has it, and all of it is in the mail, which they share.
    private static func shown(_ text: String) -> String {
        guard text.utf8.count > OutboxLimits.shownBytesMax else { return text }
        return String(decoding: text.utf8.prefix(OutboxLimits.shownBytesMax), as: UTF8.self)
    }

    // MARK: Addresses

    static func parties(_ texts: [String]) throws(OutboxError) -> [MailParty] {
        var parties: [MailParty] = []
        for text in texts { parties.append(try party(text)) }
        return parties
    }

    static func party(_ text: String) throws(OutboxError) -> MailParty {
        do throws(MailAddressError) {
            let party = try MailParty(text.trimmingBlanks)
            return try MailParty(party.address, name: party.name.map(EncodedWords.decoded))
        } catch {
            switch error {
            case .noAt: throw .invalid("Missing final '@domain'")
            case .tooLong, .nameTooLong:
                throw .invalid("Address length is more than \(MailAddress.bytesMax) characters long: \(error)")
            default: throw .invalid("Illegal address: \(error)")
            }
        }
    }
}

extension Array where Element: Hashable {
    /// Each element once, where it stands first.
    fileprivate var eachOnce: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
