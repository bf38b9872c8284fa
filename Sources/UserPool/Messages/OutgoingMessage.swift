import Crypto
import JSON
import Store

/// A message to a user, as it waits in the database.
struct OutgoingMessage: Sendable {
    let user: String
    let kind: String
    let delivery: CodeDelivery
    var subject: String
    var body: String
    /// The same as a page; nil: there is none.
    var html: String?
    let code: String
    /// What the function is told that sends it; nil: none does.
    var event: JSONObject?
    /// How long anybody has a use for it.
    let lifeMilliseconds: Int64

    init(_ purpose: SentCode.Purpose, code: String, to user: User, _ delivery: CodeDelivery) {
        self.user = user.name
        self.delivery = delivery
        self.code = code
        kind = purpose.kind
        lifeMilliseconds = purpose.lifeMilliseconds
        switch purpose {
        case .confirmation:
            subject = "Your verification code"
            body = "Your confirmation code is \(code)"
        case .newPassword:
            subject = "Your verification code"
            body = "Your password reset code is \(code)"
        case .attribute:
            subject = "Your verification code"
            body = "Your verification code is \(code)"
        case .signIn, .secondFactor:
            subject = "Your authentication code"
            body = "Your authentication code is \(code)"
        }
    }

    /// The same in the app's own words, where it has some.
    func worded(by template: MessageTemplate, name: String) -> OutgoingMessage {
        var message = self
        if let subject = template.subject, !subject.isEmpty { message.subject = subject }
        guard let text = template.body(of: delivery.medium), !text.isEmpty else { return message }
        let isMarkup = delivery.medium == .email && MarkupText.isMarkup(text)
        var plain = isMarkup ? MarkupText.plain(text) : text
        if !plain.contains(bytesOf: MessageTemplate.codePlace) { plain += "\n\(MessageTemplate.codePlace)" }
        message.body = MessageTemplate.filled(plain, code: code, name: name)
        message.html =
            isMarkup ? MessageTemplate.filled(text, code: HTML.escaped(code), name: HTML.escaped(name)) : nil
        return message
    }

    /// The same with a link in the place of the code, which whoever follows it gives for them.
    ///
    /// - Parameter template: what the app's settings say, or one of its functions.
    func linked(_ link: ConfirmationLink, by template: MessageTemplate, name: String) -> OutgoingMessage {
        guard delivery.medium == .email else { return self }
        var message = self
        let address = link.address(code: code)
        message.subject = template.subject.flatMap { $0.isEmpty ? nil : $0 } ?? ConfirmationLink.subject
        let text = template.email.flatMap { $0.isEmpty ? nil : $0 } ?? ConfirmationLink.text
        func filled(_ text: String, _ code: String, _ name: String) -> String {
            MessageTemplate.filled(text, code: code, name: name)
        }
        guard let place = MessageTemplate.LinkPlace(in: text) else { return worded(by: template, name: name) }
        let isMarkup = MarkupText.isMarkup(text)
        func plain(_ part: String) -> String { filled(isMarkup ? MarkupText.plain(part) : part, code, name) }
        message.body =
            "\(plain(place.before))\n\(plain(place.label)): \(address)\n\(plain(place.behind))"
            .trimmingBlankEnds
        func markup(_ part: String) -> String {
            filled(isMarkup ? part : HTML.escaped(part), HTML.escaped(code), HTML.escaped(name))
        }
        let anchor = "<a href=\"\(HTML.escaped(address))\">\(markup(place.label))</a>"
        message.html = markup(place.before) + anchor + markup(place.behind)
        return message
    }

    /// The same as the app's functions want it.
    func worded(by wording: MessageWording?, name: String) -> OutgoingMessage {
        guard let wording else { return self }
        var message = wording.template.map { worded(by: $0, name: name) } ?? self
        guard var event = wording.events[delivery.medium], var request = event["request"]?.object else {
            return message
        }
        request.set("code", to: .string(Base64.text(of: Array(code.utf8), .standard)))
        event.set("request", to: .object(request))
        message.event = event
        return message
    }

    fileprivate static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_messages
            (user, kind, medium, address, subject, body, html, event, code, created, expires, state, tries, due)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', 0, ?)
        """)
    /// What is still to be sent, and of use, stays beyond the latest, up to a bound of its own.
    fileprivate static let sweep = RoomStatement(
        """
        DELETE FROM _homeport_messages
        WHERE number <= ?1 AND (state <> 'waiting' OR expires <= ?2 OR number <= ?3)
        """)
    fileprivate static let countToAddress = RoomStatement(
        "SELECT count(*) FROM _homeport_messages WHERE address = ? AND created > ?")
}

extension PoolWriting {
    /// Puts a message into the queue, from which it is shown to people and sent. Too many to one address are refused: it may be
    /// a stranger's.
    func queue(_ message: OutgoingMessage) throws(PoolError) {
        guard try mayQueue(to: message.delivery.address) else { throw .tooManyAttempts }
        try change(
            OutgoingMessage.insertion,
            [
                .text(message.user), .text(message.kind), .text(message.delivery.medium.rawValue),
                .text(message.delivery.address), .text(message.subject), .text(message.body),
                message.html.map(StoredValue.text) ?? .null,
                message.event.map { .text(JSONWriter.text(of: .object($0))) } ?? .null, .text(message.code),
                .integer(now), .integer(now + message.lifeMilliseconds), .integer(now),
            ])
        session.wake(.outbox)
        let last = try lastNumber()
        // Not with each: it looks at all that wait.
        guard last.isMultiple(of: PoolLimits.messagesPerSweep) else { return }
        try change(
            OutgoingMessage.sweep,
            [
                .integer(last - PoolLimits.messagesMax), .integer(now),
                .integer(last - PoolLimits.waitingMessagesMax),
            ])
    }

    /// Returns whether one more message may go to an address.
    func mayQueue(to address: String) throws(PoolError) -> Bool {
        var count: Int64 = 0
        try session.rows(
            OutgoingMessage.countToAddress,
            [.text(address), .integer(now - PoolLimits.messageWindowMilliseconds)]
        ) { row throws(PoolError) in
            count = row.integer(0)
            return false
        }
        return count < PoolLimits.messagesPerAddressMax
    }
}

extension String {
    /// Without what is blank at its beginning and its end.
    fileprivate var trimmingBlankEnds: String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A }
        let start = utf8.drop(while: isBlank)
        let end = start.lastIndex { !isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(Substring(start[..<end]))
    }
}
